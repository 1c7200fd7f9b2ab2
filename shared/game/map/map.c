// SPDX-License-Identifier: MIT
#include "map.h"

// In 1/256 px; the root is exact, bit by bit.
static int64_t length_sub(struct map_point from, struct map_point to)
{
    int64_t dx = (int64_t)(to.x - from.x) * DF_SUB, dy = (int64_t)(to.y - from.y) * DF_SUB, root = 0;
    int64_t around = (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
    if (dx == 0 || dy == 0)
        return around;
    for (int64_t bit = INT64_C(1) << (63 - __builtin_clzll((uint64_t)around)); bit > 0; bit >>= 1)
        if ((root + bit) * (root + bit) <= dx * dx + dy * dy)
            root += bit;
    return root;
}

static int32_t legs(const struct map_solid *solid)
{
    return solid->path_mode == MAP_PATH_LOOP ? solid->path_count : solid->path_count - 1;
}

static int64_t leg_sub(const struct map *map, const struct map_solid *solid, int32_t leg)
{
    const struct map_point *points = &map->points[solid->path_first];
    return length_sub(points[leg], points[leg + 1 < solid->path_count ? leg + 1 : 0]);
}

int64_t map_path_length_sub(const struct map *map, const struct map_solid *solid)
{
    int64_t length = 0;
    for (int32_t i = 0; i < legs(solid); i++)
        length += leg_sub(map, solid, i);
    return length;
}

void map_path_offset(const struct map *map, const struct map_solid *solid, uint32_t clock_ticks, int32_t *dx_sub,
                     int32_t *dy_sub)
{
    *dx_sub = *dy_sub = 0;
    if (solid->path_count < 2)
        return;
    const struct map_point *points = &map->points[solid->path_first];
    int64_t period = solid->period_ticks;
    int64_t time = ((int64_t)clock_ticks + solid->phase_ticks) % period;
    int64_t whole = map_path_length_sub(map, solid), left = whole;
    if (solid->path_mode == MAP_PATH_LOOP)
        left = left * time / period;
    else
        left = left * 2 * (2 * time <= period ? time : period - time) / period;

    for (int32_t i = 0; i < legs(solid); i++) {
        int64_t length = legs(solid) == 1 ? whole : leg_sub(map, solid, i); // most paths have one leg
        if (left > length || length == 0) {
            left -= length;
            continue;
        }
        struct map_point from = points[i], to = points[i + 1 < solid->path_count ? i + 1 : 0];
        *dx_sub = (int32_t)(from.x * DF_SUB + (int64_t)(to.x - from.x) * DF_SUB * left / length);
        *dy_sub = (int32_t)(from.y * DF_SUB + (int64_t)(to.y - from.y) * DF_SUB * left / length);
        return;
    }
}

bool map_goal_has(const struct map_goal *goal, int32_t column, int32_t row)
{
    return column >= goal->column && column < goal->column + goal->columns && row >= goal->row &&
           row < goal->row + goal->rows;
}

int32_t map_distance(const struct map *map, int32_t a, int32_t b, int32_t side_px)
{
    int32_t distance = b - a;
    if (map->outside != DF_OUTSIDE_WRAP)
        return distance;
    distance -= df_floor_div(distance, side_px) * side_px;
    return distance > side_px / 2 ? distance - side_px : distance;
}

static bool spans_overlap(int32_t a, int32_t a_length, int32_t b, int32_t b_length, int32_t side_px)
{
    int32_t ahead = b - a - df_floor_div(b - a, side_px) * side_px;
    return ahead < a_length || side_px - ahead < b_length;
}

bool map_overlaps(const struct map *map, struct df_box a, struct df_box b)
{
    if (map->outside != DF_OUTSIDE_WRAP)
        return df_box_overlaps(a, b);
    return spans_overlap(a.x, a.w, b.x, b.w, map->columns * MAP_EDGE_PX) &&
           spans_overlap(a.y, a.h, b.y, b.h, map->rows * MAP_EDGE_PX);
}
