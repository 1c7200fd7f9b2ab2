// SPDX-License-Identifier: MIT
#include "client_clock.h"

#include <string.h>

#define SECOND_NS INT64_C(1000000000)
#define TICK_NS   (SECOND_NS / TICKS_PER_SECOND)

// Largest change of the lead in one tick.
#define FASTER_NS (TICK_NS * 3 / 100)
#define SLOWER_NS (TICK_NS * 1 / 100)
// A larger error is corrected at once.
#define HARD_NS (SECOND_NS / 4)
// The margin to keep for the worst input but the outliers. One lost packet costs one tick.
#define MARGIN_NS TICK_NS
// Ticks added to the round trip at a start: one for the server's tick, one for jitter.
#define START_TICKS 2
// A longer round trip means that a packet was lost and sent again. The server takes inputs at most 32 ticks ahead.
#define START_TRIP_US_MAX 500000
// So many ticks without an input in time are more than a burst of losses.
#define STARVED_TICKS (CLIENT_CLOCK_WINDOW / 2)
// Two late inputs in the window are outliers (p99 of 4 s); each shows in 16 reports.
#define OUTLIERS (2 * CLIENT_CLOCK_WINDOW)

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
                                   .restarts = restarts};
}

uint64_t client_clock_due_us(const struct client_clock *clock)
{
    if (!clock->running)
        return UINT64_MAX;
    int64_t due = due_ns(clock, clock->tick + 1);
    return due > 0 ? ((uint64_t)due + 999) / 1000 : 0;
}

// Counts a resync. Margins mean nothing until the inputs of 16 more ticks have arrived.
static void begin_resync(struct client_clock *clock)
{
    clock->restarts++;
    clock->steady_tick = clock->tick + 1 + CLIENT_CLOCK_WINDOW;
}

tick client_clock_advance(struct client_clock *clock, uint64_t now_us)
{
    int64_t behind = (int64_t)now_us * 1000 - due_ns(clock, clock->tick + 1);
    if (behind > HARD_NS) {
        clock->tick += (tick)(behind / TICK_NS);
        begin_resync(clock);
    }
    clock->tick++;
    clock->leads_ns[clock->tick % CLIENT_CLOCK_LEADS] = clock->lead_ns;
    int64_t leap_ns = clock->leap_ns < TICK_NS ? clock->leap_ns : TICK_NS;
    clock->leap_ns -= leap_ns;
    clock->lead_ns += leap_ns;
    int64_t error = clock->target_ns - clock->lead_ns - clock->leap_ns;
    clock->lead_ns += error > FASTER_NS ? FASTER_NS : error < -SLOWER_NS ? -SLOWER_NS : error;
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

// Takes a report. Returns whether two inputs were missed within 16 reports, both for ticks after the last leap.
static bool is_late_twice(struct client_clock *clock, struct client_clock_report report)
{
    if ((int32_t)(report.snapshot_tick - clock->leapt_tick) <= 0)
        return false;
    uint32_t *slot = &clock->missed[clock->reports_since_leap % CLIENT_CLOCK_WINDOW];
    uint32_t first = clock->reports_since_leap == 0 ? report.inputs_missed : clock->missed[0];
    uint32_t before = clock->reports_since_leap < CLIENT_CLOCK_WINDOW ? first : *slot;
    *slot = report.inputs_missed;
    clock->reports_since_leap++;
    return ((report.inputs_missed - before) & 0xFFFF) >= 2 && report.margin_quarter_ticks < 0;
}

// Returns whether inputs arrive, but none in time.
static bool is_starved(const struct client_clock *clock, struct client_clock_report report)
{
    bool answered = (int32_t)(report.snapshot_tick - clock->leapt_tick) > 0;
    return answered && report.margin_quarter_ticks < 0 &&
           (report.input_tick == 0 || (int32_t)(report.snapshot_tick - report.input_tick) >= STARVED_TICKS);
}

static void leap(struct client_clock *clock, int64_t leap_ns)
{
    int64_t now_ns = leap_ns < TICK_NS ? leap_ns : TICK_NS;
    clock->lead_ns += now_ns;
    clock->leap_ns = leap_ns - now_ns;
    clock->leapt_tick = clock->tick + (tick)(clock->leap_ns / TICK_NS);
    clock->reports_since_leap = 0;
}

void client_clock_report(struct client_clock *clock, struct client_clock_report report)
{
    // The margin itself says which input was the newest when the snapshot was made.
    tick newest = report.snapshot_tick + (tick)(report.margin_quarter_ticks / 4);
    bool known =
        (int32_t)(newest - clock->steady_tick) >= 0 && clock->tick - newest < CLIENT_CLOCK_LEADS - CLIENT_CLOCK_WINDOW;
    if (!clock->running || !known)
        return;
    int64_t margin = report.margin_quarter_ticks * TICK_NS / 4;
    // While the lead grows, the least margin of 16 inputs is that of the oldest. While it shrinks, it shrinks slowly,
    // so the error is small.
    int64_t lead = clock->leads_ns[(newest - (CLIENT_CLOCK_WINDOW - 1)) % CLIENT_CLOCK_LEADS];
    bool longer = is_starved(clock, report);
    if (longer)
        clock->margins = 0; // those of the old route
    clock->margins_ns[clock->margins++ % CLIENT_CLOCK_MARGINS] = margin - lead;
    clock->target_ns = MARGIN_NS - low_margin(clock);
    int64_t error = clock->target_ns - clock->lead_ns;
    if (error > HARD_NS || error < -HARD_NS) {
        clock->lead_ns = clock->target_ns;
        clock->leap_ns = 0;
        begin_resync(clock);
    } else if (longer) {
        leap(clock, error > 0 ? error : 0);
    } else if (is_late_twice(clock, report)) {
        leap(clock, TICK_NS);
    }
}

uint32_t client_clock_between(const struct client_clock *clock, uint64_t now_us)
{
    int64_t last = due_ns(clock, clock->tick), next = due_ns(clock, clock->tick + 1);
    int64_t since = (int64_t)now_us * 1000 - last;
    return since <= 0 ? 0 : since >= next - last ? 256 : (uint32_t)(since * 256 / (next - last));
}
