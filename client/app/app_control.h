// SPDX-License-Identifier: MIT
//
// Notices what has changed in the match, the menu and the preferences, and brings screens, sounds and files up to date.
// app.c calls this from its loop.
#ifndef APP_APP_CONTROL_H
#define APP_APP_CONTROL_H

#include "app_state.h"

/// Notices the end of a match and brings screens, sounds and text input up to date.
void app_update(struct app *app);

/// Returns whether the player holds the key of the scoreboard.
bool app_holds_scoreboard(const struct app *app);
/// Makes the window, the picture and the sound follow the preferences.
void app_apply_preferences(struct app *app);

/// Writes the preferences if they have changed.
void app_save_preferences(struct app *app);
/// Writes the statistics, and what servers have on record, if they have changed and are kept.
void app_save_statistics(struct app *app);

#endif
