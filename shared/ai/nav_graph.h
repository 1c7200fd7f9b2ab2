// SPDX-License-Identifier: MIT
//
// What a bot knows of a map before it plays there: every cell that one can stand in, which plan leads from it to which
// other cell, through doors as if they were open, and how many ticks it takes from any cell to any place. A pure
// function of the map, built once outside of the tick by the owner of the map; ai_think() only looks things up.
// Movers and lifts are cells too.
#ifndef AI_NAV_GRAPH
#define AI_NAV_GRAPH

#include "map/map.h"

/// Cells, with those of moving solids; on a larger map those farther down are unknown, and bots there go by sight.
#define NAV_CELL_CAPACITY 8192
#define NAV_EDGE_CAPACITY (8 * NAV_CELL_CAPACITY)
#define NAV_COST_CAPACITY (5u << 18) ///< so that with places of the whole map all fit
#define NAV_COST_FAR      UINT16_MAX ///< there is no way
#define NAV_CELL_NONE     UINT16_MAX
#define NAV_PLAN_RIDE     255 ///< of an edge: onto a moving solid, or off it, whenever it is near

/// A way from one cell to another.
struct nav_edge {
    uint16_t from, to; ///< cells
    uint8_t plan;      ///< of TRAJECTORY_PLANS, or NAV_PLAN_RIDE
    uint8_t cost;      ///< 4 ticks
    uint16_t door;     ///< solid + 1 of a door that has to be open, 0 none
};

/// About 3.5 MB; allocate it once, or keep it static in a main.
struct nav_graph {
    uint32_t cell_count;                ///< of tiles first, then `ride_count` of solids
    uint32_t ride_first;                ///< the first cell of a solid
    uint32_t edge_count;                ///< sorted by `from`
    uint32_t place_count;               ///< groups of cells that a way can lead to
    int32_t place_edge;                 ///< of the square that holds the cells of a place, tiles
    uint16_t cells[MAP_TILE_CAPACITY];  ///< by tile: who stands in it is in this cell, or NAV_CELL_NONE
    uint16_t tiles[NAV_CELL_CAPACITY];  ///< by cell: its tile, or its solid
    uint16_t places[NAV_CELL_CAPACITY]; ///< by cell
    uint16_t rides[MAP_SOLID_CAPACITY]; ///< by solid: its cell, or NAV_CELL_NONE
    uint32_t edge_firsts[NAV_CELL_CAPACITY + 1];
    struct nav_edge edges[NAV_EDGE_CAPACITY];
    uint16_t costs[NAV_COST_CAPACITY];           ///< ticks, by place and cell
    uint32_t back_firsts[NAV_CELL_CAPACITY + 1]; ///< of the edges by `to`
    uint32_t backs[NAV_EDGE_CAPACITY];
    uint16_t queue[NAV_CELL_CAPACITY];
    uint8_t queued[NAV_CELL_CAPACITY];
};

/// Draws it.
void nav_graph_build(struct nav_graph *ways, const struct map *map);

/// The best way on from a cell to the place of another, or null.
const struct nav_edge *nav_graph_next(const struct nav_graph *ways, uint16_t from, uint16_t to);

/// The cell of one whose middle and feet are at x and feet, px; NAV_CELL_NONE.
uint16_t nav_graph_cell(const struct nav_graph *ways, const struct map *map, int32_t x, int32_t feet);

/// Ticks from a cell to a place of a cell; NAV_COST_FAR if there is no way.
static inline uint16_t nav_graph_cost(const struct nav_graph *ways, uint16_t from, uint16_t to)
{
    return ways->costs[ways->places[to] * ways->cell_count + from];
}

#endif
