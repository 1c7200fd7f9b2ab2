// SPDX-License-Identifier: MIT
//
// Warns in the log when the match stood still or ticks took too long, and says why if it is known: from the time that
// the kernel counts for the main thread in /proc/self/schedstat. Also which households the server has refused and why:
// they join, ask or open sessions more often than they may, or guess the password. A line at most every ten seconds for
// each cause.
#ifndef MONITOR_WARNINGS_H
#define MONITOR_WARNINGS_H

#include "base/log.h"
#include "net/transport.h"
#include "status.h"

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
struct warnings {
    uint64_t look_ns, refusals_due_ns, stalls_due_ns, slow_due_ns; ///< not before
    struct net_refusals refusals;                                  ///< as logged last
    struct stall_usage usage;                                      ///< at the last look
    enum stall_cause cause;                                        ///< of the newest stall
    uint64_t overruns_seen, skipped_seen;                          ///< of the clock, at the last look
    uint64_t overruns, skipped, slow;                              ///< of the clock and the ticks, as logged last
};

/// Returns the cause of a stall between two moments; most of what happened between them is the stall.
enum stall_cause warnings_stall_cause(const struct stall_usage *before, const struct stall_usage *after,
                                      uint64_t stall_ns);
/// Logs stalls and slow ticks since the last line. Call it between ticks; it looks once a second.
void warnings_log_stalls(struct warnings *warnings, const struct tick_clock *clock, const struct tick_stats *ticks,
                         const struct log *log, uint64_t now_ns);
/// Logs what was refused since the last line. Call it often; it looks once a second.
void warnings_log_refusals(struct warnings *warnings, const struct transport *transport, const struct log *log,
                           uint64_t now_ns);

#endif
