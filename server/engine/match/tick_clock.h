// SPDX-License-Identifier: MIT
//
// Computes when ticks are due: absolute deadlines from one start, so that nothing drifts. Reads no clock; main.c passes
// the time. A server that was held up catches up by a few ticks at most, so that it cannot spiral. It skips the ticks
// before them: the match stands still for so many, and the numbers of ticks stay those of the clients' clocks.
#ifndef MATCH_TICK_CLOCK_H
#define MATCH_TICK_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/// The most ticks that are run at once to catch up.
#define CLOCK_CATCH_UP_TICKS 4
/// The most ticks that are skipped at once, 5 s: no client stays for longer.
#define CLOCK_SKIP_TICKS_MAX 300

struct tick_clock {
    uint64_t start_ns; ///< deadline n is start_ns + n * 10^9 / 60
    uint64_t next;     ///< n of the next tick
    uint64_t overruns; ///< times that more were due than are caught up on
    uint64_t skipped;  ///< ticks that were not caught up on, since the beginning
    uint64_t late;     ///< ticks that were taken when the next one was due, too
};

/// Starts, or starts again after a sleep: the first tick is due one tick from now.
void tick_clock_start(struct tick_clock *clock, uint64_t now_ns);

/// Returns when the next tick is due, ns.
uint64_t tick_clock_deadline_ns(const struct tick_clock *clock);

/// Skips the ticks that are due beyond those to catch up on, and returns how many: the match must stand still for them.
/// If they are more than CLOCK_SKIP_TICKS_MAX, the clock starts again instead, and returns 0.
uint32_t tick_clock_skip(struct tick_clock *clock, uint64_t now_ns);

/// Returns true when a tick is due: run it, and call again. False, too, if some must be skipped first.
bool tick_clock_take(struct tick_clock *clock, uint64_t now_ns);

#endif
