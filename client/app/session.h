// SPDX-License-Identifier: MIT
//
// A session is what the window shows besides its menus: a match that is played (play/play.c), a replay or a live match
// that is watched (spectate.c), or a course (course_session.c). The shell (shell.h) owns the window and the menus and
// sees a session only by this interface: events go in, a picture comes out. One is open at a time. What they share of
// the window is lent to them as struct session_context.
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "app/friends/friends.h"
#include "app/menu/lobby.h"
#include "app/menu/menu.h"
#include "base/histogram.h"
#include "base/log.h"
#include "hud/hints.h"
#include "input_script.h"
#include "presentation/presenter.h"
#include "profile.h"
#include "server_search.h"
#include "settings.h"
#include "window/window.h"

/// What a run needs.
struct app_config {
    const struct settings *settings;
    const struct input_script *script; ///< NULL: keys and gamepads
    const struct log *log;
    uint64_t (*now_us)(void); ///< a monotonic clock (CLOCK_MONOTONIC, so that waits agree with it)
};

/// What the shell lends to its sessions.
struct session_context {
    const struct app_config *config;
    struct profile profile;
    struct window window;
    struct menu menu; ///< a session opens screens, and writes `facts` for them
    struct lobby lobby;
    struct presenter presenter;
    struct canvas canvas;
    struct hints hints; ///< for the first local player
    struct friends friends;
    struct server_search search;
    struct histogram draw_us; ///< how long frames of sessions took to draw
    const char *screenshot;   ///< file to write after the next frame; NULL: none
    bool failed;              ///< what was begun could not begin or was lost; the error screen says why
};

/// What the shell must know of a session.
struct session_status {
    bool is_open;    ///< it has the picture
    bool is_loading; ///< but its match does not exist yet
    bool is_playing; ///< players of this machine are in a match

    bool types; ///< letters go into a line
    enum touch_use touch;
};

/// A kind of session, as functions on its state.
struct session_interface {
    /// Makes the state, on the heap, and reads what the command line says of it. NULL with an error and its exit code.
    void *(*open)(struct session_context *context, struct error *error);
    /// Begins what a command asks for, and ends what the session has shown. If it cannot, says so in the menu.
    void (*begin)(void *state, const struct app_command *command);
    /// Obeys another command, if it is for this kind. NULL: there is none.
    void (*obey)(void *state, const struct app_command *command);
    /// Handles an event while no menu is open.
    void (*event)(void *state, const struct window_event *event);
    /// Goes on with what is under way, and writes what menus show of it. NULL: only `view` does.
    void (*step)(void *state);
    /// Draws. Returns false if there is only a message.
    bool (*view)(void *state, uint64_t now_us);
    struct session_status (*status)(const void *state);
    /// Sleeps until a time, or until there is something to do before it. NULL: a moment.
    void (*wait)(void *state, uint64_t until_us);
    /// Ends without a word. Does nothing if it is not open.
    void (*end)(void *state);
};

/// The kinds of sessions. For SESSION_PLAY, APP_COMMAND_NONE begins the match that the command line names.
extern const struct session_interface SESSION_SPECTATE, SESSION_COURSE, SESSION_PLAY;

/// Logs why something failed, and shows it on the error screen, or, if the server refused the password, asks for
/// another. `has_played`: a match was lost. `denial`: DENIAL_NONE if no server refused us.
void session_fail(struct session_context *context, const char *message, enum denial denial, bool has_played);
/// Closes the menu. What was tapped in it is not for the session.
void session_close_menu(struct session_context *context);

/// Returns whether the player holds the key of the scoreboard.
bool session_holds_scoreboard(const struct session_context *context);
/// Returns whether a key moves somebody at this keyboard; then it does nothing else.
bool session_plays_by(const struct session_context *context, uint32_t key);
/// Has hints name the device of the player who uses all.
void session_point_hints(struct session_context *context);
/// Returns what opens the menu, as it is called on the device in use.
const char *session_back_key(const struct session_context *context);
/// Shows a sentence in place of a picture; `back`: the key that leads away, NULL: none.
void session_draw_message(struct session_context *context, const char *text, const char *back, uint64_t now_us);

/// Returns true for Escape, Start, and the pause button of touch screens.
bool session_asks_for_menu(const struct window_event *event);

#endif
