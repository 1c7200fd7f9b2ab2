// SPDX-License-Identifier: MIT
//
// Hands window events to who they are for: keys of the whole window, the lobby, the menu, or the session in front.
#ifndef APP_SHELL_EVENTS_H
#define APP_SHELL_EVENTS_H

#include "shell.h"

/// Handles everything that happened in the window since the last call.
void shell_events_handle(struct shell *shell);

#endif
