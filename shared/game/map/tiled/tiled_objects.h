// SPDX-License-Identifier: MIT
//
// The objects of a Tiled map: spawns, solids, switches, balls, chests and goals. Private to tiled*.c. One table row
// says how an object of each type is drawn and which properties it has.
#ifndef MAP_TILED_TILED_OBJECTS_H
#define MAP_TILED_TILED_OBJECTS_H

#include "tiled_reader.h"

/// Adds the objects of all layers to reader->map. The tiles must be there already, so that a crusher finds its floor.
bool tiled_objects_read(struct tiled_reader *reader, const json_t *layers);

#endif
