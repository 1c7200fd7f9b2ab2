// SPDX-License-Identifier: MIT
#include "map_open.h"

#include <stdio.h>

#include "map_file.h"
#include "map_find.h"

bool map_open(const char *name, enum mode mode, struct map *map, char *sentence, size_t sentence_bytes)
{
    char path[1024];
    struct tiled_error error;
    if (!map_find(name, path, sizeof path)) {
        snprintf(sentence, sentence_bytes, "there is no map \"%.200s\"; a map is named by its name or a file", name);
        return false;
    }
    if (!map_read(path, map, &error)) {
        snprintf(sentence, sentence_bytes, "%s", error.sentence);
        return false;
    }
    const char *fault = mode_map_fault(mode, map);
    if (fault)
        snprintf(sentence, sentence_bytes, "%.500s: %s", path, fault);
    return !fault;
}
