// SPDX-License-Identifier: MIT
//
// Maps that servers once sent, in a folder, so that they need not be sent again. A map's file has the address of its
// blob for a name and is believed only if its bytes have that address. Bounded: the map used longest ago goes. Whatever
// goes wrong here only means that a map is fetched. Used while joining, never in a tick.
#ifndef CLIENT_MAP_CACHE_H
#define CLIENT_MAP_CACHE_H

#include <stdbool.h>

#include "net/content_hash.h"

/// Maps that are kept.
#define MAP_CACHE_CAPACITY 64

/// Reads the blob of this address and size. False if it is not there or is damaged.
bool map_cache_read(const char *folder, const uint8_t address[CONTENT_HASH_BYTES], uint8_t *blob, size_t byte_count);
/// Keeps a blob: whole or not at all.
void map_cache_write(const char *folder, const uint8_t address[CONTENT_HASH_BYTES], const uint8_t *blob,
                     size_t byte_count);

#endif
