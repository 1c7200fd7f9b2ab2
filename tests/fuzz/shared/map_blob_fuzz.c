// SPDX-License-Identifier: MIT
//
// Fuzzes the decoder of map blobs with any bytes: what it accepts is a valid map, and the only blob of that map.
#include <stdlib.h>
#include <string.h>

#include "game/map/map_blob.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct map map;
    static uint8_t again[MAP_BLOB_BYTES_MAX];
    if (map_blob_decode(&map, data, size) &&
        (map_blob_encode(&map, again, sizeof again) != size || memcmp(again, data, size) != 0)) {
        abort();
    }
    return 0;
}
