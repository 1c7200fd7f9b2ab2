// SPDX-License-Identifier: MIT
#include "snapshot_history.h"

#include "sync/world.h"

void snapshot_history_clear(struct snapshot_history *history)
{
    for (uint32_t i = 0; i < SNAPSHOT_HISTORY_TICKS; i++)
        history->worlds[i].tick = 0;
    history->events = (struct event_log){0};
}

void snapshot_history_begin(struct snapshot_history *history, const struct map *map, const struct rules *rules)
{
    world_init(&history->initial, map, rules);
}

const struct world *snapshot_history_at(const struct snapshot_history *history, tick number)
{
    const struct world *world = &history->worlds[number % SNAPSHOT_HISTORY_TICKS];
    return number != 0 && world->tick == number ? world : NULL;
}

static const struct world *baseline_of(const struct snapshot_history *history, const struct snapshot_head *head)
{
    if (head->baseline_tick == 0)
        return &history->initial;
    uint32_t age = head->tick - head->baseline_tick;
    return age > 0 && age < SNAPSHOT_HISTORY_TICKS ? snapshot_history_at(history, head->baseline_tick) : NULL;
}

// Returns the newest received world before a tick, to step on from. The baseline is one, so the search ends.
static const struct world *newest_before(const struct snapshot_history *history, tick number)
{
    const struct world *start = NULL;
    while (!start)
        start = snapshot_history_at(history, --number);
    return start;
}

enum snapshot_result snapshot_history_insert(struct snapshot_history *history, const struct map *map,
                                             const struct snapshot_head *head, const uint8_t *body, size_t byte_count)
{
    const struct world *baseline = baseline_of(history, head), *known = snapshot_history_at(history, head->tick);
    if (!baseline)
        return SNAPSHOT_UNDECODABLE;
    if (known)
        return (uint32_t)world_hash(known) == head->world_hash ? SNAPSHOT_INSERTED : SNAPSHOT_DESYNC;
    struct world *world = &history->worlds[head->tick % SNAPSHOT_HISTORY_TICKS];
    bool decoded;
    tick stepped = head->tick; // first of those that are not yet known to be true
    if (baseline == &history->initial) {
        decoded = snapshot_body_decode(world, baseline, map, body, byte_count);
    } else {
        world_copy(world, newest_before(history, head->tick));
        stepped = world->tick + 1;
        struct input_log_target target = {world, map, &history->events, history->worlds};
        decoded = input_log_decode(target, baseline, head->tick, body, byte_count);
    }
    if (decoded && world->tick == head->tick && (uint32_t)world_hash(world) == head->world_hash) {
        event_log_add(&history->events, world);
        return SNAPSHOT_INSERTED;
    }
    for (tick number = stepped; number != head->tick; number++)
        history->worlds[number % SNAPSHOT_HISTORY_TICKS].tick = 0;
    world->tick = 0;
    return decoded ? SNAPSHOT_DESYNC : SNAPSHOT_UNDECODABLE;
}
