// SPDX-License-Identifier: MIT
//
// The state of the running window client. app.c has the loop and draws, app_start.c begins and ends a run, app_events.c
// handles events, app_control.c keeps screens up to date, app_commands.c executes what menus ask for, app_link.c gives
// and takes links, app_pause.c has the match stand still; all work on struct app. Only they include this header.
#ifndef APP_APP_STATE_H
#define APP_APP_STATE_H

#include "app/friends/friends.h"
#include "app/hud/arrivals.h"
#include "app/hud/chat_panel.h"
#include "app/hud/hints.h"
#include "app/hud/quick_chat.h"
#include "app/menu/draw_menu.h"
#include "app/platform/local_server.h"
#include "app/platform/window.h"
#include "app/presentation/presenter.h"
#include "app/presentation/title_demo.h"
#include "app/replay/replay_cards.h"
#include "app/replay/replay_viewer.h"
#include "app/trial/trial.h"
#include "base/histogram.h"
#include "base/line_socket.h"
#include "base/log.h"
#include "input_script.h"
#include "local_players.h"
#include "settings.h"

/// What a run needs.
struct app_config {
    const struct settings *settings;
    const struct input_script *script; ///< NULL: keys and gamepads
    const struct log *log;
    uint64_t (*now_us)(void); ///< a monotonic clock (CLOCK_MONOTONIC, so that waits agree with it)
};

/// The settings that the local server currently runs with.
struct host_settings {
    bool open; ///< others can join
    enum mode mode;
    int64_t players_max, bots;
    uint32_t bot_skill;
    uint32_t variants; ///< bits, 1 << enum variant
};

/// Players of a match who are becoming friends.
#define FRIEND_OFFERS 16

/// An offer of friendship.
struct friend_offer {
    char name[PLAYER_NAME_BYTES + 1]; ///< empty: none
    uint8_t key[FRIEND_KEY_BYTES];    ///< if `asks`
    bool asks, asked;                 ///< they have offered it; the player has
};

/// What the app knows of the pause.
struct app_pause {
    bool wanted;        ///< at the last update
    bool ordered;       ///< by this app, so it ends the pause as well
    bool was_unfocused; ///< the window at the last update, in a match
    uint32_t gamepads;  ///< that were plugged in then, a bit for each
    bool lacks_gamepad; ///< of the one player, in a match that goes on
    uint64_t until_us;  ///< the pause that was ordered has begun by then, or it was refused
    uint64_t again_us;  ///< time of the next request to go on
};

/// Everything that lives while the program runs. Large: allocate it once, on the heap.
struct app {
    const struct app_config *config;
    struct preferences preferences;
    bool changes_match;        ///< their choices for a match are of the one that is played, until it is changed or not
    struct preferences chosen; ///< of these only those choices, as Host has them
    char clips_path[4096];     ///< made when there is a clip; empty: there is no folder
    char preferences_path[4096], replays_path[4096]; ///< empty: there is no folder for them
    bool unsaved;                                    ///< the preferences have changed
    struct statistics statistics;
    struct statistics_match statistics_match; ///< the present match
    char statistics_path[4096];               ///< empty: they are not kept
    bool statistics_unsaved;
    struct server_records server_records;
    char server_records_path[4096]; ///< empty: they are not kept
    struct local_server host;
    struct line_socket *links; ///< takes links from programs that are started later; NULL: none
    struct host_settings host_settings;
    struct window window;
    struct app_pause pause;
    struct local_players local;
    struct menu menu;
    struct server_browser browser;
    struct directories directories;
    struct option_list opened_directories; ///< those that `directories` was opened with
    enum directory_fault logged_faults[DIRECTORIES_MAX];
    char cards_path[4096];      ///< folder of the cards of replays; empty: they are not kept
    char lists_path[4096];      ///< folder of the lists of directories; empty: they are not kept
    struct server_rows servers; ///< the list that the player sees
    uint64_t servers_us;        ///< when it was gathered last; 0: it must be again
    uint32_t servers_changes;   ///< of what it is gathered from, at that time
    uint32_t next_asked;        ///< place in it of the server that is asked next
    struct friends friends;
    struct option_list friend_addresses; ///< where they play
    uint32_t friend_changes;             ///< of `friends`, that were taken
    struct friend_offer offers[FRIEND_OFFERS];
    char friend_notice[64];    ///< who has come
    uint64_t friend_notice_us; ///< until then it is shown
    char joined_name[64];      ///< of the server that was joined from the list; empty: unknown
    struct title_demo demo;
    const struct screen *entered_screen; ///< the screen that was on top at the last update
    uint32_t sounded_presses;            ///< menu presses that have made their sound
    bool quits;                          ///< the program ends
    bool failed;                         ///< the match could not begin or was lost; the error screen says why
    enum app_command_kind retry;         ///< what "Try again" repeats: APP_COMMAND_PLAY, _PLAY_TOGETHER, _HOST or _JOIN
    bool has_logged;                     ///< logged_mode and logged_map are set
    uint32_t logged_mode;                ///< of the match that was logged last
    char logged_map[MAP_NAME_CAPACITY];
    bool pointer_rests;     ///< keys or a gamepad have been used since the mouse was
    bool opens_screen;      ///< --screen waits for the match to begin
    bool has_script_origin; ///< script_origin is set
    tick script_origin;     ///< tick of the match in which the scripted player joined
    tick script_tick;       ///< ticks from there to the last input
    const char *screenshot; ///< file to write after the next frame; NULL: none
    uint64_t opened_us, next_frame_us, frames;
    bool shows_net;
    uint32_t net_seconds;                    ///< of matches
    uint64_t net_second_us, net_in, net_out; ///< start of the net graph's current second, and its byte counts then
    struct hud_net net;
    struct histogram draw_us; ///< how long frames of matches and replays took to draw
    struct canvas canvas;
    struct view view;
    struct presenter presenter;
    struct chat_panel chat;
    struct arrivals arrivals;
    struct quick_chat_wheel wheels[LOCAL_PLAYERS];
    struct hints hints;                       ///< for the first local player
    struct hints others_hints[LOCAL_PLAYERS]; ///< for the others, by their number
    struct replay_cards cards;                ///< for the list of replays
    struct replay_viewer viewer;              ///< closed unless a replay is shown
    struct trial trial;                       ///< closed unless a course is played
    char trials_path[4096];                   ///< folder of the best runs; empty: they are not kept
    bool hides_ghosts;
    uint32_t actions;         ///< pressed since the last frame (enum hotkey)
    uint64_t replay_drawn_us; ///< time of the replay's last frame
    uint32_t logged_framed;   ///< ticks of players in the picture, as logged last
    uint32_t logged_second;   ///< of the live match
    char logged_error[ERROR_TEXT_BYTES];
};

#endif
