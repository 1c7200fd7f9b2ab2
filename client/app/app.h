// SPDX-License-Identifier: MIT
//
// The window client as a whole: hosts and joins matches, ticks at the server's rate, draws between ticks at the
// display's rate, and shows what it waits for or why a match ended. The clock is an argument.
#ifndef APP_APP_H
#define APP_APP_H

#include "shell.h"

/// Runs until the window is closed, --frames are drawn, or (with --frames) the match cannot go on. Shows and logs all
/// errors before it returns.
enum exit_code app_run(const struct app_config *config);

/// The parts of a run: reads the player's files, makes the sessions, and starts the local server that --host asks for,
/// before the window opens. Returns EXIT_OK, or another code with an error; app_end() is called in any case.
enum exit_code app_begin(struct shell *shell, const struct app_config *config, struct error *error);
/// Opens the first screen, or the session that the command line names.
void app_open(struct shell *shell);
/// Saves the player's files, and ends sessions and searches. A second call does nothing.
void app_end(struct shell *shell);

#endif
