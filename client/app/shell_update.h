// SPDX-License-Identifier: MIT
//
// Lets the session, searches and the lobby go on, and brings screens, sounds and files up to date with what has changed
// in them. app.c calls this in each turn of its loop.
#ifndef APP_SHELL_UPDATE_H
#define APP_SHELL_UPDATE_H

#include "base/line_socket.h"
#include "shell.h"

/// Does what is due now. `links`: where later programs hand over links; NULL: they do not.
void shell_update(struct shell *shell, struct line_socket *links);

#endif
