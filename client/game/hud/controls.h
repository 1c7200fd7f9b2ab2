// SPDX-License-Identifier: MIT
//
// What keys, buttons of gamepads and fingers do in this game: play, open the chat, vote, control a replay. The
// preferences bind those of a match, one table has those of replays, and one the controls on a touch screen.
#ifndef HUD_CONTROLS_H
#define HUD_CONTROLS_H

#include <stddef.h>

#include "window/gamepads.h"
#include "window/touch_controls.h"

/// What a player does with a key or a button, in the order of the bits of enum button.
enum player_action { ACTION_LEFT, ACTION_RIGHT, ACTION_UP, ACTION_DOWN, ACTION_JUMP, ACTION_DASH, ACTION_SHOOT };
#define CONTROLS_ACTIONS 7
/// What a player does with a key or a button in a match besides playing.
enum match_action {
    MATCH_CHAT,
    MATCH_TEAM_CHAT,
    MATCH_EMOTES,     ///< held: the wheel of emotes
    MATCH_PHRASES,    ///< held: the wheel of quick sentences
    MATCH_SCOREBOARD, ///< held
    MATCH_PEOPLE,     ///< the list of everybody in the match
    MATCH_YES,
    MATCH_NO,
    MATCH_CHOICE, ///< the next choice of a vote; on gamepads alone
    MATCH_NET,
    MATCH_ACTIONS
};

/// What is bound to what.
struct controls {
    struct button_bindings buttons;        ///< to enum button
    int64_t match_keys[2][MATCH_ACTIONS];  ///< beside the first set of keys, and beside the second; 0: none
    uint32_t match_buttons[MATCH_ACTIONS]; ///< enum gamepad_button
};

/// Writes what a key (enum key) is called, translated; "none" for 0.
void controls_key_name(uint32_t key, char *name, size_t name_bytes);

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
uint32_t controls_match_actions(const struct controls *controls, uint32_t key);
/// Returns what a key does in a replay; 0: nothing.
uint32_t controls_replay_actions(uint32_t key);
/// Returns the actions of a gamepad's button (enum gamepad_button) in a replay; 0: none.
uint32_t controls_gamepad_actions(uint32_t button);

/// The controls on a touch screen, beside TOUCH_STICK.
enum touch_control {
    TOUCH_JUMP = TOUCH_STICK + 1,
    TOUCH_SHOOT,
    TOUCH_DASH,
    TOUCH_PAUSE,
    TOUCH_CHAT,   ///< tapped: a line; dragged: the wheel of sentences
    TOUCH_EMOTES, ///< dragged: the wheel of emotes
    TOUCH_SCORES, ///< a finger on the clock shows the scores
};

/// Which of them there are.
enum touch_use {
    TOUCH_USE_MENU = TOUCH_USE_POINTER, ///< none
    TOUCH_USE_PAUSE,                    ///< the pause, which leads back
    TOUCH_USE_COURSE,                   ///< those to play alone
    TOUCH_USE_PLAY,                     ///< all
};

/// Where they stand and how they look, by enum touch_control.
extern const struct touch_place CONTROLS_TOUCH[TOUCH_CONTROLS];

#endif
