// SPDX-License-Identifier: MIT
#include "snapshot_history.h"

#include <string.h>

void snapshot_history_clear(struct snapshot_history *told)
{
    for (uint32_t i = 0; i < SNAPSHOT_HISTORY_TICKS; i++)
        told->worlds[i].tick = 0;
}

void snapshot_history_begin(struct snapshot_history *told, const struct map *map, const struct rules *rules)
{
    world_init(&told->fresh, map, rules);
}

const struct world *snapshot_history_at(const struct snapshot_history *told, tick number)
{
    const struct world *world = &told->worlds[number % SNAPSHOT_HISTORY_TICKS];
    return number != 0 && world->tick == number ? world : NULL;
}

static const struct world *baseline_of(const struct snapshot_history *told, const struct snapshot_head *head)
{
    if (head->baseline_tick == 0)
        return &told->fresh;
    uint32_t age = head->tick - head->baseline_tick;
    return age > 0 && age < SNAPSHOT_HISTORY_TICKS ? snapshot_history_at(told, head->baseline_tick) : NULL;
}

// The newest told world since the baseline, to step on from.
static const struct world *start_of(const struct snapshot_history *told, tick number)
{
    const struct world *start = NULL;
    while (!start)
        start = snapshot_history_at(told, --number);
    return start;
}

enum snapshot_history_result snapshot_history_insert(struct snapshot_history *told, const struct map *map,
                                                     const struct snapshot_head *head, const uint8_t *body,
                                                     size_t byte_count)
{
    const struct world *baseline = baseline_of(told, head);
    if (!baseline)
        return SNAPSHOT_HISTORY_UNDECODABLE;
    struct world *world = &told->worlds[head->tick % SNAPSHOT_HISTORY_TICKS];
    bool decoded;
    if (baseline == &told->fresh) {
        decoded = snapshot_body_decode(world, baseline, map, body, byte_count);
    } else {
        world_copy(world, start_of(told, head->tick));
        decoded = input_log_decode(world, map, baseline, head->tick, body, byte_count);
    }
    if (decoded && world->tick == head->tick && (uint32_t)world_hash(world) == head->world_hash)
        return SNAPSHOT_HISTORY_INSERTED;
    memset(world, 0, sizeof *world);
    return decoded ? SNAPSHOT_HISTORY_DESYNC : SNAPSHOT_HISTORY_UNDECODABLE;
}
