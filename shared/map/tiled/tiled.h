// SPDX-License-Identifier: MIT
//
// Reads a Tiled 1.8+ map (.tmj) into the canonical map: orthogonal, finite, CSV or plain base64, tilesets beside it
// (.tsj) or embedded. shared/maps/README.md says what a map may hold. Called by the server at start and at a map
// change, and by deadfall-map; never during a tick, since it reads files and allocates. Every file is hostile: a bad
// one is a sentence, never more.
#ifndef MAP_TILED_TILED_H
#define MAP_TILED_TILED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "map/map.h"
#include "tiled_fault.h"

/// The fault as a word: "file", "syntax", "feature", "value", "limit", "unsound".
const char *tiled_fault_name(enum tiled_fault fault);

/// Fills `map` from the file and gives it the file's name without its ending. False if anything is wrong;
/// `map` is then not to be used. The error has an enum tiled_fault for a code and one printable sentence with the file,
/// the place in it and the remedy.
bool tiled_read(const char *path, struct map *map, struct error *error);

/// The same from a text in memory. `path` names the map and the folder of its tilesets; it need not exist.
bool tiled_read_text(const char *text, size_t bytes, const char *path, struct map *map, struct error *error);

#endif
