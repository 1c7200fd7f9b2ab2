// SPDX-License-Identifier: MIT
#include "tile_view.h"

static int32_t fold(int32_t index, int32_t count, bool wrap)
{
    if (wrap)
        return index - df_floor_div(index, count) * count;
    return index < 0 ? 0 : index >= count ? count - 1 : index;
}

static int32_t index_of(const struct map *map, int32_t column, int32_t row)
{
    bool wrap = map->outside == DF_OUTSIDE_WRAP;
    return fold(row, map->rows, wrap) * map->columns + fold(column, map->columns, wrap);
}

bool tile_view_is_broken(const struct tile_view *tiles, int32_t column, int32_t row)
{
    int32_t tile = index_of(tiles->map, column, row);
    return tiles->map->tiles[tile] == DF_TILE_BLOCK && tiles->broken[tile >> 5] >> (tile & 31) & 1;
}

enum df_tile tile_view_tile(const struct tile_view *tiles, int32_t column, int32_t row)
{
    return tile_view_is_broken(tiles, column, row) ? DF_TILE_EMPTY
                                                   : (enum df_tile)tiles->map->tiles[index_of(tiles->map, column, row)];
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
