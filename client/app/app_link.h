// SPDX-License-Identifier: MIT
//
// Links to matches: the one by which others join this match, and those that the player follows. A link that is clicked
// while a window runs goes to that window, by a socket that only this player's programs can open; the program that was
// started with it ends.
#ifndef APP_APP_LINK_H
#define APP_APP_LINK_H

#include "app_state.h"

/// Does with the system's list of programs that open links what the settings want, and writes what it has done. Returns
/// an exit code.
int app_link_register(const struct settings *settings, FILE *out, struct error *error);
/// Gives the link of the command line to a window that runs already. Returns false if there is no link or no window.
bool app_link_hand_over(const struct app_config *config);
/// Lets later programs hand over their links to this window.
void app_link_open(struct app *app);
void app_link_close(struct app *app);
/// Follows a link that has come, and brings the invitation to this match up to date.
void app_link_update(struct app *app);

#endif
