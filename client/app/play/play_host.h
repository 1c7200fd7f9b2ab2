// SPDX-License-Identifier: MIT
//
// The server that this window runs for its match: with which arguments it starts, how the match is changed while it
// runs, and the link by which others join it, or the server of another that was joined.
#ifndef APP_PLAY_HOST_H
#define APP_PLAY_HOST_H

#include "app/local_players.h"
#include "app/play/local_server.h"
#include "app/session.h"

/// The settings that the local server currently runs with.
struct host_settings {
    bool open; ///< others can join
    enum mode mode;
    int64_t players_max, bots;
    uint32_t bot_skill;
    uint32_t variants; ///< bits, 1 << enum variant
};

/// The server. Zero-initialise.
struct play_host {
    struct local_server server;
    struct host_settings settings;
};

/// Starts it, in place of one that runs. APP_COMMAND_PLAY: for the match that everybody begins with, on the map of the
/// preferences; else by the preferences, and with APP_COMMAND_HOST others can join. Returns false with an error.
bool play_host_start(struct play_host *host, const struct session_context *context, enum app_command_kind kind,
                     struct error *error);
/// Returns whether it runs, or is on its way.
bool play_host_runs(const struct play_host *host);

/// Gives the match that runs what the preferences choose; nobody has to join again.
void play_host_change(struct play_host *host, const struct session_context *context, struct local_players *local);
/// Has the changes begin with what is played now. A map from a file stays the one that was chosen.
void play_host_begin_change(const struct play_host *host, struct profile *profile, const struct local_players *local);

/// Brings what menus show of the invitation to this match up to date.
void play_host_invite(struct play_host *host, struct session_context *context, const struct address *joined);

#endif
