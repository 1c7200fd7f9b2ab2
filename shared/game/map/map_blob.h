// SPDX-License-Identifier: MIT
//
// The map as bytes, for the wire, replays and files. Each map has exactly one encoding, the same on every machine.
// Called by everything that sends, stores or receives a map; knows nothing of Tiled. A decoded map is valid
// (map_validate), so nobody has to check it again.
//
// Layout: four bytes "DFM" and the version, 2; then numbers, each in groups of 7 bits, lowest first, bit 7 set on all
// but the last group, no group of zeros at the end; signed ones as 2n, or -2n - 1 below zero. In this order: the length
// of the name and its bytes; theme, outside, columns, rows, block_return_ticks; the counts of the lists, in the order
// of enum map_list; the tiles in runs as long as possible, each (length * 8 + kind); then the lists in the same order,
// field by field as in map.h.
#ifndef MAP_MAP_BLOB_H
#define MAP_MAP_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "map.h"

/// Bytes of the longest blob: a run never takes more bytes than it has tiles, and a number never more than 5.
#define MAP_BLOB_BYTES_MAX                                                                                             \
    (4 + MAP_NAME_CAPACITY + 5 * (6 + MAP_LISTS) + MAP_TILE_CAPACITY +                                                 \
     5 * ((int)(sizeof(struct map) - offsetof(struct map, spawns)) / 4))

/// Writes a valid map. Returns the size of the blob in bytes, or 0 if it is larger than `capacity`; MAP_BLOB_BYTES_MAX
/// is always enough.
size_t map_blob_encode(const struct map *map, uint8_t *bytes, size_t capacity);

/// Reads a whole blob. Returns false if the bytes are not exactly the encoding of a valid map; do not use `map` then.
bool map_blob_decode(struct map *map, const uint8_t *bytes, size_t count);

#endif
