// SPDX-License-Identifier: MIT
//
// Counts the durations of ticks, which main.c measures, and writes the log line that shows them with the traffic and
// the match's own counts. Also warns in the log when the match stood still or ticks took too long, and says why if it
// is known: from the time that the kernel counts for the main thread in /proc/self/schedstat. A line at most every ten
// seconds for each.
#ifndef MONITOR_TICK_STATS_H
#define MONITOR_TICK_STATS_H

#include "base/log.h"
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

/// Why the main thread did not step the match.
enum stall_cause {
    STALL_UNKNOWN,
    STALL_WORK,    ///< it was busy itself
    STALL_NO_CPU,  ///< it could run, but others had the processors
    STALL_STOPPED, ///< it could not run: stopped, suspended, or waiting for a disk
};

/// The time of a thread since its start.
struct stall_usage {
    bool is_known;
    uint64_t ran_ns, waited_ns; ///< on a processor, and for one
};

/// Zero-initialise.
struct stall_log {
    uint64_t look_ns, stalls_due_ns, slow_due_ns; ///< not before
    struct stall_usage usage;                     ///< at the last look
    enum stall_cause cause;                       ///< of the newest stall
    uint64_t overruns_seen, skipped_seen;         ///< of the clock, at the last look
    uint64_t overruns, skipped, slow;             ///< of the clock and the ticks, as logged last
};

/// Returns the cause of a stall between two moments; most of what happened between them is the stall.
enum stall_cause tick_stats_stall_cause(const struct stall_usage *before, const struct stall_usage *after,
                                        uint64_t stall_ns);

/// Looks once a second, and writes what is new. Call between ticks.
void tick_stats_log_stalls(struct stall_log *stalls, const struct tick_clock *clock, const struct tick_stats *ticks,
                           const struct log *log, uint64_t now_ns);

#endif
