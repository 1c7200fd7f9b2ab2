// SPDX-License-Identifier: MIT
//
// A map that the command line names, with its graph, and a match of bots on it, for benches of the game.
#ifndef BENCH_MATCH_H
#define BENCH_MATCH_H

#include "game/ai/nav_graph_build.h"
#include "sync/world.h"

/// Reads the map that the first argument names, and builds its graph. On an error prints it, or the usage, and returns
/// false.
bool bench_match_map(int argc, char **argv, const char *usage, struct map *map, struct nav_graph *graph);

/// Begins a match of ffa with so many bots.
void bench_match_begin(struct world *world, const struct map *map, uint32_t bots);

#endif
