// SPDX-License-Identifier: MIT
#include "tick_clock.h"

#include "game/input.h"

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

bool tick_clock_take(struct tick_clock *clock, uint64_t now_ns)
{
    if (now_ns < tick_clock_deadline_ns(clock))
        return false;
    if (now_ns >= deadline_ns(clock, clock->next + CLOCK_CATCH_UP_TICKS)) {
        // Start again, so that the last of the ticks that are caught up on is due right now.
        clock->start_ns = now_ns - CLOCK_CATCH_UP_TICKS * (uint64_t)SECOND_NS / TICKS_PER_SECOND;
        clock->next = 1;
        clock->overruns++;
    }
    clock->next++;
    return true;
}
