// SPDX-License-Identifier: MIT
//
// A turn of the loop: events of the window go to who they are for (keys of the whole window, the lobby, the menu, or
// the session in front); then the session, searches and the lobby go on, and screens, sounds and files are brought up
// to date with what has changed in them.
#ifndef APP_SHELL_TURN_H
#define APP_SHELL_TURN_H

#include "base/line_socket.h"
#include "shell.h"

/// Handles everything that happened in the window since the last call.
void shell_turn_events(struct shell *shell);

/// Does what is due now. `links`: where later programs hand over links; NULL: they do not.
void shell_turn_update(struct shell *shell, struct line_socket *links);

#endif
