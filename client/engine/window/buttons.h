// SPDX-License-Identifier: MIT
//
// The buttons of a game, which are bits, and the keys and the buttons of gamepads that are bound to them. A game has up
// to eight; the first four are the directions.
#ifndef WINDOW_BUTTONS_H
#define WINDOW_BUTTONS_H

#include <stdint.h>

/// The directions.
enum button_way {
    BUTTON_WAY_LEFT = 1u << 0,
    BUTTON_WAY_RIGHT = 1u << 1,
    BUTTON_WAY_UP = 1u << 2,
    BUTTON_WAY_DOWN = 1u << 3
};

/// Buttons of a game at most.
#define BUTTONS_CAPACITY 8
/// Keys for one button: two of the first set of keys, one of the second set, which another player may use.
#define BUTTONS_KEYS 3
/// Buttons of a gamepad for one.
#define BUTTONS_GAMEPAD 2

/// What is bound to each button, by the number of its bit.
struct button_bindings {
    int64_t keys[BUTTONS_KEYS][BUTTONS_CAPACITY];                ///< scancodes (USB HID usages); 0: none
    uint32_t gamepad_buttons[BUTTONS_GAMEPAD][BUTTONS_CAPACITY]; ///< enum gamepad_button
};

#endif
