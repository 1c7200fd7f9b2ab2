// SPDX-License-Identifier: MIT
//
// Computes when ticks are due: absolute deadlines from one start, so that nothing drifts. Reads no clock; main.c passes
// the time. A server that was held up catches up by a few ticks at most; then time jumps, so that it cannot spiral.
#ifndef MATCH_TICK_CLOCK_H
#define MATCH_TICK_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/// The most ticks that are run at once to catch up.
#define CLOCK_CATCH_UP_TICKS 4

struct tick_clock {
    uint64_t start_ns; ///< deadline n is start_ns + n * 10^9 / 60
    uint64_t next;     ///< n of the next tick
    uint64_t overruns; ///< times that time jumped
};

/// Starts, or starts again after a sleep: the first tick is due one tick from now.
void tick_clock_start(struct tick_clock *clock, uint64_t now_ns);

/// Returns when the next tick is due, ns.
uint64_t tick_clock_deadline_ns(const struct tick_clock *clock);

/// Returns true when a tick is due: run it, and call again.
bool tick_clock_take(struct tick_clock *clock, uint64_t now_ns);

#endif
