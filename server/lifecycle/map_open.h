// SPDX-License-Identifier: MIT
//
// Opens a map by its name or file and checks that a mode can be played on it, before each match.
#ifndef LIFECYCLE_MAP_OPEN_H
#define LIFECYCLE_MAP_OPEN_H

#include "base/error.h"
#include "game/rules/mode.h"

/// Finds, reads and checks a map. Returns false with an error; the map is undefined then.
bool map_open(const char *name, enum mode mode, struct map *map, struct error *error);

#endif
