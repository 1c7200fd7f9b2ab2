// SPDX-License-Identifier: MIT
//
// Warns in the log when the match stood still or ticks took too long, and says why if it is known: from the time that
// the kernel counts for the main thread in /proc/self/schedstat. A line at most every ten seconds for each.
#ifndef MONITOR_STALL_LOG_H
#define MONITOR_STALL_LOG_H

#include "base/log.h"
#include "match/tick_clock.h"
#include "tick_stats.h"

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
enum stall_cause stall_log_cause(const struct stall_usage *before, const struct stall_usage *after, uint64_t stall_ns);

/// Looks once a second, and writes what is new. Call between ticks.
void stall_log_write(struct stall_log *stalls, const struct tick_clock *clock, const struct tick_stats *ticks,
                     const struct log *log, uint64_t now_ns);

#endif
