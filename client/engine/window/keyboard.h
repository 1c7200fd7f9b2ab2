// SPDX-License-Identifier: MIT
//
// The keyboard: codes of keys, and the buttons of the game that they mean. A code stands for a place on the keyboard,
// so that every layout has the same keys in the same places. Two players may share one keyboard: each has a set of
// keys.
#ifndef WINDOW_KEYBOARD_H
#define WINDOW_KEYBOARD_H

#include <stdbool.h>

#include "buttons.h"

/// The keys that have a fixed meaning somewhere in the program. Codes are USB HID usages, as SDL's scancodes are.
enum key {
    KEY_A = 4,
    KEY_B = 5,
    KEY_D = 7,
    KEY_E = 8,
    KEY_F = 9,
    KEY_G = 10,
    KEY_H = 11,
    KEY_M = 16,
    KEY_N = 17,
    KEY_P = 19,
    KEY_Q = 20,
    KEY_R = 21,
    KEY_S = 22,
    KEY_T = 23,
    KEY_U = 24,
    KEY_V = 25,
    KEY_W = 26,
    KEY_Y = 28,
    KEY_1 = 30,
    KEY_2 = 31,
    KEY_3 = 32,
    KEY_4 = 33,
    KEY_5 = 34,
    KEY_6 = 35,
    KEY_RETURN = 40,
    KEY_ESCAPE = 41,
    KEY_BACKSPACE = 42,
    KEY_TAB = 43,
    KEY_SPACE = 44,
    KEY_MINUS = 45,
    KEY_EQUALS = 46,
    KEY_COMMA = 54,
    KEY_PERIOD = 55,
    KEY_F2 = 59,
    KEY_F3 = 60,
    KEY_F11 = 68,
    KEY_HOME = 74,
    KEY_PAGE_UP = 75,
    KEY_DELETE = 76,
    KEY_END = 77,
    KEY_PAGE_DOWN = 78,
    KEY_RIGHT = 79,
    KEY_LEFT = 80,
    KEY_DOWN = 81,
    KEY_UP = 82,
    KEY_KP_MINUS = 86,
    KEY_KP_PLUS = 87,
    KEY_KP_ENTER = 88,
};

/// Whose keys.
enum keyboard_set {
    KEYBOARD_FIRST,         ///< both keys that the first set has for each action
    KEYBOARD_SECOND,        ///< the second set
    KEYBOARD_WITHOUT_SECOND ///< the first set without the keys of the second, which another player uses
};

/// Returns the buttons that a key of this set means; 0 if it is bound to none.
uint32_t keyboard_pressed(const struct button_bindings *bindings, enum keyboard_set set, uint32_t key);

/// Returns the buttons of the game that are held on the keyboard now.
uint32_t keyboard_held(const struct button_bindings *bindings, enum keyboard_set set);

/// Returns whether a key is held now.
bool keyboard_is_held(uint32_t key);

/// Returns what a key is called in the layout of this keyboard, or by its place where that name is not Latin; "" if it
/// has no name.
const char *keyboard_name(uint32_t key);

#endif
