// SPDX-License-Identifier: MIT
//
// The session that is a match: up to four players at this window, on a server of this window's own or of another.
// local_players.h connects and ticks them, play_host.h runs the own server, play_devices.h has what they press and when
// the match stands still, play_chat.h what is said and play_report.h what is counted; here they are one session, which
// draws the match and tells the menus of it.
#ifndef APP_PLAY_H
#define APP_PLAY_H

#include "play_devices.h"
#include "play_report.h"

/// The state of SESSION_PLAY, a match at this window. Large. Its address must not change.
struct play {
    struct session_context *context;
    struct local_players local;
    struct play_host host;
    struct play_chat chat;
    struct play_devices devices;
    struct play_report report;
    struct view view;
    struct statistics_match statistics; ///< of the present match
    enum app_command_kind retry;        ///< what "Try again" repeats: APP_COMMAND_PLAY, _PLAY_TOGETHER, _HOST or _JOIN
    const struct screen *seen_screen;   ///< on top at the last step
};

#endif
