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

static void write_number(struct blob *blob, uint32_t value)
{
    do {
        uint8_t group = (uint8_t)(value & 0x7F);
        value >>= 7;
        group |= value ? 0x80 : 0;
        byte(blob, &group);
    } while (value);
}

static uint32_t read_number(struct blob *blob)
{
    uint32_t value = 0;
    uint8_t group = 0x80;
    for (uint32_t shift = 0; group & 0x80 && !blob->failed; shift += 7) {
        byte(blob, &group);
        bool is_too_wide = shift == 28 && group > 0x0F;
        bool is_not_shortest = shift > 0 && group == 0;
        blob->failed |= is_too_wide || is_not_shortest;
        value |= (uint32_t)(group & 0x7F) << shift;
    }
    return blob->failed ? 0 : value;
}

static void unsigned_number(struct blob *blob, uint32_t *value)
{
    if (blob->out)
        write_number(blob, *value);
    else
        *value = read_number(blob);
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

static uint32_t run_length(const uint8_t *tiles, uint32_t left)
{
    uint32_t length = 1;
    while (length < left && tiles[length] == tiles[0])
        length++;
    return length;
}

static void tiles(struct blob *blob, uint8_t *grid, uint32_t total)
{
    for (uint32_t done = 0; done < total && !blob->failed;) {
        uint32_t run = blob->out ? run_length(grid + done, total - done) << 3 | grid[done] : 0;
        unsigned_number(blob, &run);
        uint32_t length = run >> 3;
        uint8_t kind = (uint8_t)(run & 7);
        bool goes_on = blob->in && done > 0 && kind == grid[done - 1];
        if (length == 0 || length > total - done || goes_on) {
            blob->failed = true;
            return;
        }
        memset(grid + done, kind, length);
        done += length;
    }
}

static void magic(struct blob *blob)
{
    for (size_t i = 0; i < sizeof MAGIC; i++) {
        uint8_t value = MAGIC[i];
        byte(blob, &value);
        blob->failed |= value != MAGIC[i];
    }
}

static void head(struct blob *blob, struct map *map)
{
    magic(blob);
    name(blob, map->name);
    unsigned_number(blob, &map->theme);
    unsigned_number(blob, &map->outside);
    count(blob, &map->columns, MAP_SIDE_CAPACITY);
    count(blob, &map->rows, MAP_SIDE_CAPACITY);
    signed_number(blob, &map->block_return_ticks);
    count(blob, &map->spawn_count, MAP_SPAWN_CAPACITY);
    count(blob, &map->solid_count, MAP_SOLID_CAPACITY);
    count(blob, &map->point_count, MAP_PATH_POINT_CAPACITY);
    count(blob, &map->ball_count, MAP_BALL_CAPACITY);
    count(blob, &map->switch_count, MAP_SWITCH_CAPACITY);
    count(blob, &map->chest_count, MAP_CHEST_CAPACITY);
    count(blob, &map->goal_count, MAP_GOAL_CAPACITY);
}

static void box(struct blob *blob, struct df_box *value)
{
    signed_number(blob, &value->x);
    signed_number(blob, &value->y);
    signed_number(blob, &value->w);
    signed_number(blob, &value->h);
}

static void solid(struct blob *blob, struct map_solid *value)
{
    unsigned_number(blob, &value->kind);
    unsigned_number(blob, &value->oneway);
    unsigned_number(blob, &value->group);
    box(blob, &value->box);
    unsigned_number(blob, &value->path_mode);
    signed_number(blob, &value->path_first);
    signed_number(blob, &value->path_count);
    signed_number(blob, &value->period_ticks);
    signed_number(blob, &value->phase_ticks);
    signed_number(blob, &value->drop_px);
    unsigned_number(blob, &value->channel);
    signed_number(blob, &value->belt_sub);
    unsigned_number(blob, &value->slippery);
}

static void things(struct blob *blob, struct map *map)
{
    for (int32_t i = 0; i < map->switch_count; i++) {
        unsigned_number(blob, &map->switches[i].kind);
        box(blob, &map->switches[i].box);
        unsigned_number(blob, &map->switches[i].channel);
        signed_number(blob, &map->switches[i].hold_ticks);
    }
    for (int32_t i = 0; i < map->chest_count; i++) {
        signed_number(blob, &map->chests[i].x);
        signed_number(blob, &map->chests[i].y);
        unsigned_number(blob, &map->chests[i].gifts);
        signed_number(blob, &map->chests[i].respawn_ticks);
    }
    for (int32_t i = 0; i < map->goal_count; i++) {
        unsigned_number(blob, &map->goals[i].team);
        signed_number(blob, &map->goals[i].column);
        signed_number(blob, &map->goals[i].row);
        signed_number(blob, &map->goals[i].columns);
        signed_number(blob, &map->goals[i].rows);
    }
}

static void body(struct blob *blob, struct map *map)
{
    tiles(blob, map->tiles, (uint32_t)(map->columns * map->rows));
    for (int32_t i = 0; i < map->spawn_count; i++) {
        signed_number(blob, &map->spawns[i].x);
        signed_number(blob, &map->spawns[i].y);
        signed_number(blob, &map->spawns[i].team);
    }
    for (int32_t i = 0; i < map->solid_count; i++)
        solid(blob, &map->solids[i]);
    for (int32_t i = 0; i < map->point_count; i++) {
        signed_number(blob, &map->points[i].x);
        signed_number(blob, &map->points[i].y);
    }
    for (int32_t i = 0; i < map->ball_count; i++) {
        signed_number(blob, &map->balls[i].cx);
        signed_number(blob, &map->balls[i].cy);
        signed_number(blob, &map->balls[i].radius_px);
        signed_number(blob, &map->balls[i].vx);
        signed_number(blob, &map->balls[i].vy);
    }
    things(blob, map);
}

static void walk(struct blob *blob, struct map *map)
{
    head(blob, map);
    if (!blob->failed)
        body(blob, map);
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
