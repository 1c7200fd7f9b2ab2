// SPDX-License-Identifier: MIT
//
// What keys do during a match besides playing: open the chat, vote, control a replay. The preferences bind the keys of
// a match, one table has those of replays; keyboard.h maps keys to the buttons of a player.
#ifndef APP_PLATFORM_HOTKEYS_H
#define APP_PLATFORM_HOTKEYS_H

#include "app/config/preferences.h"

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
uint32_t hotkeys_in_match(const struct preferences *preferences, uint32_t key);
/// Returns what a key does in a replay; 0: nothing.
uint32_t hotkeys_in_replay(uint32_t key);
/// Returns the actions of a gamepad's button (enum gamepad_button) in a replay; 0: none.
uint32_t hotkeys_gamepad_pressed(uint32_t button);

#endif
