// SPDX-License-Identifier: MIT
//
// The keyboard as held buttons. Keys are known by their place (scancode), so every layout has them
// in the same places; the table in keys.c is all there is to change.
#ifndef APP_KEYS_H
#define APP_KEYS_H

#include <stdint.h>

/// Buttons held on the keyboard now (enum button).
uint32_t keys_sample(void);

#endif
