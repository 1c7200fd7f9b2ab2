// SPDX-License-Identifier: MIT
//
// The begin and the end of a run: the player's files, what the command line changes in them, and the first screen.
#ifndef APP_APP_START_H
#define APP_APP_START_H

#include "app_state.h"

/// Reads the preferences and the address to join, and starts the local server that --host asks for. Call it before the
/// window opens. Returns EXIT_OK, or another code with an error.
enum exit_code app_begin(struct app *app, struct error *error);
/// Opens the first screen, or the match or replay that the command line names.
void app_open(struct app *app);
/// Saves the preferences, leaves the match and closes replay and server browser.
void app_end(struct app *app);

#endif
