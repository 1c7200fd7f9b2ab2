// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "bench_match.h"
#include "game/map/tiled/map_file.h"

bool bench_match_map(int argc, char **argv, const char *usage, struct map *map, struct nav_graph *graph)
{
    struct error error;
    if (argc < 2 || !map_file_read(argv[1], map, &error)) {
        fprintf(stderr, "%s%s\n", argc < 2 ? "usage: " : "", argc < 2 ? usage : error.text);
        return false;
    }
    nav_graph_build(graph, map);
    return true;
}

void bench_match_begin(struct world *world, const struct map *map, uint32_t bots)
{
    world_init(world, map, &(struct rules){.mode = MODE_FFA, .seed = 1});
    for (uint32_t slot = 0; slot < bots; slot++)
        world_command(world, map, &(struct command){.kind = COMMAND_JOIN, .slot = slot, .bot = 1, .colour = slot % 16});
}
