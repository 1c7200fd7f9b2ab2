// SPDX-License-Identifier: MIT
#include "told.h"

#include <string.h>

void told_forget(struct told *told)
{
    for (uint32_t i = 0; i < TOLD_TICKS; i++)
        told->worlds[i].tick = 0;
}

void told_begin(struct told *told, const struct map *map, const struct rules *rules)
{
    world_init(&told->fresh, map, rules);
}

const struct world *told_at(const struct told *told, tick number)
{
    const struct world *world = &told->worlds[number % TOLD_TICKS];
    return number != 0 && world->tick == number ? world : NULL;
}

static const struct world *baseline_of(const struct told *told, const struct snapshot_head *head)
{
    if (head->baseline_tick == 0)
        return &told->fresh;
    uint32_t age = head->tick - head->baseline_tick;
    return age > 0 && age < TOLD_TICKS ? told_at(told, head->baseline_tick) : NULL;
}

// Steps on from the newest told world since the baseline.
static bool follow(const struct told *told, struct world *world, const struct map *map, const struct world *baseline,
                   const struct snapshot_assembly *assembly)
{
    const struct world *start = NULL;
    for (tick number = assembly->head.tick - 1; !start; number--)
        start = told_at(told, number);
    world_copy(world, start);
    return moves_decode(world, map, baseline, assembly->head.tick, assembly->body, assembly->byte_count);
}

static bool make(const struct told *told, struct world *world, const struct map *map, const struct world *baseline,
                 const struct snapshot_assembly *assembly)
{
    if (baseline != &told->fresh)
        return follow(told, world, map, baseline, assembly);
    return snapshot_body_decode(world, baseline, map, assembly->body, assembly->byte_count);
}

enum told_answer told_take(struct told *told, const struct map *map, const struct snapshot_assembly *assembly)
{
    const struct snapshot_head *head = &assembly->head;
    const struct world *baseline = baseline_of(told, head);
    if (!baseline)
        return TOLD_UNDECODABLE;
    struct world *world = &told->worlds[head->tick % TOLD_TICKS];
    bool decoded = make(told, world, map, baseline, assembly);
    if (decoded && world->tick == head->tick && (uint32_t)world_hash(world) == head->world_hash)
        return TOLD_HELD;
    memset(world, 0, sizeof *world);
    return decoded ? TOLD_DESYNC : TOLD_UNDECODABLE;
}
