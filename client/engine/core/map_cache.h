// SPDX-License-Identifier: MIT
//
// Keeps the maps that servers sent in a folder, so that they need not be sent again. A map's file is named after the
// content hash of its blob and is used only if its bytes have that hash. Bounded: the map that was used longest ago is
// removed. Every failure here only means that a map is downloaded. Used while joining, never in a tick.
#ifndef CORE_MAP_CACHE_H
#define CORE_MAP_CACHE_H

#include <stdbool.h>

#include "net/content_hash.h"

/// Maps kept.
#define MAP_CACHE_CAPACITY 64

/// Reads the blob of this content hash and size. False if it is missing or damaged; a damaged file is removed.
bool map_cache_read(const char *folder, const uint8_t address[CONTENT_HASH_BYTES], uint8_t *blob, size_t byte_count);
/// Keeps a blob, whole or not at all.
void map_cache_write(const char *folder, const uint8_t address[CONTENT_HASH_BYTES], const uint8_t *blob,
                     size_t byte_count);

#endif
