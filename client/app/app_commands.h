// SPDX-License-Identifier: MIT
//
// What a screen wishes of the program becomes deeds here: a server of our own beside, a connection, a replay, another
// map for those who play already. For app.c and app_control.c alone.
#ifndef APP_APP_COMMANDS_H
#define APP_APP_COMMANDS_H

#include "app_control.h"
#include "base/error.h"

/// Grants what the menu wishes, if anything.
void app_execute(struct app *app);

/// Starts a server of our own by the preferences and aims at it; `open`: others can join it. False with a sentence.
bool app_start_host(struct app *app, bool open, struct error *error);
/// Joins what is aimed at.
void app_join(struct app *app);
/// The match is over for us, with a sentence that the error screen shows; where the server refused us for want of its
/// password, we are asked for it instead. `denial`: DENIAL_NONE if no server refused us.
void app_fail(struct app *app, const char *message, enum denial denial);
/// Leaves the match for the title; a server of our own ends.
void app_leave(struct app *app);

/// Says a line in the match, to all; "/" begins an order to the server.
void app_chat_send(struct app *app, const char *line);
/// Looks for servers.
void app_search(struct app *app);

/// Shows a recording in the window. False, and told in the menu, if it cannot be shown.
bool app_show_replay(struct app *app, const char *path);
void app_close_replay(struct app *app);

#endif
