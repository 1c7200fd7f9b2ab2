// SPDX-License-Identifier: MIT
#include "shared_nav_graphs.h"

#include <stdlib.h>
#include <string.h>

#include "sync/game.h"

static struct shared_nav_graph {
    struct nav_graph graph;
    struct map map;
    uint32_t users;
    struct shared_nav_graph *next;
} * shared;

static void free_unused(void)
{
    for (struct shared_nav_graph **at = &shared; *at;) {
        struct shared_nav_graph *entry = *at;
        if (entry->users > 0) {
            at = &entry->next;
            continue;
        }
        *at = entry->next;
        free(entry);
    }
}

static struct shared_nav_graph *build(const struct map *map)
{
    free_unused();
    struct shared_nav_graph *entry = calloc(1, sizeof *entry);
    if (!entry)
        return NULL;
    game_prepare_bots(&entry->graph, map);
    entry->map = *map;
    entry->next = shared;
    return shared = entry;
}

const struct nav_graph *shared_nav_graphs_take(const struct map *map)
{
    struct shared_nav_graph *entry = shared;
    while (entry && memcmp(&entry->map, map, sizeof *map) != 0)
        entry = entry->next;
    entry = entry ? entry : build(map);
    if (!entry)
        return NULL;
    entry->users++;
    return &entry->graph;
}

void shared_nav_graphs_release(const struct nav_graph *graph)
{
    for (struct shared_nav_graph *entry = shared; entry; entry = entry->next)
        entry->users -= &entry->graph == graph;
}

uint32_t shared_nav_graphs_count(void)
{
    uint32_t count = 0;
    for (const struct shared_nav_graph *entry = shared; entry; entry = entry->next)
        count++;
    return count;
}
