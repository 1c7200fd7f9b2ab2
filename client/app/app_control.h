// SPDX-License-Identifier: MIT
//
// The program between its two halves: what a person does becomes presses in menus or buttons in a match, and what a
// screen wishes becomes a server beside, a connection, or the end of it. app.c has the loop and the picture. For app.c
// alone.
#ifndef APP_APP_CONTROL_H
#define APP_APP_CONTROL_H

#include "app.h"
#include "app/hud/chat_panel.h"
#include "app/hud/hints.h"
#include "app/menu/draw_menu.h"
#include "app/platform/local_server.h"
#include "app/platform/window.h"
#include "app/presentation/presenter.h"
#include "app/presentation/title_demo.h"
#include "app/replay/replay_viewer.h"
#include "base/error.h"
#include "frame_stats.h"
#include "local_players.h"

/// What our own server was told last.
struct local_server_settings {
    bool open; ///< others can join
    int64_t places, bots;
    uint32_t bot_skill;
};

/// All that lives while the program runs. Large, so it is on the heap, once.
struct app {
    const struct app_config *config;
    struct preferences preferences;
    char preferences_path[4096], replays_path[4096]; ///< empty: there is no place for them
    bool unsaved;                                    ///< the preferences have changed
    struct local_server host;
    struct local_server_settings host_settings;
    struct window window;
    struct local_players local;
    struct menu menu;
    struct server_browser browser;
    struct title_demo demo;
    const struct screen *shown;  ///< the screen that was told last
    uint32_t heard;              ///< presses of the menu that have sounded
    bool quits;                  ///< it ends
    bool failed;                 ///< the match could not begin, or was lost: the error screen says so
    enum app_command_kind again; ///< what was wished, if it is to be tried again: WISH_PLAY, WISH_HOST or WISH_JOIN
    bool has_logged;             ///< the match as in the next two, so that only another one is told
    uint32_t logged_mode;
    char logged_map[MAP_NAME_CAPACITY];
    bool screen_asked;   ///< --screen waits for the match
    bool has_joined;     ///< `joined` is known
    tick joined;         ///< of the match, when its player joined
    tick moment;         ///< ticks after that of the last input
    const char *picture; ///< to be saved after the next frame; null: none
    uint64_t since_us, next_frame_us, frames;
    bool shows_net;
    uint64_t net_since_us, net_in, net_out; ///< where the present second of the net graph began
    struct hud_net net;
    struct frame_stats frame_stats;
    struct canvas canvas;
    struct view view;
    struct presenter presenter;
    struct chat_panel chat;      ///< of the match
    struct hints hints;          ///< for the first player here
    struct replay_viewer viewer; ///< a replay on show, unless it is closed
    uint32_t actions;            ///< pressed since the last frame (enum key_action)
    uint64_t shown_us;           ///< when the replay was drawn last
};

/// Reads preferences and addresses, before there is a window. Not EXIT_OK with a sentence: it cannot begin.
enum exit_code app_begin(struct app *app, struct error *error);
/// Opens the first screen, or the match that the command line asks for.
void app_open(struct app *app);
/// Takes what has happened in the window since the last turn.
void app_take_events(struct app *app);
/// Does what is wished, notices the end of a match, and keeps what the screens must know up to date.
void app_update(struct app *app);
/// Keeps the preferences, ends what runs beside.
void app_end(struct app *app);

/// Whether the scoreboard is asked for.
bool app_holds_scoreboard(const struct app *app);
/// Makes the window, the picture and the sound follow the preferences.
void app_apply_preferences(struct app *app);

#endif
