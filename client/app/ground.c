// SPDX-License-Identifier: MIT
#include "ground.h"

static int32_t fold(int32_t index, int32_t count, bool wrap)
{
    if (wrap)
        return index - df_floor_div(index, count) * count;
    return index < 0 ? 0 : index >= count ? count - 1 : index;
}

enum df_tile ground_tile(const struct ground *ground, int32_t column, int32_t row)
{
    const struct map *map = ground->map;
    bool wrap = map->outside == DF_OUTSIDE_WRAP;
    int32_t tile = fold(row, map->rows, wrap) * map->columns + fold(column, map->columns, wrap);
    enum df_tile kind = map->tiles[tile];
    bool broken = kind == DF_TILE_BLOCK && ground->broken[tile >> 5] >> (tile & 31) & 1;
    return broken ? DF_TILE_EMPTY : kind;
}

bool ground_is_wall(const struct ground *ground, int32_t column, int32_t row)
{
    return ground_tile(ground, column, row) == DF_TILE_SOLID;
}

bool ground_stops(const struct ground *ground, int32_t x_px, int32_t y_px)
{
    enum df_tile kind = ground_tile(ground, df_floor_div(x_px, MAP_EDGE_PX), df_floor_div(y_px, MAP_EDGE_PX));
    return kind == DF_TILE_SOLID || kind == DF_TILE_BLOCK;
}
