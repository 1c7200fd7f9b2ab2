// SPDX-License-Identifier: MIT
//
// Fuzzes the Tiled reader with any text: an accepted map survives its blob unchanged, a refusal has a message.
#include <stdlib.h>
#include <string.h>

#include "game/map/map_blob.h"
#include "game/map/tiled/map_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct map map, back;
    static uint8_t blob[MAP_BLOB_BYTES_MAX];
    struct error error = {0};
    if (!map_file_read_text((const char *)data, size, SOURCE_ROOT "/shared/maps/fuzz.tmj", &map, &error)) {
        if (!error.text[0]) {
            abort();
        }
        return 0;
    }
    size_t bytes = map_blob_encode(&map, blob, sizeof blob);
    if (!map_blob_decode(&back, blob, bytes) || memcmp(&map, &back, sizeof map) != 0) {
        abort();
    }
    return 0;
}
