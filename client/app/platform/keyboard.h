// SPDX-License-Identifier: MIT
//
// The keyboard as held buttons. Keys are known by their place (scancode), so every layout has them in the same places;
// which does what stands in the preferences. Two players may share one keyboard: each has a set.
#ifndef APP_PLATFORM_KEYBOARD_H
#define APP_PLATFORM_KEYBOARD_H

#include "app/config/preferences.h"

/// Whose keys.
enum keyboard_set {
    KEYBOARD_FIRST,         ///< both columns of the first set
    KEYBOARD_SECOND,        ///< the second set
    KEYBOARD_WITHOUT_SECOND ///< the first set, less what the second has too, since another player has it
};

/// Buttons that a key which was just pressed means (enum button); 0 for a key that means none.
uint32_t keyboard_pressed(const struct preferences *preferences, enum keyboard_set set, uint32_t scancode);

/// Buttons held on the keyboard now (enum button).
uint32_t keyboard_held(const struct preferences *preferences, enum keyboard_set set);

/// What a key is called on this keyboard, by its place where letters are not Latin; "none" for 0.
void keyboard_name(uint32_t scancode, char *name, size_t name_bytes);

#endif
