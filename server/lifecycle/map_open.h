// SPDX-License-Identifier: MIT
//
// A map by its name or file, fit for a mode: what a server does before a match, at its start and for every change.
#ifndef LIFECYCLE_MAP_OPEN_H
#define LIFECYCLE_MAP_OPEN_H

#include "base/error.h"
#include "game/rules/mode.h"

/// Finds, reads and checks a map. False with a sentence; the map is undefined then.
bool map_open(const char *name, enum mode mode, struct map *map, struct error *error);

#endif
