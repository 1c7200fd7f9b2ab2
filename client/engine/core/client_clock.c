// SPDX-License-Identifier: MIT
#include "client_clock.h"

#include <stdlib.h>

#include "base/clock.h"

#define SECOND_NS ((int64_t)CLOCK_SECOND_NS)
#define TICK_NS   (SECOND_NS / TICKS_PER_SECOND)

// Largest change of the lead in one tick.
#define STEER_NS (TICK_NS * 3 / 100)
// A tick that is taken so much too late is a stall of the client itself.
#define STALL_NS (TICK_NS * 5 / 2)
// A larger error is corrected at once.
#define HARD_NS (SECOND_NS / 4)
// The margin to keep for the worst input but the outliers. One lost packet costs one tick.
#define MARGIN_NS TICK_NS
// Ticks added to the round trip at a start: one for the server's tick, one for jitter.
#define START_TICKS 2
// A longer round trip means that a packet was lost and sent again. The server takes inputs at most 32 ticks ahead.
#define START_TRIP_US_MAX 500000
#define AHEAD_TICKS_MAX   32
// So many ticks without an input in time are more than a burst of losses.
#define STARVED_TICKS (CLIENT_CLOCK_WINDOW / 2)
// So many ticks without an input that end with inputs in time were a silence of the line: two lost messages.
#define CUT_TICKS (2 * INPUT_INTERVAL_TICKS)
// A longer lead can bridge a silence of so many ticks.
#define BRIDGED_TICKS 8
// If 16 reports in a row agree that inputs come so much too early, the route has become shorter.
#define EARLY_NS (TICK_NS * 3)
// Two late inputs in the window are outliers (p99 of 4 s); each shows in 16 reports.
#define OUTLIERS (2 * CLIENT_CLOCK_WINDOW)

static int64_t within(int64_t value, int64_t limit)
{
    return value > limit ? limit : value < -limit ? -limit : value;
}

static int64_t due_ns(const struct client_clock *clock, tick number)
{
    int64_t ticks = (int32_t)(number - clock->origin_tick);
    return (int64_t)clock->origin_ns + ticks * SECOND_NS / TICKS_PER_SECOND - clock->lead_ns;
}

void client_clock_start(struct client_clock *clock, tick server_tick, uint64_t round_trip_us, uint64_t now_us)
{
    uint32_t restarts = clock->running ? clock->restarts + 1 : 0;
    uint64_t trip_us = round_trip_us < START_TRIP_US_MAX ? round_trip_us : START_TRIP_US_MAX;
    tick ahead = (tick)(trip_us * TICKS_PER_SECOND / 1000000) + START_TICKS;
    tick first = server_tick + ahead;
    if (clock->running && (int32_t)(first - clock->tick) <= 0)
        first = clock->tick + 1;
    *clock = (struct client_clock){.running = true,
                                   .tick = first - 1,
                                   .origin_tick = first,
                                   .steady_tick = first + CLIENT_CLOCK_WINDOW,
                                   .leapt_tick = first - 1,
                                   .origin_ns = now_us * 1000,
                                   .restarts = restarts,
                                   .stalls = clock->stalls};
}

bool client_clock_is_behind(const struct client_clock *clock, tick server_tick, uint64_t now_us)
{
    return due_ns(clock, server_tick) > (int64_t)now_us * 1000;
}

uint64_t client_clock_due_us(const struct client_clock *clock)
{
    if (!clock->running)
        return UINT64_MAX;
    int64_t due = due_ns(clock, clock->tick + 1);
    return due > 0 ? ((uint64_t)due + 999) / 1000 : 0;
}

// Inputs before `first` say nothing about the route, and margins nothing until the inputs of 16 more ticks have
// arrived.
static void disregard(struct client_clock *clock, tick first)
{
    clock->steady_tick = first + CLIENT_CLOCK_WINDOW;
    clock->leapt_tick = first - 1;
    clock->reports_since_leap = 0;
}

bool client_clock_resume(struct client_clock *clock, tick server_tick, uint64_t now_us)
{
    int64_t behind_ns = (int64_t)now_us * 1000 - due_ns(clock, clock->tick + 1);
    tick now = clock->tick + (behind_ns > 0 ? (tick)(behind_ns / TICK_NS) : 0);
    if (!clock->running || now - server_tick > AHEAD_TICKS_MAX)
        return false;
    clock->tick = now;
    clock->stalled = false;
    clock->heard_us = 0;
    clock->cut_ticks = 0;
    clock->leap_ns = 0;
    disregard(clock, now + 1);
    return true;
}

tick client_clock_advance(struct client_clock *clock, uint64_t now_us)
{
    int64_t behind = (int64_t)now_us * 1000 - due_ns(clock, clock->tick + 1);
    // If the ticks up to the present are late because the client itself was, they say nothing.
    bool stalled = behind > STALL_NS;
    clock->stalls += stalled && !clock->stalled;
    clock->stalled = stalled;
    if (stalled)
        disregard(clock, clock->tick + 1 + (tick)(behind / TICK_NS));
    clock->tick += behind > HARD_NS ? (tick)(behind / TICK_NS) : 0;
    clock->tick++;
    clock->leads_ns[clock->tick % CLIENT_CLOCK_LEADS] = clock->lead_ns;
    int64_t leap_ns = within(clock->leap_ns, TICK_NS);
    clock->leap_ns -= leap_ns;
    clock->lead_ns += leap_ns;
    clock->lead_ns += within(clock->target_ns - clock->lead_ns - clock->leap_ns, STEER_NS);
    return clock->tick;
}

// Returns the smallest margin but for the outliers.
static int64_t low_margin(const struct client_clock *clock)
{
    uint32_t count = clock->margins < CLIENT_CLOCK_MARGINS ? clock->margins : CLIENT_CLOCK_MARGINS;
    uint32_t keep = count * OUTLIERS / CLIENT_CLOCK_MARGINS + 1, kept = 0;
    int64_t low[OUTLIERS + 1];
    for (uint32_t i = 0; i < count; i++) {
        int64_t margin = clock->margins_ns[i];
        uint32_t at = kept < keep ? kept++ : keep;
        for (; at > 0 && low[at - 1] > margin; at--) {
            if (at < keep)
                low[at] = low[at - 1];
        }
        if (at < keep)
            low[at] = margin;
    }
    return low[keep - 1];
}

// Takes a report. Returns whether an input is missed now that was not the first within 16 reports, all for ticks after
// the last leap.
static bool is_late_twice(struct client_clock *clock, struct client_clock_report report)
{
    if ((int32_t)(report.snapshot_tick - clock->leapt_tick) <= 0)
        return false;
    uint32_t *slot = &clock->missed[clock->reports_since_leap % CLIENT_CLOCK_WINDOW];
    uint32_t newest = clock->missed[(clock->reports_since_leap - 1) % CLIENT_CLOCK_WINDOW];
    uint32_t first = clock->reports_since_leap == 0 ? report.inputs_missed : clock->missed[0];
    uint32_t before = clock->reports_since_leap < CLIENT_CLOCK_WINDOW ? first : *slot;
    bool now = clock->reports_since_leap > 0 && newest != report.inputs_missed;
    *slot = report.inputs_missed;
    clock->reports_since_leap++;
    return now && ((report.inputs_missed - before) & 0xFFFF) >= 2 && report.margin_quarter_ticks < 0;
}

// Adds to the lead, up to a tick with each tick, or takes from it.
static void leap(struct client_clock *clock, int64_t leap_ns)
{
    int64_t now_ns = leap_ns > 0 ? within(leap_ns, TICK_NS) : 0;
    clock->lead_ns += now_ns;
    clock->leap_ns = leap_ns - now_ns;
    clock->leapt_tick = clock->tick + (tick)(llabs(clock->leap_ns) / TICK_NS);
    clock->reports_since_leap = 0;
}

// If the newest 16 margins agree that inputs come far too early, forgets the older ones and makes up for it.
static void follow_shorter_route(struct client_clock *clock)
{
    int64_t low = INT64_MAX;
    for (uint32_t i = 1; i <= CLIENT_CLOCK_WINDOW && i <= clock->margins; i++) {
        int64_t margin = clock->margins_ns[(clock->margins - i) % CLIENT_CLOCK_MARGINS];
        low = margin < low ? margin : low;
    }
    int64_t early = clock->lead_ns + low - MARGIN_NS;
    if (clock->margins < CLIENT_CLOCK_WINDOW || early < EARLY_NS || clock->leap_ns != 0)
        return;
    clock->margins = 1;
    clock->margins_ns[0] = low;
    clock->target_ns = MARGIN_NS - low;
    leap(clock, -early);
}

// The line was silent for some ticks, one way or both. What was sent into that says nothing about the route afterwards.
// But if it happens again within the window, and a longer lead can bridge it, that is how the route is.
static void end_silence(struct client_clock *clock, uint64_t ticks)
{
    bool again = clock->tick - clock->silence_tick <= CLIENT_CLOCK_MARGINS;
    clock->silence_tick = clock->tick;
    if (!again || ticks > BRIDGED_TICKS)
        disregard(clock, clock->tick + 1);
}

static void notice_silence(struct client_clock *clock, struct client_clock_report report)
{
    uint64_t silence_ns = clock->heard_us == 0 ? 0 : (report.arrival_us - clock->heard_us) * 1000;
    if (silence_ns > (4 * report.interval_ticks + 3) * (uint64_t)TICK_NS / 2)
        end_silence(clock, silence_ns / TICK_NS);
    clock->heard_us = report.arrival_us;
    int32_t starved = report.input_tick == 0 ? 0 : (int32_t)(report.snapshot_tick - report.input_tick);
    if (starved >= CUT_TICKS) {
        clock->cut_ticks = (uint32_t)starved;
    } else if (clock->cut_ticks != 0) {
        end_silence(clock, clock->cut_ticks);
        clock->cut_ticks = 0;
    }
}

void client_clock_report(struct client_clock *clock, struct client_clock_report report)
{
    if (!clock->running)
        return;
    notice_silence(clock, report);
    // The margin itself says which input was the newest when the snapshot was made.
    tick newest = report.snapshot_tick + (tick)(report.margin_quarter_ticks / 4);
    // The route has become longer if inputs arrive, but none in time, not even those since the last leap or silence.
    bool answered = (int32_t)(report.snapshot_tick - clock->leapt_tick) >= INPUT_INTERVAL_TICKS;
    bool longer = answered && report.margin_quarter_ticks < 0 &&
                  (report.input_tick == 0 || (int32_t)(report.snapshot_tick - report.input_tick) >= STARVED_TICKS);
    bool known = clock->tick - newest < CLIENT_CLOCK_LEADS - CLIENT_CLOCK_WINDOW;
    if (!known || (!longer && (int32_t)(newest - clock->steady_tick) < 0))
        return;
    int64_t margin = report.margin_quarter_ticks * TICK_NS / 4;
    // While the lead grows, the least margin of 16 inputs is that of the oldest; while it shrinks, that of the newest.
    int64_t oldest = clock->leads_ns[(newest - (CLIENT_CLOCK_WINDOW - 1)) % CLIENT_CLOCK_LEADS];
    int64_t lead = clock->leads_ns[newest % CLIENT_CLOCK_LEADS];
    lead = oldest < lead ? oldest : lead;
    if (longer)
        clock->margins = 0; // those of the old route
    clock->margins_ns[clock->margins++ % CLIENT_CLOCK_MARGINS] = margin - lead;
    clock->target_ns = MARGIN_NS - low_margin(clock);
    int64_t error = clock->target_ns - clock->lead_ns;
    if (error > HARD_NS || error < -HARD_NS) {
        clock->lead_ns = clock->target_ns;
        clock->leap_ns = 0;
        clock->restarts++;
        disregard(clock, clock->tick + 1);
    } else if (longer) {
        leap(clock, error > 0 ? error : 0);
    } else if (is_late_twice(clock, report)) {
        leap(clock, TICK_NS);
    } else {
        follow_shorter_route(clock);
    }
}

uint32_t client_clock_between(const struct client_clock *clock, uint64_t now_us)
{
    int64_t last = due_ns(clock, clock->tick), next = due_ns(clock, clock->tick + 1);
    int64_t since = (int64_t)now_us * 1000 - last;
    return since <= 0 ? 0 : since >= next - last ? 256 : (uint32_t)(since * 256 / (next - last));
}

// --- the inputs of the ticks

_Static_assert(CLIENT_INPUTS_TICKS > INPUT_BATCH_CAPACITY, "a batch is taken from the kept inputs");

void client_inputs_begin(struct client_inputs *inputs, tick now)
{
    inputs->newest = now;
    inputs->first = now + 1;
    inputs->changed = now + 1;
    inputs->sent = now;
}

void client_inputs_add(struct client_inputs *inputs, tick now, const struct local_inputs *added, uint64_t now_us)
{
    if (now != inputs->first && !local_seats_hold_same(added, &inputs->of[inputs->newest % CLIENT_INPUTS_TICKS]))
        inputs->changed = now;
    for (tick i = 0; i < now - inputs->newest && i < CLIENT_INPUTS_TICKS; i++) {
        inputs->of[(now - i) % CLIENT_INPUTS_TICKS] = *added;
        inputs->sent_us[(now - i) % CLIENT_INPUTS_TICKS] = now_us;
    }
    inputs->newest = now;
}

void client_inputs_confirm(struct client_inputs *inputs, tick number)
{
    if ((int32_t)(number - inputs->confirmed) > 0)
        inputs->confirmed = number;
}

bool client_inputs_age(const struct client_inputs *inputs, tick number, uint64_t now_us, uint32_t *age_us)
{
    bool own = (int32_t)(number - inputs->first) >= 0 && (int32_t)(inputs->confirmed - number) >= 0 &&
               inputs->newest - number < CLIENT_INPUTS_TICKS;
    if (own)
        *age_us = (uint32_t)(now_us - inputs->sent_us[number % CLIENT_INPUTS_TICKS]);
    return own;
}

bool client_inputs_due(const struct client_inputs *inputs)
{
    return inputs->confirmed == 0 || inputs->newest - inputs->changed < INPUT_INTERVAL_TICKS ||
           inputs->newest - inputs->sent >= INPUT_INTERVAL_TICKS;
}

void client_inputs_batch(struct client_inputs *inputs, tick world_tick, struct input_message *batch)
{
    // Those that the server neither holds nor has stepped past; at least one.
    uint32_t unconfirmed = inputs->newest - inputs->confirmed, undone = inputs->newest - world_tick;
    uint32_t kept = inputs->newest - inputs->first + 1;
    uint32_t count = inputs->confirmed && unconfirmed < undone ? unconfirmed : undone;
    count = count < kept ? count : kept;
    inputs->sent = inputs->newest;
    batch->newest_tick = inputs->newest;
    batch->count = count == 0 ? 1 : count < INPUT_BATCH_CAPACITY ? count : INPUT_BATCH_CAPACITY;
    for (uint32_t i = 0; i < batch->count; i++)
        batch->inputs[i] = inputs->of[(batch->newest_tick - (batch->count - 1) + i) % CLIENT_INPUTS_TICKS];
}
