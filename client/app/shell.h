// SPDX-License-Identifier: MIT
//
// The shell: the window with its menus, settings, gamepads, sound and friends, around the one session that is open. It
// knows sessions by session.h alone. In each turn of the loop (app.h) events of the window go to who they are for: keys
// of the whole window, the lobby, the menu, or the session in front. What menus ask for is done. Then sessions,
// searches and the lobby go on, and screens, sounds and files are brought up to date with what has changed in them.
#ifndef APP_SHELL_H
#define APP_SHELL_H

#include "app/replay/replay_list.h"
#include "base/line_socket.h"
#include "friends_online.h"
#include "presentation/title_demo.h"
#include "session.h"

/// The sessions, the one that has the picture before the others first.
enum shell_session { SHELL_SPECTATE, SHELL_COURSE, SHELL_PLAY, SHELL_SESSIONS };

/// Everything that lives while the program runs. Large: allocate it once, on the heap, zero-initialised.
struct shell {
    struct session_context context; ///< what sessions use, too
    struct {
        void *state; ///< from the heap
        const struct session_interface *does;
    } sessions[SHELL_SESSIONS];
    struct friends_online friends_online;
    struct title_demo demo;              ///< behind the menus
    struct replay_cards cards;           ///< for the list of replays
    const struct screen *entered_screen; ///< the screen that was on top at the last update
    uint32_t sounded_presses;            ///< menu presses that have made their sound
    bool pointer_rests;                  ///< keys or a gamepad have been used since the mouse was
    bool opens_screen;                   ///< --screen waits for the match to begin
    bool quits;                          ///< the program ends
};

/// Returns what is known of a session.
struct session_status shell_status(const struct shell *shell, enum shell_session session);
/// Returns the session that gets events: the one that is open, else the match, which leads back to the title.
enum shell_session shell_front(const struct shell *shell);
/// Returns whether no match and no course is there, so that the title moves behind the menus.
bool shell_is_idle(const struct shell *shell);
/// Ends the other sessions, and begins what a command asks for.
void shell_begin_session(struct shell *shell, enum shell_session session, const struct app_command *command);

/// Makes the window, the picture and the sound follow the preferences.
void shell_apply_preferences(struct shell *shell);
/// Executes the command that the menu has issued, if any.
void shell_execute(struct shell *shell);
/// Handles everything that happened in the window since the last call.
void shell_take_events(struct shell *shell);
/// Does what is due now. `links`: where later programs hand over links; NULL: they do not.
void shell_update(struct shell *shell, struct line_socket *links);

#endif
