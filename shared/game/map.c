// SPDX-License-Identifier: MIT
#include "map.h"

#include <string.h>

#include "hash.h"
#include "tuning.h"

/// Lengths of paths are measured in 1/256 px.
static int64_t square_root(int64_t value)
{
    int64_t root = 0;
    for (int64_t bit = INT64_C(1) << 30; bit > 0; bit >>= 1)
        if ((root + bit) * (root + bit) <= value)
            root += bit;
    return root;
}

static int64_t length_sub(struct map_point from, struct map_point to)
{
    const int64_t dx = (int64_t)(to.x - from.x) * DF_SUB, dy = (int64_t)(to.y - from.y) * DF_SUB;
    if (dx == 0 || dy == 0)
        return (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
    return square_root(dx * dx + dy * dy);
}

static int32_t legs(const struct map_solid *solid)
{
    return solid->path_mode == MAP_PATH_LOOP ? solid->path_count : solid->path_count - 1;
}

static int64_t path_length_sub(const struct map_point *points, const struct map_solid *solid)
{
    int64_t length = 0;
    for (int32_t i = 0; i < legs(solid); i++)
        length += length_sub(points[i], points[(i + 1) % solid->path_count]);
    return length;
}

void map_path_offset(const struct map *map, const struct map_solid *solid, uint32_t tick, int32_t *dx_sub,
                     int32_t *dy_sub)
{
    *dx_sub = *dy_sub = 0;
    if (solid->path_count < 2)
        return;
    const struct map_point *points = &map->points[solid->path_first];
    const int64_t period = solid->period_ticks;
    const int64_t time = ((int64_t)tick + solid->phase_ticks) % period;
    int64_t left = path_length_sub(points, solid);
    if (solid->path_mode == MAP_PATH_LOOP)
        left = left * time / period;
    else
        left = left * 2 * (2 * time <= period ? time : period - time) / period;

    for (int32_t i = 0; i < legs(solid); i++) {
        const struct map_point from = points[i], to = points[(i + 1) % solid->path_count];
        const int64_t length = length_sub(from, to);
        if (left > length) {
            left -= length;
            continue;
        }
        const int64_t part = length > 0 ? left : 0, whole = length > 0 ? length : 1;
        *dx_sub = (int32_t)(from.x * DF_SUB + (int64_t)(to.x - from.x) * DF_SUB * part / whole);
        *dy_sub = (int32_t)(from.y * DF_SUB + (int64_t)(to.y - from.y) * DF_SUB * part / whole);
        return;
    }
}

static bool between(int64_t value, int64_t least, int64_t most)
{
    return value >= least && value <= most;
}

static const char *head_fault(const struct map *map)
{
    if (map->name[0] == 0 || map->name[MAP_NAME_CAPACITY - 1] != 0)
        return "the map's name must have 1 to 31 characters";
    const size_t length = strlen(map->name);
    for (size_t i = 0; i < sizeof map->name; i++) {
        const char c = map->name[i];
        if (i < length ? !((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-') : c != 0)
            return "the map's name may hold only a-z, 0-9, _ and -";
    }
    if (map->theme >= MAP_THEMES)
        return "the map's theme is unknown";
    if (map->outside > DF_OUTSIDE_WRAP)
        return "the map's outside must be solid, empty or wrap";
    if (!between(map->columns, 4, MAP_SIDE_CAPACITY) || !between(map->rows, 4, MAP_SIDE_CAPACITY))
        return "a map has 4 to 256 columns and rows";
    if (!between(map->spawn_count, 1, MAP_SPAWN_CAPACITY))
        return "a map has 1 to 64 spawns";
    if (!between(map->solid_count, 0, MAP_SOLID_CAPACITY))
        return "a map has at most 128 moving solids";
    if (!between(map->point_count, 0, MAP_PATH_POINT_CAPACITY))
        return "a map has at most 512 points in all paths together";
    if (!between(map->ball_count, 0, MAP_BALL_CAPACITY))
        return "a map has at most 16 balls";
    return NULL;
}

static const char *tiles_fault(const struct map *map)
{
    const int32_t used = map->columns * map->rows;
    for (int32_t i = 0; i < MAP_TILE_CAPACITY; i++)
        if (map->tiles[i] >= (i < used ? DF_TILE_KINDS : 1))
            return i < used ? "a tile is of an unknown kind" : "tiles beyond the map's columns and rows must be zero";
    return NULL;
}

static bool inside(const struct map *map, int64_t x, int64_t y, int64_t w, int64_t h)
{
    return x >= -MAP_BORDER_PX && y >= -MAP_BORDER_PX && x + w <= (int64_t)map->columns * MAP_EDGE_PX + MAP_BORDER_PX &&
           y + h <= (int64_t)map->rows * MAP_EDGE_PX + MAP_BORDER_PX;
}

static bool same_path(const struct map *map, const struct map_solid *a, const struct map_solid *b)
{
    return a->path_mode == b->path_mode && a->path_count == b->path_count && a->period_ticks == b->period_ticks &&
           a->phase_ticks == b->phase_ticks &&
           memcmp(&map->points[a->path_first], &map->points[b->path_first],
                  (size_t)a->path_count * sizeof map->points[0]) == 0;
}

static const char *crusher_fault(const struct map *map, const struct map_solid *solid)
{
    const struct df_box box = solid->box;
    if (solid->path_count != 0 || solid->path_first != 0 || solid->period_ticks != 0 || solid->phase_ticks != 0 ||
        solid->path_mode != 0)
        return "a crusher has no path";
    if (solid->group != 0 || solid->oneway != 0)
        return "a crusher is neither one-way nor in a group";
    if (!between(solid->drop_px, 1, 2048))
        return "a crusher falls 1 to 2048 px";
    if (!inside(map, box.x, box.y, box.w, (int64_t)box.h + solid->drop_px))
        return "a crusher falls out of the map";
    if (map->outside == DF_OUTSIDE_WRAP && (box.x < 0 || box.y < 0 || box.x + box.w > map->columns * MAP_EDGE_PX ||
                                            box.y + box.h + solid->drop_px > map->rows * MAP_EDGE_PX))
        return "a crusher in a map that wraps stays within its tiles";
    return NULL;
}

static const char *mover_fault(const struct map *map, const struct map_solid *solid)
{
    const struct df_box box = solid->box;
    if (solid->path_mode > MAP_PATH_PINGPONG)
        return "a mover's path is neither loop nor ping-pong";
    if (solid->drop_px != 0)
        return "a mover does not drop";
    if (!between(solid->path_count, 2, MAP_PATH_POINT_CAPACITY) ||
        !between(solid->path_first, 0, map->point_count - solid->path_count))
        return "a mover's path has fewer than 2 points, or points that are not there";
    if (!between(solid->period_ticks, 2, 36000) || !between(solid->phase_ticks, 0, solid->period_ticks - 1))
        return "a mover's period is 2 to 36000 ticks, and its phase less than that";
    const struct map_point *points = &map->points[solid->path_first];
    if (points[0].x != 0 || points[0].y != 0)
        return "a mover's path begins at its box";
    for (int32_t i = 0; i < solid->path_count; i++)
        if (!inside(map, (int64_t)box.x + points[i].x, (int64_t)box.y + points[i].y, box.w, box.h))
            return "a mover leaves the map";
    const int64_t ways = solid->path_mode == MAP_PATH_LOOP ? 1 : 2;
    if (path_length_sub(points, solid) * ways > (int64_t)MAP_MOVER_SPEED_SUB_MAX * solid->period_ticks)
        return "a mover is faster than 8 px a tick; give it a longer period";
    return NULL;
}

static const char *solids_fault(const struct map *map)
{
    for (int32_t i = 0; i < map->solid_count; i++) {
        const struct map_solid *solid = &map->solids[i];
        if (solid->kind > MAP_SOLID_CRUSHER || solid->oneway > 1)
            return "a moving solid is of an unknown kind";
        if (solid->group > MAP_SOLID_CAPACITY)
            return "a group has a number from 1 to 128";
        if (!between(solid->box.w, 1, 2048) || !between(solid->box.h, 1, 2048) ||
            !inside(map, solid->box.x, solid->box.y, solid->box.w, solid->box.h))
            return "a moving solid is outside of the map, or larger than 2048 px";
        if (map->outside == DF_OUTSIDE_WRAP &&
            (solid->box.w >= map->columns * MAP_EDGE_PX || solid->box.h >= map->rows * MAP_EDGE_PX))
            return "a moving solid in a map that wraps is smaller than the map";
        const char *fault = solid->kind == MAP_SOLID_CRUSHER ? crusher_fault(map, solid) : mover_fault(map, solid);
        if (fault != NULL)
            return fault;
        int32_t members = 0;
        for (int32_t k = 0; k <= i && solid->group != 0; k++) {
            if (map->solids[k].group != solid->group)
                continue;
            if (!same_path(map, &map->solids[k], solid))
                return "solids of one group must have the same path, period and phase";
            if (++members > DF_GROUP_CAPACITY)
                return "a group has at most 64 solids";
        }
    }
    return NULL;
}

static const char *balls_fault(const struct map *map)
{
    for (int32_t i = 0; i < map->ball_count; i++) {
        const struct map_ball *ball = &map->balls[i];
        const int32_t r = ball->radius_px;
        if (!between(r, 2, 32))
            return "a ball's radius is 2 to 32 px";
        if (!between(ball->cx, r, map->columns * MAP_EDGE_PX - r) || !between(ball->cy, r, map->rows * MAP_EDGE_PX - r))
            return "a ball starts outside of the map";
        if (!between(ball->vx, -MAP_BALL_SPEED_SUB_MAX, MAP_BALL_SPEED_SUB_MAX) ||
            !between(ball->vy, -MAP_BALL_SPEED_SUB_MAX, MAP_BALL_SPEED_SUB_MAX))
            return "a ball starts with at most 1536 sub per tick on each axis";
    }
    return NULL;
}

static bool spawn_is_free(const struct map *map, const struct map_spawn *spawn)
{
    const struct df_tiles tiles = {.kinds = map->tiles,
                                   .columns = map->columns,
                                   .rows = map->rows,
                                   .edge_px = MAP_EDGE_PX,
                                   .outside = (enum df_outside)map->outside};
    const struct df_box box = map_spawn_box(spawn);
    return !df_tiles_block(&tiles, box) && !df_tiles_touch(&tiles, box, DF_TILE_HAZARD);
}

static const char *spawns_fault(const struct map *map)
{
    for (int32_t i = 0; i < map->spawn_count; i++) {
        const struct map_spawn *spawn = &map->spawns[i];
        if (!between(spawn->x, 4, map->columns * MAP_EDGE_PX - 4) || !between(spawn->y, 11, map->rows * MAP_EDGE_PX))
            return "a spawn is outside of the map";
        if (!between(spawn->team, 0, 2))
            return "a spawn's team is 0, 1 or 2";
        if (!spawn_is_free(map, spawn))
            return "a spawn is inside of a wall or a hazard";
    }
    return NULL;
}

const char *map_fault(const struct map *map)
{
    static const char *(*const checks[])(const struct map *) = {head_fault, tiles_fault, solids_fault, balls_fault,
                                                                spawns_fault};
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        const char *fault = checks[i](map);
        if (fault != NULL)
            return fault;
    }
    return NULL;
}

struct df_box map_spawn_box(const struct map_spawn *spawn)
{
    return (struct df_box){spawn->x - TUNING.body_w_px / 2, spawn->y - TUNING.body_h_px, TUNING.body_w_px,
                           TUNING.body_h_px};
}

static void hash_bytes(struct hash *hash, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t word = bytes[i];
        hash_words(hash, &word, 1);
    }
}

uint64_t map_hash(const struct map *map)
{
    struct hash hash = hash_begin();
    hash_bytes(&hash, (const uint8_t *)map->name, sizeof map->name);
    hash_words(&hash, &map->theme, 2);
    hash_words(&hash, (const uint32_t *)&map->columns, 6);
    hash_bytes(&hash, map->tiles, (size_t)(map->columns * map->rows));
    hash_words(&hash, (const uint32_t *)map->spawns, (size_t)map->spawn_count * sizeof map->spawns[0] / 4);
    hash_words(&hash, (const uint32_t *)map->solids, (size_t)map->solid_count * sizeof map->solids[0] / 4);
    hash_words(&hash, (const uint32_t *)map->points, (size_t)map->point_count * sizeof map->points[0] / 4);
    hash_words(&hash, (const uint32_t *)map->balls, (size_t)map->ball_count * sizeof map->balls[0] / 4);
    return hash_end(&hash);
}
