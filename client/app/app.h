// SPDX-License-Identifier: MIT
//
// The window client as a whole: hosts and joins matches, ticks at the server's rate, draws between ticks at the
// display's rate, and shows what it waits for or why a match ended. The clock is an argument.
#ifndef APP_APP_H
#define APP_APP_H

#include "session.h"

/// Runs until the window is closed, --frames are drawn, or (with --frames) the match cannot go on. Shows and logs all
/// errors before it returns.
enum exit_code app_run(const struct app_config *config);

#endif
