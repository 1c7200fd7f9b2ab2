// SPDX-License-Identifier: MIT
#include "tick_clock.h"

#include "sync/world.h"

#define SECOND_NS 1000000000u

static uint64_t deadline_ns(const struct tick_clock *clock, uint64_t n)
{
    return clock->start_ns + n * SECOND_NS / TICKS_PER_SECOND;
}

void tick_clock_start(struct tick_clock *clock, uint64_t now_ns)
{
    clock->start_ns = now_ns;
    clock->next = 1;
}

uint64_t tick_clock_deadline_ns(const struct tick_clock *clock)
{
    return deadline_ns(clock, clock->next);
}

// Returns how many ticks are due.
static uint64_t count_due(const struct tick_clock *clock, uint64_t now_ns)
{
    if (now_ns < tick_clock_deadline_ns(clock))
        return 0;
    uint64_t passed = (now_ns - clock->start_ns) * TICKS_PER_SECOND / SECOND_NS;
    while (deadline_ns(clock, passed + 1) <= now_ns) // a deadline is rounded down
        passed++;
    return passed + 1 - clock->next;
}

uint32_t tick_clock_skip(struct tick_clock *clock, uint64_t now_ns)
{
    uint64_t due = count_due(clock, now_ns);
    if (due <= CLOCK_CATCH_UP_TICKS)
        return 0;
    uint64_t skipped = due - CLOCK_CATCH_UP_TICKS;
    clock->overruns++;
    clock->skipped += skipped;
    if (skipped > CLOCK_SKIP_TICKS_MAX) {
        clock->start_ns = now_ns - CLOCK_CATCH_UP_TICKS * (uint64_t)SECOND_NS / TICKS_PER_SECOND;
        clock->next = 1;
        return 0;
    }
    clock->next += skipped;
    return (uint32_t)skipped;
}

bool tick_clock_take(struct tick_clock *clock, uint64_t now_ns)
{
    uint64_t due = count_due(clock, now_ns);
    if (due == 0 || due > CLOCK_CATCH_UP_TICKS)
        return false;
    clock->late += due > 1;
    clock->next++;
    return true;
}
