// SPDX-License-Identifier: MIT
//
// The session that is a match: up to four players at this window, on a server of this window's own or of another.
// local_players.h connects and ticks them, play_host.h runs the own server, play_devices.h has what they press,
// play_chat.h what is said, play_pause.h what stands still and play_report.h what is counted; here they are one
// session, which draws the match and tells the menus of it.
#ifndef APP_PLAY_H
#define APP_PLAY_H

#include "app/local_players.h"
#include "app/session.h"
#include "play_chat.h"
#include "play_devices.h"
#include "play_host.h"
#include "play_pause.h"
#include "play_report.h"

/// A match at this window. Large: allocate it once, on the heap. Make it with play_open(); its address must not change.
struct play {
    struct session_context *context;
    struct local_players local;
    struct play_host host;
    struct play_chat chat;
    struct play_pause pause;
    struct play_devices devices;
    struct play_report report;
    struct view view;
    struct statistics_match statistics; ///< of the present match
    enum app_command_kind retry;        ///< what "Try again" repeats: APP_COMMAND_PLAY, _PLAY_TOGETHER, _HOST or _JOIN
    const struct screen *seen_screen;   ///< on top at the last step
};

/// Makes the session, reads the address of --connect, and starts the server of --host. Call it before the window opens.
/// Returns EXIT_OK, or another code with an error.
enum exit_code play_open(struct play *play, struct session_context *context, struct error *error);

/// The functions of the session. APP_COMMAND_NONE begins the match that the command line names.
extern const struct session_interface PLAY;

#endif
