// SPDX-License-Identifier: MIT
//
// The navigation graph of a map, in which bots find their way. Its nodes are cells, the tiles in which a player can
// stand, and the moving solids that a player can ride. Its edges are the motions that lead from one to another, through
// doors as if they were open. Costs from every cell to every region are computed once, outside of the tick, so that
// ai_think() only looks them up. The graph is a pure function of the map.
#ifndef AI_NAV_GRAPH
#define AI_NAV_GRAPH

#include "../map/map.h"

/// The most cells, those of moving solids included. On a larger map the lowest rows have none; bots find no paths
/// there.
#define NAV_CELL_CAPACITY 8192
#define NAV_EDGE_CAPACITY (8 * NAV_CELL_CAPACITY)
#define NAV_COST_CAPACITY (5u << 18)
#define NAV_COST_FAR      UINT16_MAX ///< there is no path
#define NAV_CELL_NONE     UINT16_MAX
#define NAV_MOTION_RIDE   255 ///< of an edge: onto a moving solid or off it, whenever it is near

/// An edge: how to get from one cell to another.
struct nav_edge {
    uint16_t from, to; ///< cells
    uint8_t motion;    ///< index of MOTION_TABLE, or NAV_MOTION_RIDE
    uint8_t cost;      ///< 4 ticks
    uint16_t door;     ///< index + 1 of the door that has to be open, 0 none
};

/// 3.5 MB at most. Only what a map needs is written, so that the rest of a fresh graph takes no memory: 200 to 600 KB.
struct nav_graph {
    uint32_t cell_count;                 ///< first those of tiles, then those of solids
    uint32_t ride_first;                 ///< the first cell of a solid
    uint32_t edge_count;                 ///< sorted by `from`
    uint32_t region_count;               ///< groups of near cells that have one cost
    int32_t region_edge;                 ///< of the square that a region covers, tiles
    uint16_t cells[MAP_TILE_CAPACITY];   ///< by tile: its cell, or NAV_CELL_NONE
    uint16_t tiles[NAV_CELL_CAPACITY];   ///< by cell: its tile, or its solid
    uint16_t regions[NAV_CELL_CAPACITY]; ///< by cell
    uint16_t rides[MAP_SOLID_CAPACITY];  ///< by solid: its cell, or NAV_CELL_NONE
    uint32_t edge_firsts[NAV_CELL_CAPACITY + 1];
    struct nav_edge edges[NAV_EDGE_CAPACITY];
    uint16_t costs[NAV_COST_CAPACITY];               ///< ticks, by region and cell
    uint32_t incoming_firsts[NAV_CELL_CAPACITY + 1]; ///< by `to`
    uint32_t incoming[NAV_EDGE_CAPACITY];            ///< edges, sorted by `to`
    uint16_t queue[NAV_CELL_CAPACITY];               ///< while costs are computed
    uint8_t queued[NAV_CELL_CAPACITY];
};

/// Returns the ticks from a cell to the region of another; NAV_COST_FAR if there is no path.
static inline uint16_t nav_graph_cost(const struct nav_graph *graph, uint16_t from, uint16_t to)
{
    return graph->costs[graph->regions[to] * graph->cell_count + from];
}

#endif
