// SPDX-License-Identifier: MIT
//
// Turns window events into menu presses, typed lines or actions of the match.
#ifndef APP_APP_EVENTS_H
#define APP_APP_EVENTS_H

#include "app_state.h"

/// Handles everything that happened in the window since the last call.
void app_take_events(struct app *app);

#endif
