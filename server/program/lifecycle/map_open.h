// SPDX-License-Identifier: MIT
//
// Opens a map before a match: finds it by its name or file, reads it, and checks that the mode can be played on it.
// Alone in its file, so that a test can put another function in its place.
#ifndef LIFECYCLE_MAP_OPEN_H
#define LIFECYCLE_MAP_OPEN_H

#include "base/error.h"
#include "game/rules/mode.h"

/// Finds, reads and checks a map. Returns false with an error; do not use `map` then.
bool map_open(const char *name, enum mode mode, struct map *map, struct error *error);

#endif
