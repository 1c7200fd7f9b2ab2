// SPDX-License-Identifier: MIT
#include "tiles.h"

#include "tile_grid.h"

enum df_tile df_tiles_at(const struct df_tiles *tiles, int32_t column, int32_t row)
{
    return df_tile_grid_is_valid(tiles) ? df_tile_grid_at(tiles, column, row) : DF_TILE_EMPTY;
}

bool df_tiles_block(const struct df_tiles *tiles, struct df_box box)
{
    struct df_hit hit;
    if (!df_body_box_is_valid(box))
        return true;
    return df_tile_grid_is_valid(tiles) && tiles->kinds != NULL && df_tile_grid_overlap(tiles, box, &hit);
}

bool df_tiles_touch(const struct df_tiles *tiles, struct df_box box, enum df_tile kind)
{
    if (!df_body_box_is_valid(box))
        return false;
    if (tiles->kinds == NULL || !df_tile_grid_is_valid(tiles))
        return kind == DF_TILE_EMPTY;
    struct df_tile_span columns = df_tile_grid_span(tiles, box.x, box.w, tiles->columns);
    struct df_tile_span rows = df_tile_grid_span(tiles, box.y, box.h, tiles->rows);
    for (int32_t row = rows.first; row <= rows.last; row++)
        for (int32_t column = columns.first; column <= columns.last; column++)
            if (df_tile_grid_at(tiles, column, row) == kind)
                return true;
    return false;
}
