// SPDX-License-Identifier: MIT
//
// Executes app commands: start a local server, connect, open a replay, change the map or the mode of a running match.
#ifndef APP_APP_COMMANDS_H
#define APP_APP_COMMANDS_H

#include "app_state.h"

/// Executes the command that the menu has issued, if any.
void app_execute(struct app *app);

/// Starts a local server. APP_COMMAND_PLAY: for the match that everybody begins with, on the map of the preferences;
/// else by the preferences, and with APP_COMMAND_HOST others can join. Returns false with an error.
bool app_start_host(struct app *app, enum app_command_kind kind, struct error *error);

/// Joins the local server if it is ready, or shows why it never will be.
void app_join_host(struct app *app);
/// Joins the server whose address is set.
void app_join(struct app *app);
/// Joins the server at an address that was typed, chosen or followed. Says in the menu if it is no address.
void app_join_address(struct app *app, const char *text);
/// Ends the match with a message on the error screen; if the server refused the password, opens the password screen
/// instead. `denial`: DENIAL_NONE if no server refused us.
void app_fail(struct app *app, const char *message, enum denial denial);
/// Leaves the match for the title screen and stops the local server.
void app_leave(struct app *app);

/// Shows a replay in the window. Returns false, with a message in the menu, if it cannot be shown.
bool app_show_replay(struct app *app, const char *path);
/// The same with a live match at a URL; `is_foreign`: from a server on the internet.
bool app_show_live(struct app *app, const char *url, bool is_foreign);
/// Closes the replay and returns to where it was opened.
void app_close_replay(struct app *app);

#endif
