// SPDX-License-Identifier: MIT
//
// The keyboard: codes of keys, the buttons of the game that they mean, and what else keys do: open the chat, vote,
// control a replay. A code stands for a place on the keyboard, so that every layout has the same keys in the same
// places. The preferences bind the keys of a match, one table has those of replays. Two players may share one keyboard:
// each has a set of keys.
#ifndef WINDOW_KEYBOARD_H
#define WINDOW_KEYBOARD_H

#include "app/config/preferences.h"

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

/// Returns the buttons that a key of this set means (enum button); 0 if it is bound to none.
uint32_t keyboard_pressed(const struct preferences *preferences, enum keyboard_set set, uint32_t key);

/// Returns the buttons that are held on the keyboard now (enum button).
uint32_t keyboard_held(const struct preferences *preferences, enum keyboard_set set);

/// Returns whether a key is held now.
bool keyboard_is_held(uint32_t key);

/// Writes what a key is called in the layout of this keyboard, or by its place where that name is not Latin; "none"
/// for 0.
void keyboard_name(uint32_t key, char *name, size_t name_bytes);

/// A set of bits, since one press may mean several.
enum hotkey {
    HOTKEY_CHAT = 1u << 0, ///< opens a chat line
    HOTKEY_YES = 1u << 1,
    HOTKEY_NO = 1u << 2,
    HOTKEY_TEAM_CHAT = 1u << 3, ///< opens a chat line to the player's team
    HOTKEY_CHOICE = 1u << 4,    ///< 1: the first choice of a vote; the bits of choices 2 to 6 follow
    HOTKEY_PAUSE = 1u << 10,    ///< of a replay, as all below
    HOTKEY_BACK = 1u << 11,
    HOTKEY_FORWARD = 1u << 12,
    HOTKEY_FAR_BACK = 1u << 13,
    HOTKEY_FAR_FORWARD = 1u << 14,
    HOTKEY_SLOWER = 1u << 15,
    HOTKEY_FASTER = 1u << 16,
    HOTKEY_FREE_CAMERA = 1u << 17, ///< toggles between a free camera and one that follows
    HOTKEY_CLIP_WEBM = 1u << 18,   ///< the begin of a clip, then its end: writes it as a video
    HOTKEY_CLIP_GIF = 1u << 19,    ///< the same as a GIF
    HOTKEY_HELP = 1u << 20,        ///< shows what the keys do, or hides it
    HOTKEY_PEOPLE = 1u << 21,      ///< of a match again: opens or closes the list of everybody in it
    HOTKEY_NET = 1u << 22,         ///< shows the net graph, or hides it
};
#define HOTKEY_CHOICES 6

/// Returns what a key (enum key) that was just pressed does in a match: chat, votes, who is here, the net graph; 0:
/// nothing. Enter opens the chat and digits vote, unless they are bound.
uint32_t keyboard_match_actions(const struct preferences *preferences, uint32_t key);
/// Returns what a key does in a replay; 0: nothing.
uint32_t keyboard_replay_actions(uint32_t key);
/// Returns the actions of a gamepad's button (enum gamepad_button) in a replay; 0: none.
uint32_t keyboard_gamepad_actions(uint32_t button);

#endif
