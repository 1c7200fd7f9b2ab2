// SPDX-License-Identifier: MIT
//
// The devices of the local players in a match: which buttons they press, or the input script in the place of the first,
// which keys their hints name, and how their gamepads shake.
#ifndef APP_PLAY_DEVICES_H
#define APP_PLAY_DEVICES_H

#include "app/local_players.h"
#include "app/session.h"
#include "play_chat.h"

/// Where the input script has come to.
struct play_script {
    bool has_origin;
    tick origin;    ///< tick of the match in which the scripted player joined
    tick last_tick; ///< ticks from there to the last input
};

/// The devices. Zero-initialise, and set what is above the blank line.
struct play_devices {
    struct session_context *context;
    struct local_players *local;
    struct play_chat *chat; ///< its wheels take buttons

    struct play_script script;
    struct hints others_hints[LOCAL_PLAYERS]; ///< for those who are not the first, by their number
};

/// Begins another match.
void play_devices_begin(struct play_devices *devices);
/// Returns what a local player holds for their next tick (bits of enum button). Call it once a tick.
uint32_t play_devices_buttons(struct play_devices *devices, uint32_t number);
/// Returns the hints of a local player.
struct hints *play_devices_hints(struct play_devices *devices, uint32_t number);
/// Has all hints name the device of their player, and returns those that are shown now.
const struct hints *play_devices_choose_hints(struct play_devices *devices);
/// Shakes each local player's gamepad; one who has all devices feels it in those that they use.
void play_devices_shake(const struct play_devices *devices, const struct view *view);

#endif
