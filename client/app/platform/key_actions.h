// SPDX-License-Identifier: MIT
//
// What keys do during a match besides playing: open the chat, vote, show the net graph, control a replay. One table
// maps keys to these actions; keyboard.h maps keys to the buttons of a player.
#ifndef APP_PLATFORM_KEY_ACTIONS_H
#define APP_PLATFORM_KEY_ACTIONS_H

#include <stdint.h>

/// A set of bits, since one press may mean several.
enum key_action {
    KEY_ACTION_CHAT = 1u << 0, ///< Enter, T: opens a chat line
    KEY_ACTION_YES = 1u << 1,
    KEY_ACTION_NO = 1u << 2,
    KEY_ACTION_NET_GRAPH = 1u << 3, ///< the net graph
    KEY_ACTION_PAUSE = 1u << 4,     ///< of a replay, as all below that do not say otherwise
    KEY_ACTION_BACK = 1u << 5,
    KEY_ACTION_FORWARD = 1u << 6,
    KEY_ACTION_FAR_BACK = 1u << 7,
    KEY_ACTION_FAR_FORWARD = 1u << 8,
    KEY_ACTION_SLOWER = 1u << 9,
    KEY_ACTION_FASTER = 1u << 10,
    KEY_ACTION_FREE_CAMERA = 1u << 11, ///< toggles between a free camera and one that follows
    KEY_ACTION_TEAM_CHAT = 1u << 12,   ///< U: opens a chat line to the player's team
    KEY_ACTION_CHOICE = 1u << 13,      ///< 1: the first choice of a vote; the bits of choices 2 to 6 follow
};
#define KEY_ACTION_CHOICES 6

/// The acts of a key that was just pressed, by its scancode; 0: none.
uint32_t key_actions_pressed(uint32_t scancode);
/// Those of a pad's button in a replay: an index into PREFERENCES_PAD_NAMES.
uint32_t key_actions_gamepad_pressed(uint32_t button);

#endif
