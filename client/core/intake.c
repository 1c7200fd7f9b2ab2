// SPDX-License-Identifier: MIT
#include "intake.h"

void intake_begin(struct intake *intake, uint32_t rate)
{
    intake->begun = false;
    intake->newest = intake->acknowledge = 0;
    intake->apart = TICKS_PER_SECOND / (rate ? rate : TICKS_PER_SECOND);
    intake->assembly.head.tick = 0;
    if (intake->told)
        told_forget(intake->told);
}

/// Whether a snapshot's baseline is here. One that a match before the present WELCOME still sent has none, and may bear
/// a tick far ahead: let into the assembly it would hold up all that follow. Everything begins with a full one.
static bool has_baseline(const struct intake *intake, tick baseline)
{
    if (baseline == 0)
        return true;
    if (!intake->begun)
        return false;
    return intake->told ? told_at(intake->told, baseline) != NULL
                        : (int32_t)(intake->newest - baseline) >= 0 && intake->newest - baseline < TOLD_TICKS;
}

static enum told_answer tell(struct intake *intake, const struct snapshot_head *head, const uint8_t *body, size_t count)
{
    enum told_answer answer = intake->told ? told_take(intake->told, intake->map, head, body, count) : TOLD_HELD;
    intake->counts.desyncs += answer == TOLD_DESYNC;
    intake->counts.taken += answer == TOLD_HELD;
    return answer;
}

/// One that later ones overtook: its world is true all the same, and a gap less for an interpolated view.
static void take_overtaken(struct intake *intake, const struct snapshot_head *head, const uint8_t *body, size_t count)
{
    tick age = intake->newest - head->tick;
    if (head->parts > 1 || intake->newest == 0 || age >= TOLD_TICKS || intake->taken >> age & 1 ||
        tell(intake, head, body, count) != TOLD_HELD)
        return;
    intake->taken |= UINT64_C(1) << age;
    intake->counts.lost--;
}

/// Notes that it came, and which before it did not.
static void note(struct intake *intake, tick number)
{
    tick ahead = number - intake->newest;
    if (intake->newest == 0)
        intake->taken = UINT64_MAX; // none before the first is missed
    else
        intake->taken = (ahead < TOLD_TICKS ? intake->taken << ahead : 0) | 1;
    if (intake->newest && ahead > intake->apart)
        intake->counts.lost += ahead / intake->apart - 1;
    intake->newest = number;
}

enum intake_answer intake_take(struct intake *intake, const struct snapshot_head *head, const uint8_t *bytes,
                               size_t byte_count)
{
    struct snapshot_assembly *assembly = &intake->assembly;
    if (!has_baseline(intake, head->baseline_tick)) {
        bool newer = intake->begun && (int32_t)(head->tick - intake->newest) > 0;
        intake->counts.lost += newer;
        intake->acknowledge = newer ? 0 : intake->acknowledge;
        return INTAKE_WAITS;
    }
    if (!snapshot_assembly_add(assembly, head, bytes, byte_count)) {
        take_overtaken(intake, head, bytes, byte_count);
        return INTAKE_WAITS;
    }
    note(intake, assembly->head.tick);
    bool held = tell(intake, &assembly->head, assembly->body, assembly->byte_count) == TOLD_HELD;
    intake->counts.lost += !held;
    intake->acknowledge = held ? assembly->head.tick : 0;
    intake->begun |= held;
    return held ? INTAKE_NEWEST : INTAKE_UNUSABLE;
}
