// SPDX-License-Identifier: MIT
#include "display_options.h"

const struct display_options DISPLAY_OPTIONS_DEFAULT = {.volumes = {80, 100, 60}, .shake = 10, .kill_replays = true};
