// SPDX-License-Identifier: MIT
#include "display_options.h"

const struct display_options DISPLAY_OPTIONS_DEFAULT = {.shake = 10, .kill_replays = true};
