// SPDX-License-Identifier: MIT
//
// Links to matches that the player follows. A link that is clicked while a window runs goes to that window, by a socket
// that only this player's programs can open; the program that was started with it ends.
#ifndef APP_LINKS_H
#define APP_LINKS_H

#include <stdio.h>

#include "base/line_socket.h"
#include "base/log.h"
#include "settings.h"

/// Does with the system's list of programs that open links what the settings want, and writes what it has done. Returns
/// an exit code.
int links_register(const struct settings *settings, FILE *out, struct error *error);
/// Gives the link of the command line to a window that runs already. Returns false if there is no link or no window.
bool links_hand_over(const struct settings *settings, const struct log *log);
/// Lets later programs hand over their links to this window. Returns NULL if they cannot, or a run for pictures or by a
/// script plays what it was told to.
struct line_socket *links_open(const struct settings *settings, const struct log *log);
/// Writes the last good link that has come since the last call. Returns false if none has.
bool links_next(struct line_socket *socket, const struct log *log, char link[LINE_SOCKET_BYTES]);

#endif
