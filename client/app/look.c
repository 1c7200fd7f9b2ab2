// SPDX-License-Identifier: MIT
#include "look.h"

const struct look LOOK_USUAL = {.volumes = {80, 100, 60}, .shake = 10, .kill_replays = true};
