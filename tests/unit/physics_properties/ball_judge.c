// SPDX-License-Identifier: MIT
#include "ball_judge.h"

#include <stdlib.h>

#define STEP_SUB 32

static int64_t floor_of(int64_t value, int64_t divisor)
{
    return value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor);
}

static bool wraps(const struct df_tiles *tiles)
{
    return tiles->kinds != NULL && tiles->outside == DF_OUTSIDE_WRAP;
}

// Returns the pixels from one coordinate to another, rightward or downward; around the world where that is endless.
static int64_t ahead(int64_t from, int64_t to, int64_t around)
{
    int64_t way = to - from;
    return around > 0 ? way - floor_of(way, around) * around : way;
}

static bool tile_blocks(const struct df_tiles *tiles, int64_t x, int64_t y)
{
    if (tiles->kinds == NULL)
        return false;
    int64_t column = floor_of(x, tiles->edge_px), row = floor_of(y, tiles->edge_px);
    if (wraps(tiles)) {
        column = ahead(0, column, tiles->columns);
        row = ahead(0, row, tiles->rows);
    }
    if (column < 0 || column >= tiles->columns || row < 0 || row >= tiles->rows)
        return tiles->outside == DF_OUTSIDE_SOLID;
    int64_t tile = row * tiles->columns + column;
    bool broken = tiles->broken != NULL && (tiles->broken[tile / 32] >> tile % 32 & 1u) != 0;
    return tiles->kinds[tile] == DF_TILE_SOLID || (tiles->kinds[tile] == DF_TILE_BLOCK && !broken);
}

static bool pixel_blocks(const struct df_space *space, int64_t x, int64_t y)
{
    const struct df_tiles *tiles = &space->tiles;
    int64_t width = wraps(tiles) ? (int64_t)tiles->columns * tiles->edge_px : 0;
    int64_t height = wraps(tiles) ? (int64_t)tiles->rows * tiles->edge_px : 0;
    for (int32_t i = 0; i < space->solid_count; i++) {
        const struct df_solid *solid = &space->solids[i];
        int64_t right = ahead(solid->x, x, width), down = ahead(solid->y, y, height);
        if ((solid->flags & (DF_SOLID_PRESENT | DF_SOLID_ONEWAY)) == DF_SOLID_PRESENT && right >= 0 &&
            right < solid->w && down >= 0 && down < solid->h)
            return true;
    }
    return tile_blocks(tiles, x, y);
}

// Returns true if all four corners of a square around a place, one sub less to the right and below, are in pixels that
// block.
static bool is_deep(const struct df_space *space, struct ball_judge_point at, int64_t left_sub, int64_t right_sub)
{
    int64_t left = floor_of(at.x - left_sub, DF_SUB), right = floor_of(at.x + right_sub, DF_SUB);
    int64_t top = floor_of(at.y - left_sub, DF_SUB), bottom = floor_of(at.y + right_sub, DF_SUB);
    return pixel_blocks(space, left, top) && pixel_blocks(space, right, top) && pixel_blocks(space, left, bottom) &&
           pixel_blocks(space, right, bottom);
}

bool ball_judge_is_inside(const struct df_space *space, struct ball_judge_point at)
{
    return is_deep(space, at, 1, 0);
}

// Returns the distance from a coordinate to a pixel; 0 in it.
static int64_t gap(int64_t at_sub, int64_t pixel)
{
    int64_t before = pixel * DF_SUB - at_sub, after = at_sub - (pixel + 1) * DF_SUB;
    return before > 0 ? before : after > 0 ? after : 0;
}

bool ball_judge_overlaps(const struct df_space *space, struct ball_judge_point centre, int64_t radius_px)
{
    int64_t right = floor_of(centre.x, DF_SUB) + radius_px, down = floor_of(centre.y, DF_SUB) + radius_px;
    for (int64_t y = down - 2 * radius_px - 1; y <= down; y++)
        for (int64_t x = right - 2 * radius_px - 1; x <= right; x++) {
            int64_t gap_x = gap(centre.x, x), gap_y = gap(centre.y, y);
            if (gap_x * gap_x + gap_y * gap_y < radius_px * radius_px * DF_SUB * DF_SUB && pixel_blocks(space, x, y))
                return true;
        }
    return false;
}

bool ball_judge_crosses(const struct df_space *space, struct ball_judge_point from, struct ball_judge_point way,
                        int64_t slack)
{
    int64_t length = llabs(way.x) + llabs(way.y), steps = length / STEP_SUB + 1;
    for (int64_t i = 0; i <= steps; i++) {
        struct ball_judge_point at = {from.x + way.x * i / steps, from.y + way.y * i / steps};
        if (is_deep(space, at, slack + 1, slack))
            return true;
    }
    return false;
}
