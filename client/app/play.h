// SPDX-License-Identifier: MIT
//
// The session that is a match: up to four players at this window, on a server of this window's own or of another.
// local_players.h connects and ticks them, play_host.h runs the own server, play_chat.h has what is said and
// play_pause.h what stands still; here they are one session, which draws the match and tells the menus of it.
#ifndef APP_PLAY_H
#define APP_PLAY_H

#include "app/hud/hud.h"
#include "local_players.h"
#include "play_chat.h"
#include "play_host.h"
#include "play_pause.h"
#include "session.h"

/// What the net graph shows, and from what it is counted.
struct play_net {
    bool is_shown;
    struct hud_net graph;
    uint64_t second_us, in, out; ///< start of the current second, and the byte counts then
    uint32_t seconds;            ///< of matches
};

/// Where the input script has come to.
struct play_script {
    bool has_origin;
    tick origin;    ///< tick of the match in which the scripted player joined
    tick last_tick; ///< ticks from there to the last input
};

/// A match at this window. Large: allocate it once, on the heap. Make it with play_open(); its address must not change.
struct play {
    struct session_context *context;
    struct local_players local;
    struct play_host host;
    struct play_chat chat;
    struct play_pause pause;
    struct play_net net;
    struct play_script script;
    struct view view;
    struct hints others_hints[LOCAL_PLAYERS]; ///< for those who are not the first, by their number
    struct statistics_match statistics;       ///< of the present match
    enum app_command_kind retry;      ///< what "Try again" repeats: APP_COMMAND_PLAY, _PLAY_TOGETHER, _HOST or _JOIN
    const struct screen *seen_screen; ///< on top at the last step
    bool has_logged;                  ///< logged_mode and logged_map are set
    uint32_t logged_mode;             ///< of the match that was logged last
    char logged_map[MAP_NAME_CAPACITY];
    uint32_t logged_framed; ///< ticks of players in the picture, as logged last
};

/// Makes the session, reads the address of --connect, and starts the server of --host. Call it before the window opens.
/// Returns EXIT_OK, or another code with an error.
enum exit_code play_open(struct play *play, struct session_context *context, struct error *error);

/// The functions of the session. APP_COMMAND_NONE begins the match that the command line names.
extern const struct session_interface PLAY;

#endif
