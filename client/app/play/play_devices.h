// SPDX-License-Identifier: MIT
//
// The devices of the local players in a match: which buttons they press, or the input script in the place of the first,
// which keys their hints name, and how their gamepads shake. And the pause: who plays against computer players alone,
// on their own server, has the match stand still while a menu is open. A menu opens by itself when the window loses the
// focus or the gamepad in use is unplugged; a match with others goes on, and a line says it. The server is asked by the
// command "pause alone", which it refuses, or ends by itself, when somebody else is there.
#ifndef APP_PLAY_DEVICES_H
#define APP_PLAY_DEVICES_H

#include "play_chat.h"
#include "play_host.h"

/// What is known of the pause.
struct play_pause {
    bool wanted;        ///< at the last step
    bool ordered;       ///< by this window, so it ends the pause as well
    bool was_unfocused; ///< the window at the last step, in a match
    uint32_t gamepads;  ///< that were plugged in then, a bit for each
    bool lacks_gamepad; ///< of the one player, in a match that goes on
    uint64_t until_us;  ///< the pause that was ordered has begun by then, or it was refused
    uint64_t again_us;  ///< time of the next request to go on
};

/// The devices. Zero-initialise, and set what is above the blank line.
struct play_devices {
    struct session_context *context;
    struct local_players *local;
    struct play_chat *chat; ///< its wheels take buttons
    const struct play_host *host;

    bool has_origin;                          ///< the input script has begun
    tick origin;                              ///< tick of the match in which the scripted player joined
    tick script_ticks;                        ///< from there to the last input
    struct hints others_hints[LOCAL_PLAYERS]; ///< for those who are not the first, by their number
    struct play_pause pause;
};

/// Begins another match.
void play_devices_begin(struct play_devices *devices);
/// Opens a menu if the players at this machine cannot act, and makes the match stand still or go on. Call it in each
/// turn of the loop, after the events.
void play_devices_step(struct play_devices *devices);
/// Returns what the local players hold for their next tick, and lets their hints see it. Call it once a tick.
struct local_inputs play_devices_inputs(struct play_devices *devices);
/// Has all hints name the device of their player, and returns those that are shown now.
const struct hints *play_devices_choose_hints(struct play_devices *devices);
/// Shakes each local player's gamepad; one who has all devices feels it in those that they use.
void play_devices_shake(const struct play_devices *devices, const struct view *view);
/// Writes which player lacks their gamepad, while the match goes on without it. Returns false if none does.
bool play_devices_notice(const struct play_devices *devices, char *text, size_t text_bytes);

#endif
