// SPDX-License-Identifier: MIT
#include "map_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "map/map_blob.h"

static const char MAGIC[] = "DFM";

// A file that cannot be read is Tiled's to complain of.
static bool is_compiled(const char *path, uint8_t *bytes, size_t capacity, size_t *count)
{
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *stream = file >= 0 ? fdopen(file, "rb") : NULL;
    if (!stream)
        return false;
    *count = fread(bytes, 1, capacity, stream);
    fclose(stream);
    return *count >= strlen(MAGIC) && memcmp(bytes, MAGIC, strlen(MAGIC)) == 0;
}

bool map_file_read(const char *path, struct map *map, struct error *error)
{
    uint8_t bytes[MAP_BLOB_BYTES_MAX + 1];
    size_t count;
    if (!is_compiled(path, bytes, sizeof bytes, &count))
        return tiled_read(path, map, error);
    if (map_blob_decode(map, bytes, count))
        return true;
    return error_set_code(error, TILED_VALUE,
                          "%.300s: is a damaged compiled map, or one of another version; compile it again", path);
}
