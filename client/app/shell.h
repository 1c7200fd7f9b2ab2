// SPDX-License-Identifier: MIT
//
// The shell: the window with its menus, settings, gamepads, sound and friends, around the one session that is open. It
// knows sessions by session.h alone. shell_turn.h hands events to menu and session and keeps screens up to date, app.h
// has the loop; here a run begins and ends, and what menus ask for is done.
#ifndef APP_SHELL_H
#define APP_SHELL_H

#include "app/play/play.h"
#include "app/replay/replay_cards.h"
#include "course_session.h"
#include "friends_online.h"
#include "presentation/title_demo.h"
#include "session.h"
#include "spectate.h"

/// The sessions, the one that has the picture before the others first.
enum shell_session { SHELL_SPECTATE, SHELL_COURSE, SHELL_PLAY, SHELL_SESSIONS };

/// Everything that lives while the program runs. Large: allocate it once, on the heap, zero-initialised.
struct shell {
    struct session_context context; ///< what sessions use, too
    struct spectate spectate;
    struct course_session course;
    struct play play;
    struct session sessions[SHELL_SESSIONS];
    struct friends_online friends_online;
    struct title_demo demo;              ///< behind the menus
    struct replay_cards cards;           ///< for the list of replays
    const struct screen *entered_screen; ///< the screen that was on top at the last update
    uint32_t sounded_presses;            ///< menu presses that have made their sound
    bool pointer_rests;                  ///< keys or a gamepad have been used since the mouse was
    bool opens_screen;                   ///< --screen waits for the match to begin
    bool quits;                          ///< the program ends
};

/// Reads the player's files and the address to join, and starts the local server that --host asks for. Call it before
/// the window opens. Returns EXIT_OK, or another code with an error.
enum exit_code shell_begin(struct shell *shell, const struct app_config *config, struct error *error);
/// Opens the first screen, or the session that the command line names.
void shell_open(struct shell *shell);
/// Saves the player's files, and ends sessions and searches.
void shell_end(struct shell *shell);

/// Executes the command that the menu has issued, if any.
void shell_execute(struct shell *shell);
/// Makes the window, the picture and the sound follow the preferences.
void shell_apply_preferences(struct shell *shell);
/// The same for the volumes, which depend on the focus, too.
void shell_set_volumes(struct shell *shell);

/// Returns the session that gets events: the one that is open, else the match, which leads back to the title.
const struct session *shell_front(const struct shell *shell);
/// Returns what is known of a session.
struct session_status shell_status(const struct shell *shell, enum shell_session session);
/// Returns whether no match and no course is there, so that the title moves behind the menus.
bool shell_is_idle(const struct shell *shell);

#endif
