// SPDX-License-Identifier: MIT
#include "snapshot_receiver.h"

void snapshot_receiver_begin(struct snapshot_receiver *intake, uint32_t rate)
{
    intake->begun = false;
    intake->newest = intake->acknowledge = 0;
    intake->apart = TICKS_PER_SECOND / (rate ? rate : TICKS_PER_SECOND);
    intake->assembly.head.tick = 0;
    if (intake->told)
        snapshot_history_clear(intake->told);
}

/// Whether a snapshot's baseline is here. One that a match before the present WELCOME still sent has none, and may bear
/// a tick far ahead: let into the assembly it would hold up all that follow. Everything begins with a full one.
static bool has_baseline(const struct snapshot_receiver *intake, tick baseline)
{
    if (baseline == 0)
        return true;
    if (!intake->begun)
        return false;
    return intake->told
               ? snapshot_history_at(intake->told, baseline) != NULL
               : (int32_t)(intake->newest - baseline) >= 0 && intake->newest - baseline < SNAPSHOT_HISTORY_TICKS;
}

static enum snapshot_history_result tell(struct snapshot_receiver *intake, const struct snapshot_head *head,
                                         const uint8_t *body, size_t count)
{
    enum snapshot_history_result answer = intake->told
                                              ? snapshot_history_insert(intake->told, intake->map, head, body, count)
                                              : SNAPSHOT_HISTORY_INSERTED;
    intake->counts.desyncs += answer == SNAPSHOT_HISTORY_DESYNC;
    intake->counts.taken += answer == SNAPSHOT_HISTORY_INSERTED;
    return answer;
}

/// One that later ones overtook: its world is true all the same, and a gap less for an interpolated view.
static void take_overtaken(struct snapshot_receiver *intake, const struct snapshot_head *head, const uint8_t *body,
                           size_t count)
{
    tick age = intake->newest - head->tick;
    if (head->parts > 1 || intake->newest == 0 || age >= SNAPSHOT_HISTORY_TICKS || intake->taken >> age & 1 ||
        tell(intake, head, body, count) != SNAPSHOT_HISTORY_INSERTED)
        return;
    intake->taken |= UINT64_C(1) << age;
    intake->counts.lost--;
}

/// Notes that it came, and which before it did not.
static void note(struct snapshot_receiver *intake, tick number)
{
    tick ahead = number - intake->newest;
    if (intake->newest == 0)
        intake->taken = UINT64_MAX; // none before the first is missed
    else
        intake->taken = (ahead < SNAPSHOT_HISTORY_TICKS ? intake->taken << ahead : 0) | 1;
    if (intake->newest && ahead > intake->apart)
        intake->counts.lost += ahead / intake->apart - 1;
    intake->newest = number;
}

enum snapshot_receiver_result snapshot_receiver_take(struct snapshot_receiver *intake, const struct snapshot_head *head,
                                                     const uint8_t *bytes, size_t byte_count)
{
    struct snapshot_assembly *assembly = &intake->assembly;
    if (!has_baseline(intake, head->baseline_tick)) {
        bool newer = intake->begun && (int32_t)(head->tick - intake->newest) > 0;
        intake->counts.lost += newer;
        intake->acknowledge = newer ? 0 : intake->acknowledge;
        return SNAPSHOT_RECEIVER_WAITS;
    }
    if (!snapshot_assembly_add(assembly, head, bytes, byte_count)) {
        take_overtaken(intake, head, bytes, byte_count);
        return SNAPSHOT_RECEIVER_WAITS;
    }
    note(intake, assembly->head.tick);
    bool held = tell(intake, &assembly->head, assembly->body, assembly->byte_count) == SNAPSHOT_HISTORY_INSERTED;
    intake->counts.lost += !held;
    intake->acknowledge = held ? assembly->head.tick : 0;
    intake->begun |= held;
    return held ? SNAPSHOT_RECEIVER_NEWEST : SNAPSHOT_RECEIVER_UNUSABLE;
}
