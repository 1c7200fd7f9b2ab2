// SPDX-License-Identifier: MIT
#include "snapshot_receiver.h"

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

// Inserts a snapshot that newer ones overtook: its world is true all the same, and closes a gap for interpolated views.
static void insert_overtaken(struct snapshot_receiver *receiver, const struct snapshot_head *head, const uint8_t *body,
                             size_t count)
{
    tick age = receiver->newest - head->tick;
    if (head->parts > 1 || receiver->newest == 0 || age >= SNAPSHOT_HISTORY_TICKS || receiver->received >> age & 1 ||
        insert(receiver, head, body, count) != SNAPSHOT_INSERTED)
        return;
    receiver->received |= UINT64_C(1) << age;
    receiver->counts.lost--;
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
        insert_overtaken(receiver, head, bytes, byte_count);
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
