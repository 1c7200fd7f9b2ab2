// SPDX-License-Identifier: MIT
#include "tiles.h"

#include <string.h>

#include "frame_hash.h"

static int32_t fold(int32_t index, int32_t count, bool wrap)
{
    if (wrap)
        return index - df_floor_div(index, count) * count;
    return index < 0 ? 0 : index >= count ? count - 1 : index;
}

static int32_t tile_index(const struct map *map, int32_t column, int32_t row)
{
    bool wrap = map->outside == DF_OUTSIDE_WRAP;
    return fold(row, map->rows, wrap) * map->columns + fold(column, map->columns, wrap);
}

bool tile_view_is_broken(const struct tile_view *tiles, int32_t column, int32_t row)
{
    int32_t tile = tile_index(tiles->map, column, row);
    return tiles->map->tiles[tile] == DF_TILE_BLOCK && tiles->broken[tile >> 5] >> (tile & 31) & 1;
}

enum df_tile tile_view_tile(const struct tile_view *tiles, int32_t column, int32_t row)
{
    return tile_view_is_broken(tiles, column, row)
               ? DF_TILE_EMPTY
               : (enum df_tile)tiles->map->tiles[tile_index(tiles->map, column, row)];
}

bool tile_view_is_wall(const struct tile_view *tiles, int32_t column, int32_t row)
{
    return tile_view_tile(tiles, column, row) == DF_TILE_SOLID;
}

bool tile_view_stops(const struct tile_view *tiles, int32_t x_px, int32_t y_px)
{
    enum df_tile kind = tile_view_tile(tiles, df_floor_div(x_px, MAP_EDGE_PX), df_floor_div(y_px, MAP_EDGE_PX));
    return kind == DF_TILE_SOLID || kind == DF_TILE_BLOCK;
}

// --- how they look

#define RINGS 3

static int32_t depth(const struct tile_view *tiles, int32_t column, int32_t row)
{
    for (int32_t ring = 1; ring <= RINGS; ring++)
        for (int32_t y = -ring; y <= ring; y++)
            for (int32_t x = -ring; x <= ring; x++)
                if (!tile_view_is_wall(tiles, column + x, row + y))
                    return ring - 1;
    return RINGS;
}

static bool has_lamp(const struct tile_view *tiles, int32_t column, int32_t row)
{
    if (column % 4 || frame_hash(column, row + 1000) % 3 || !tile_view_is_wall(tiles, column, row))
        return false;
    for (int32_t dx = -1; dx <= 1; dx++)
        for (int32_t dy = 1; dy <= 5; dy++)
            if (tile_view_tile(tiles, column + dx, row + dy) != DF_TILE_EMPTY)
                return false;
    return true;
}

// What the walls around it make of a tile.
static uint32_t shape_of(const struct tile_view *tiles, int32_t column, int32_t row)
{
    bool up = tile_view_is_wall(tiles, column, row - 1), down = tile_view_is_wall(tiles, column, row + 1);
    bool left = tile_view_is_wall(tiles, column - 1, row), right = tile_view_is_wall(tiles, column + 1, row);
    return (uint32_t)depth(tiles, column, row) | (up ? 0 : TILE_LOOK_ABOVE) | (down ? 0 : TILE_LOOK_BELOW) |
           (left ? 0 : TILE_LOOK_LEFT) | (right ? 0 : TILE_LOOK_RIGHT) |
           (up && left && !tile_view_is_wall(tiles, column - 1, row - 1) ? TILE_LOOK_CORNER_LEFT : 0) |
           (up && right && !tile_view_is_wall(tiles, column + 1, row - 1) ? TILE_LOOK_CORNER_RIGHT : 0);
}

// A tile of this shape, with its lights, which are here and there.
static uint32_t lit(const struct tile_view *tiles, int32_t column, int32_t row, uint32_t shape)
{
    bool burns = (shape & TILE_LOOK_DEPTH) == 1 && frame_hash(column, row) % 13 == 0;
    return shape | (has_lamp(tiles, column, row) ? TILE_LOOK_LAMP : 0) | (burns ? TILE_LOOK_FURNACE : 0);
}

static uint32_t compute(const struct tile_view *tiles, int32_t column, int32_t row)
{
    return lit(tiles, column, row, shape_of(tiles, column, row));
}

static int32_t index_of(const struct tile_looks *looks, int32_t column, int32_t row)
{
    return (row + TILE_LOOKS_AROUND) * (looks->columns + 2 * TILE_LOOKS_AROUND) + column + TILE_LOOKS_AROUND;
}

bool tile_looks_are_of(const struct tile_looks *looks, const struct tile_view *tiles)
{
    const struct map *map = tiles->map;
    size_t count = (size_t)map->columns * (size_t)map->rows;
    return looks->columns == map->columns && looks->rows == map->rows && looks->outside == map->outside &&
           memcmp(looks->tiles, map->tiles, count) == 0 &&
           memcmp(looks->broken, tiles->broken, (count + 31) / 32 * sizeof *looks->broken) == 0;
}

void tile_looks_update(struct tile_looks *looks, const struct tile_view *tiles)
{
    const struct map *map = tiles->map;
    size_t count = (size_t)map->columns * (size_t)map->rows;
    if (tile_looks_are_of(looks, tiles))
        return;
    looks->columns = map->columns;
    looks->rows = map->rows;
    looks->outside = map->outside;
    memcpy(looks->tiles, map->tiles, count);
    memcpy(looks->broken, tiles->broken, (count + 31) / 32 * sizeof *looks->broken);
    for (int32_t row = -TILE_LOOKS_AROUND; row < map->rows + TILE_LOOKS_AROUND; row++)
        for (int32_t column = -TILE_LOOKS_AROUND; column < map->columns + TILE_LOOKS_AROUND; column++)
            looks->looks[index_of(looks, column, row)] = (uint16_t)compute(tiles, column, row);
}

// Returns a place in the map, or a few tiles beyond it, around which all is as around this one.
static int32_t nearest(int32_t at, int32_t count, bool wrap)
{
    if (wrap)
        return at - df_floor_div(at, count) * count;
    return at < -RINGS ? -RINGS : at >= count + RINGS ? count + RINGS - 1 : at;
}

uint32_t tile_looks_at(const struct tile_looks *looks, const struct tile_view *tiles, int32_t column, int32_t row)
{
    if (!looks)
        return compute(tiles, column, row);
    bool kept = column >= -TILE_LOOKS_AROUND && column < looks->columns + TILE_LOOKS_AROUND &&
                row >= -TILE_LOOKS_AROUND && row < looks->rows + TILE_LOOKS_AROUND;
    if (kept)
        return looks->looks[index_of(looks, column, row)];
    bool wrap = looks->outside == DF_OUTSIDE_WRAP;
    uint32_t like =
        looks->looks[index_of(looks, nearest(column, looks->columns, wrap), nearest(row, looks->rows, wrap))];
    return lit(tiles, column, row, like & ~(uint32_t)(TILE_LOOK_LAMP | TILE_LOOK_FURNACE));
}
