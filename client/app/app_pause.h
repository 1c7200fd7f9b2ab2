// SPDX-License-Identifier: MIT
//
// The pause: who plays against computer players alone, on their own server, has the match stand still while a menu is
// open. A menu opens by itself when the window loses the focus or the gamepad in use is unplugged; a match with others
// goes on, and a line says it. The server is asked by the command "pause alone", which it refuses, or ends by itself,
// when somebody else is there.
#ifndef APP_APP_PAUSE_H
#define APP_APP_PAUSE_H

#include "app_state.h"

/// Opens a menu if the players at this machine cannot act, and makes the match stand still or go on. Call it in each
/// turn of the loop, after the events.
void app_pause_update(struct app *app);

/// Writes which player lacks their gamepad, while the match goes on without it. Returns false if none does.
bool app_pause_notice(const struct app *app, char *text, size_t text_bytes);

#endif
