// SPDX-License-Identifier: MIT
//
// The pause: who plays against computer players alone, on their own server, has the match stand still while a menu is
// open. A menu opens by itself when the window loses the focus or the gamepad in use is unplugged; a match with others
// goes on, and a line says it. The server is asked by the command "pause alone", which it refuses, or ends by itself,
// when somebody else is there.
#ifndef APP_PLAY_PAUSE_H
#define APP_PLAY_PAUSE_H

#include "hud/chat_panel.h"
#include "play_host.h"

/// What is known of the pause. Zero-initialise, and set what is above the blank line.
struct play_pause {
    struct session_context *context;
    struct local_players *local;
    const struct play_host *host;
    const struct chat_panel *panel;

    bool wanted;        ///< at the last update
    bool ordered;       ///< by this window, so it ends the pause as well
    bool was_unfocused; ///< the window at the last update, in a match
    uint32_t gamepads;  ///< that were plugged in then, a bit for each
    bool lacks_gamepad; ///< of the one player, in a match that goes on
    uint64_t until_us;  ///< the pause that was ordered has begun by then, or it was refused
    uint64_t again_us;  ///< time of the next request to go on
};

/// Begins without what a match before has asked for.
void play_pause_begin(struct play_pause *pause);
/// Opens a menu if the players at this machine cannot act, and makes the match stand still or go on. Call it in each
/// turn of the loop, after the events.
void play_pause_step(struct play_pause *pause);

/// Writes which player lacks their gamepad, while the match goes on without it. Returns false if none does.
bool play_pause_notice(const struct play_pause *pause, char *text, size_t text_bytes);

#endif
