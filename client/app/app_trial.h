// SPDX-License-Identifier: MIT
//
// Courses in the window: opens them, gives them the player's buttons and draws them, until the menu leaves.
#ifndef APP_APP_TRIAL_H
#define APP_APP_TRIAL_H

#include "app_state.h"

/// Opens a course by its name. Returns false with an error if it cannot be read.
bool app_trial_open(struct app *app, const char *name, struct error *error);
/// Begins the course again, and closes the menu.
void app_trial_again(struct app *app);
/// Leaves the course for the list that has it.
void app_trial_leave(struct app *app);
/// Handles an event while no menu is open.
void app_trial_take(struct app *app, const struct window_event *event);
/// Steps the course up to now and draws it.
void app_trial_draw(struct app *app, uint64_t now_us);
/// Reads the best times of all courses for the lists.
void app_trial_list(struct app *app);

#endif
