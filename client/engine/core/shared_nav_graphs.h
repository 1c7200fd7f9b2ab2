// SPDX-License-Identifier: MIT
//
// The navigation graphs of a process: one for each map, whatever the number of its clients, since a graph takes longer
// to build than a frame. A client takes one when its map is complete. The last graph stays when nobody uses it any
// more, for the next match on its map. Not for several threads; never called in a tick.
#ifndef CORE_SHARED_NAV_GRAPHS_H
#define CORE_SHARED_NAV_GRAPHS_H

#include "sync/world.h"

/// Returns the graph of a map, built unless a client of this process has it. Null if memory runs out.
const struct nav_graph *shared_nav_graphs_take(const struct map *map);

/// Gives back a graph that was taken; null is allowed.
void shared_nav_graphs_release(const struct nav_graph *graph);

/// Returns how many graphs this process has.
uint32_t shared_nav_graphs_count(void);

#endif
