// SPDX-License-Identifier: MIT
//
// Builds the navigation graph of a map, and finds ways in it. Apart from nav_graph.h, since the engine sees only what a
// graph is.
#ifndef AI_NAV_GRAPH_BUILD
#define AI_NAV_GRAPH_BUILD

#include "nav_graph.h"

/// Builds the graph of a map. Takes 35 to 90 ms.
void nav_graph_build(struct nav_graph *graph, const struct map *map);

/// Returns the first edge of the shortest path from a cell to the region of another, or NULL.
const struct nav_edge *nav_graph_next(const struct nav_graph *graph, uint16_t from, uint16_t to);

/// Returns the cell of a player with the middle at x and the feet at `feet`, px; NAV_CELL_NONE without one.
uint16_t nav_graph_cell(const struct nav_graph *graph, const struct map *map, int32_t x, int32_t feet);

#endif
