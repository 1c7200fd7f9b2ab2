// SPDX-License-Identifier: MIT
//
// The window client as a whole: joins (or hosts and joins), ticks at the server's pace, draws between ticks at the
// display's, and says in sentences what it waits for or why it ended. The clock is an argument.
#ifndef APP_APP_H
#define APP_APP_H

#include "input_script.h"
#include "options/log.h"
#include "settings.h"

/// What a run needs.
struct app_config {
    const struct settings *settings;
    const struct input_script *script; ///< null: keys and pads
    const struct log *log;
    uint64_t (*now_us)(void); ///< a monotonic clock (CLOCK_MONOTONIC, so that waits agree with it)
};

/// Plays until the window is closed, --frames are drawn, or (with --frames) the match cannot go on. Errors have been
/// told, on screen where there is one, when it returns.
enum exit_code app_run(const struct app_config *config);

#endif
