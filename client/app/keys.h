// SPDX-License-Identifier: MIT
//
// The keyboard as held buttons. Keys are known by their place (scancode), so every layout has them
// in the same places; the table in keys.c is all there is to change.
#ifndef APP_KEYS_H
#define APP_KEYS_H

#include <SDL_scancode.h>
#include <stdint.h>

/// Buttons that a key which was just pressed means (enum button); 0 for a key that means none.
uint32_t keys_pressed(SDL_Scancode key);

/// Buttons held on the keyboard now (enum button).
uint32_t keys_sample(void);

#endif
