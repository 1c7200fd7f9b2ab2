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

// The newest told world since the baseline, to step on from.
static const struct world *start_of(const struct told *told, tick number)
{
    const struct world *start = NULL;
    while (!start)
        start = told_at(told, --number);
    return start;
}

enum told_answer told_take(struct told *told, const struct map *map, const struct snapshot_head *head,
                           const uint8_t *body, size_t byte_count)
{
    const struct world *baseline = baseline_of(told, head);
    if (!baseline)
        return TOLD_UNDECODABLE;
    struct world *world = &told->worlds[head->tick % TOLD_TICKS];
    bool decoded;
    if (baseline == &told->fresh) {
        decoded = snapshot_body_decode(world, baseline, map, body, byte_count);
    } else {
        world_copy(world, start_of(told, head->tick));
        decoded = moves_decode(world, map, baseline, head->tick, body, byte_count);
    }
    if (decoded && world->tick == head->tick && (uint32_t)world_hash(world) == head->world_hash)
        return TOLD_HELD;
    memset(world, 0, sizeof *world);
    return decoded ? TOLD_DESYNC : TOLD_UNDECODABLE;
}
