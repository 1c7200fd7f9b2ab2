// SPDX-License-Identifier: MIT
//
// What a person does at a match besides playing: talks, votes, watches, winds a replay. A table of keys (by their
// place) and nothing else; the same keys mean nothing to the player, whose buttons come from keyboard.h.
#ifndef APP_PLATFORM_KEY_ACTIONS_H
#define APP_PLATFORM_KEY_ACTIONS_H

#include <stdint.h>

/// Bits of acts.
enum key_action {
    KEY_ACTION_CHAT = 1u << 0, ///< Enter, T: opens a line
    KEY_ACTION_YES = 1u << 1,
    KEY_ACTION_NO = 1u << 2,
    KEY_ACTION_NET_GRAPH = 1u << 3, ///< the net graph
    KEY_ACTION_PAUSE = 1u << 4,     ///< of a replay, from here on
    KEY_ACTION_BACK = 1u << 5,
    KEY_ACTION_FORWARD = 1u << 6,
    KEY_ACTION_FAR_BACK = 1u << 7,
    KEY_ACTION_FAR_FORWARD = 1u << 8,
    KEY_ACTION_SLOWER = 1u << 9,
    KEY_ACTION_FASTER = 1u << 10,
    KEY_ACTION_FREE_CAMERA = 1u << 11, ///< the camera is moved by hand, or follows
    KEY_ACTION_TEAM_CHAT = 1u << 12,   ///< U: opens a line to the own team
    KEY_ACTION_CHOICE = 1u << 13,      ///< 1 to 6: that choice of a vote; the first, those after it follow
};
#define KEY_ACTION_CHOICES 6

/// The acts of a key that was just pressed, by its scancode; 0: none.
uint32_t key_actions_pressed(uint32_t scancode);
/// Those of a pad's button in a replay: an index into PREFERENCES_PAD_NAMES.
uint32_t key_actions_gamepad_pressed(uint32_t button);

#endif
