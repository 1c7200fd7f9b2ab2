// SPDX-License-Identifier: MIT
//
// What keys do during a match besides playing: open the chat, vote, show the net graph, control a replay. One table
// maps keys to these actions; keyboard.h maps keys to the buttons of a player.
#ifndef APP_PLATFORM_HOTKEYS_H
#define APP_PLATFORM_HOTKEYS_H

#include <stdint.h>

/// A set of bits, since one press may mean several.
enum hotkey {
    HOTKEY_CHAT = 1u << 0, ///< Enter, T: opens a chat line
    HOTKEY_YES = 1u << 1,
    HOTKEY_NO = 1u << 2,
    HOTKEY_NET_GRAPH = 1u << 3, ///< the net graph
    HOTKEY_PAUSE = 1u << 4,     ///< of a replay, as all below that do not say otherwise
    HOTKEY_BACK = 1u << 5,
    HOTKEY_FORWARD = 1u << 6,
    HOTKEY_FAR_BACK = 1u << 7,
    HOTKEY_FAR_FORWARD = 1u << 8,
    HOTKEY_SLOWER = 1u << 9,
    HOTKEY_FASTER = 1u << 10,
    HOTKEY_FREE_CAMERA = 1u << 11, ///< toggles between a free camera and one that follows
    HOTKEY_TEAM_CHAT = 1u << 12,   ///< U: opens a chat line to the player's team
    HOTKEY_CHOICE = 1u << 13,      ///< 1: the first choice of a vote; the bits of choices 2 to 6 follow
};
#define HOTKEY_CHOICES 6

/// The acts of a key that was just pressed, by its scancode; 0: none.
uint32_t hotkeys_pressed(uint32_t scancode);
/// Those of a pad's button in a replay: an index into PREFERENCES_PAD_NAMES.
uint32_t hotkeys_gamepad_pressed(uint32_t button);

#endif
