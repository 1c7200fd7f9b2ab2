// SPDX-License-Identifier: MIT
//
// The wheels of emotes and quick sentences: which keys open one, for each local player on their device. On a keyboard
// the keys of movement point, on a gamepad the right stick.
#ifndef APP_APP_QUICK_CHAT_H
#define APP_APP_QUICK_CHAT_H

#include "app_state.h"

/// Moves the wheel of a local player on, and sends what they have chosen. Returns the buttons that are left for the
/// game: none while keys point. Call it once a tick with the buttons that are held.
uint32_t app_quick_chat_take(struct app *app, uint32_t number, uint32_t buttons);

#endif
