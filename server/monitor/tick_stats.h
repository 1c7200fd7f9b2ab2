// SPDX-License-Identifier: MIT
//
// Counts the durations of ticks, which main.c measures, and writes the log line that shows them with the traffic and
// the match's own counts.
#ifndef MONITOR_TICK_STATS_H
#define MONITOR_TICK_STATS_H

#include "match/match.h"
#include "match/tick_clock.h"

/// Width and number of the histogram's classes: 50 us each, up to 25.6 ms.
#define TICK_STATS_CLASS_US    50
#define TICK_STATS_CLASS_COUNT 512

/// Zero-initialise.
struct tick_stats {
    uint64_t ticks, tick_ns_total, tick_ns_max;
    uint64_t slow, slow_ns_last;              ///< ticks that took longer than a tick has; the duration of the last one
    uint64_t classes[TICK_STATS_CLASS_COUNT]; ///< ticks by duration; the last holds all beyond
};

/// Counts a tick of this duration.
void tick_stats_tick(struct tick_stats *status, uint64_t duration_ns);

/// Returns the duration, us, that this many of a thousand ticks did not exceed, to the width of a class.
uint64_t tick_stats_tick_us(const struct tick_stats *status, uint32_t permille);

/// Writes the log line.
void tick_stats_log(const struct tick_stats *status, const struct match *match, const struct tick_clock *clock,
                    const struct log *log, enum log_level level);

#endif
