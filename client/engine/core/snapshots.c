// SPDX-License-Identifier: MIT
#include "snapshots.h"

#include <string.h>

#include "sync/world.h"

// --- the worlds by tick

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

enum snapshot_result snapshot_history_insert(struct snapshot_history *history, const struct map *map,
                                             const struct snapshot_head *head, const uint8_t *body, size_t byte_count)
{
    uint32_t age = head->tick - head->baseline_tick;
    const struct world *known = snapshot_history_at(history, head->tick);
    const struct world *baseline = head->baseline_tick == 0 ? &history->initial
                                   : age > 0 && age < SNAPSHOT_HISTORY_TICKS
                                       ? snapshot_history_at(history, head->baseline_tick)
                                       : NULL;
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
        // Steps on from the newest received world before it. The baseline is one, so the search ends.
        const struct world *start = NULL;
        for (tick number = head->tick; !start;)
            start = snapshot_history_at(history, --number);
        world_copy(world, start);
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

// --- the receiver

// Ticks of a span. Losses count for one to two spans.
#define SPAN_TICKS (5 * TICKS_PER_SECOND)

void snapshot_receiver_begin(struct snapshot_receiver *receiver, uint32_t rate)
{
    receiver->has_world = false;
    receiver->newest = receiver->acknowledge = 0;
    receiver->steps = 0;
    receiver->steps_before = INPUT_REPEATS_MAX; // nothing is known of this line
    receiver->interval_ticks = TICKS_PER_SECOND / (rate ? rate : TICKS_PER_SECOND);
    receiver->assembly.head.tick = 0;
    if (receiver->history)
        snapshot_history_clear(receiver->history);
}

// Returns whether a snapshot's baseline is here. A snapshot of an earlier match that arrives after the WELCOME of this
// one has none, and its tick may be far ahead: in the assembly it would hold up all that follow. A match begins with a
// full snapshot.
static bool has_baseline(const struct snapshot_receiver *receiver, tick baseline)
{
    if (baseline == 0)
        return true;
    if (!receiver->has_world)
        return false;
    if (receiver->history)
        return snapshot_history_at(receiver->history, baseline) != NULL;
    return (int32_t)(receiver->newest - baseline) >= 0 && receiver->newest - baseline < SNAPSHOT_HISTORY_TICKS;
}

static enum snapshot_result insert(struct snapshot_receiver *receiver, const struct snapshot_head *head,
                                   const uint8_t *body, size_t count)
{
    enum snapshot_result result = SNAPSHOT_INSERTED;
    if (receiver->history)
        result = snapshot_history_insert(receiver->history, receiver->map, head, body, count);
    receiver->counts.desyncs += result == SNAPSHOT_DESYNC;
    receiver->counts.received += result == SNAPSHOT_INSERTED;
    return result;
}

// Records that a newest snapshot has come, and which before it have not.
static void record_newest(struct snapshot_receiver *receiver, tick number)
{
    tick ahead = number - receiver->newest;
    if (receiver->newest == 0)
        receiver->received = UINT64_MAX; // none before the first is missing
    else
        receiver->received = (ahead < SNAPSHOT_HISTORY_TICKS ? receiver->received << ahead : 0) | 1;
    if (receiver->newest && ahead > receiver->interval_ticks)
        receiver->counts.lost += ahead / receiver->interval_ticks - 1;
    receiver->newest = number;
}

// Records how far a snapshot is ahead of the newest. Before it come those that are lost, or late.
static void record_steps(struct snapshot_receiver *receiver, tick number)
{
    tick ahead = number - receiver->newest;
    if (!receiver->has_world)
        receiver->span_tick = number;
    if (!receiver->has_world || (int32_t)ahead <= 0)
        return;
    if (number - receiver->span_tick >= SPAN_TICKS) {
        receiver->steps_before = receiver->steps;
        receiver->steps = 0;
        receiver->span_tick = number;
    }
    uint32_t steps = ahead / receiver->interval_ticks;
    receiver->steps = steps > receiver->steps ? steps : receiver->steps;
}

uint32_t snapshot_receiver_repeats(const struct snapshot_receiver *receiver)
{
    uint32_t steps = receiver->steps > receiver->steps_before ? receiver->steps : receiver->steps_before;
    return steps < INPUT_REPEATS_MAX ? steps + 1 : 0;
}

enum snapshot_result snapshot_receiver_take(struct snapshot_receiver *receiver, const struct snapshot_head *head,
                                            const uint8_t *bytes, size_t byte_count)
{
    struct snapshot_assembly *assembly = &receiver->assembly;
    record_steps(receiver, head->tick);
    if (!has_baseline(receiver, head->baseline_tick)) {
        receiver->counts.lost += receiver->has_world && (int32_t)(head->tick - receiver->newest) > 0;
        return SNAPSHOT_INCOMPLETE;
    }
    if (!snapshot_assembly_add(assembly, head, bytes, byte_count)) {
        // A snapshot that newer ones overtook: its world is true all the same, and closes a gap for interpolated views.
        tick age = receiver->newest - head->tick;
        if (head->parts <= 1 && receiver->newest != 0 && age < SNAPSHOT_HISTORY_TICKS &&
            !(receiver->received >> age & 1) && insert(receiver, head, bytes, byte_count) == SNAPSHOT_INSERTED) {
            receiver->received |= UINT64_C(1) << age;
            receiver->counts.lost--;
        }
        return SNAPSHOT_INCOMPLETE;
    }
    record_newest(receiver, assembly->head.tick);
    enum snapshot_result result = insert(receiver, &assembly->head, assembly->body, assembly->byte_count);
    bool inserted = result == SNAPSHOT_INSERTED;
    receiver->counts.lost += !inserted;
    receiver->acknowledge = inserted ? assembly->head.tick : 0;
    receiver->has_world |= inserted;
    return result;
}
