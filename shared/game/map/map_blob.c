// SPDX-License-Identifier: MIT
#include "map_blob.h"

#include <string.h>

static const uint8_t MAGIC[4] = {'D', 'F', 'M', 2};

// One walk over the map reads and writes the format.
struct blob {
    uint8_t *out;      // null when reading
    const uint8_t *in; // null when writing
    size_t used, capacity;
    bool failed;
};

static void byte(struct blob *blob, uint8_t *value)
{
    if (blob->used == blob->capacity)
        blob->failed = true;
    else if (blob->out)
        blob->out[blob->used++] = *value;
    else
        *value = blob->in[blob->used++];
}

static void unsigned_number(struct blob *blob, uint32_t *value)
{
    uint32_t left = *value;
    uint8_t group = 0x80;
    *value = blob->out ? left : 0;
    for (uint32_t shift = 0; group & 0x80 && !blob->failed; shift += 7, left >>= 7) {
        group = (uint8_t)((left & 0x7F) | (left > 0x7F ? 0x80 : 0));
        byte(blob, &group);
        bool is_too_wide = shift == 28 && group > 0x0F;
        bool is_not_shortest = shift > 0 && group == 0;
        blob->failed |= is_too_wide || is_not_shortest;
        *value |= (uint32_t)(group & 0x7F) << shift;
    }
    if (blob->failed && blob->in)
        *value = 0;
}

static void signed_number(struct blob *blob, int32_t *value)
{
    uint32_t bits = (uint32_t)*value << 1 ^ (*value < 0 ? UINT32_MAX : 0);
    unsigned_number(blob, &bits);
    *value = (int32_t)(bits >> 1 ^ (bits & 1 ? UINT32_MAX : 0));
}

static void name(struct blob *blob, char *text)
{
    uint32_t length = (uint32_t)strlen(text);
    unsigned_number(blob, &length);
    blob->failed |= length >= MAP_NAME_CAPACITY;
    for (uint32_t i = 0; i < length && !blob->failed; i++) {
        byte(blob, (uint8_t *)&text[i]);
        blob->failed |= text[i] == 0;
    }
}

static void count(struct blob *blob, int32_t *value, int32_t capacity)
{
    signed_number(blob, value);
    blob->failed |= *value < 0 || *value > capacity;
}

static void tiles(struct blob *blob, uint8_t *grid, uint32_t total)
{
    for (uint32_t done = 0; done < total && !blob->failed;) {
        uint32_t length = 1, left = total - done;
        while (blob->out && length < left && grid[done + length] == grid[done])
            length++;
        uint32_t run = length << 3 | grid[done];
        unsigned_number(blob, &run);
        length = run >> 3;
        uint8_t kind = (uint8_t)(run & 7);
        bool goes_on = blob->in && done > 0 && kind == grid[done - 1];
        if (length == 0 || length > left || goes_on) {
            blob->failed = true;
            return;
        }
        memset(grid + done, kind, length);
        done += length;
    }
}

static void walk(struct blob *blob, struct map *map)
{
    for (size_t i = 0; i < sizeof MAGIC; i++) {
        uint8_t value = MAGIC[i];
        byte(blob, &value);
        blob->failed |= value != MAGIC[i];
    }
    name(blob, map->name);
    unsigned_number(blob, &map->theme);
    unsigned_number(blob, &map->outside);
    count(blob, &map->columns, MAP_SIDE_CAPACITY);
    count(blob, &map->rows, MAP_SIDE_CAPACITY);
    signed_number(blob, &map->block_return_ticks);
    for (enum map_list list = 0; list < MAP_LISTS; list++)
        count(blob, map_list_count(map, list), MAP_LIST_TABLE[list].most);
    if (blob->failed)
        return;
    tiles(blob, map->tiles, (uint32_t)(map->columns * map->rows));
    for (enum map_list list = 0; list < MAP_LISTS; list++) {
        const struct map_list_row *row = &MAP_LIST_TABLE[list];
        uint32_t *words = map_list_words(map, list);
        for (size_t i = 0; i < (size_t)*map_list_count(map, list) * row->words; i++)
            if (row->fields[i % row->words] == 's')
                signed_number(blob, (int32_t *)&words[i]);
            else
                unsigned_number(blob, &words[i]);
    }
}

size_t map_blob_encode(const struct map *map, uint8_t *bytes, size_t capacity)
{
    struct blob blob = {.out = bytes, .capacity = capacity};
    walk(&blob, (struct map *)map); // writing does not change it
    return blob.failed ? 0 : blob.used;
}

bool map_blob_decode(struct map *map, const uint8_t *bytes, size_t size)
{
    memset(map, 0, sizeof *map);
    struct blob blob = {.in = bytes, .capacity = size};
    walk(&blob, map);
    return !blob.failed && blob.used == size && map_validate(map, NULL);
}
