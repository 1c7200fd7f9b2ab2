// SPDX-License-Identifier: MIT
//
// Starts and ends the program's parts, turns window events into menu presses or match actions, and keeps the menu
// screens up to date. app.c calls this from its loop.
#ifndef APP_APP_CONTROL_H
#define APP_APP_CONTROL_H

#include "app_state.h"

/// Reads the preferences and the address to join, and starts the local server that --host asks for. Call it before the
/// window opens. Returns EXIT_OK, or another code with an error.
enum exit_code app_begin(struct app *app, struct error *error);
/// Opens the first screen, or the match or replay that the command line names.
void app_open(struct app *app);
/// Handles everything that happened in the window since the last call.
void app_take_events(struct app *app);
/// Notices the end of a match and brings screens, sounds and text input up to date.
void app_update(struct app *app);
/// Saves the preferences, leaves the match and closes replay and server browser.
void app_end(struct app *app);

/// Returns whether the player holds the key of the scoreboard.
bool app_holds_scoreboard(const struct app *app);
/// Makes the window, the picture and the sound follow the preferences.
void app_apply_preferences(struct app *app);

/// Writes the statistics if they have changed and are kept.
void app_save_statistics(struct app *app);

#endif
