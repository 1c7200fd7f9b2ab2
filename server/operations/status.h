// SPDX-License-Identifier: MIT
//
// How the server does, for its operator: durations of ticks as main.c measures them, and one line with these, the
// traffic and the match's own counts.
#ifndef OPERATIONS_STATUS_H
#define OPERATIONS_STATUS_H

#include "match/clock.h"
#include "match/match.h"

/// Width and number of the histogram's classes: 50 us each, up to 25.6 ms.
#define STATUS_CLASS_US    50
#define STATUS_CLASS_COUNT 512

/// Zero-initialise.
struct status {
    uint64_t ticks, tick_ns_total, tick_ns_max;
    uint64_t classes[STATUS_CLASS_COUNT]; ///< ticks by duration; the last holds all beyond
};

/// Counts a tick that took this long.
void status_tick(struct status *status, uint64_t duration_ns);

/// The duration, us, that this many of a thousand ticks did not exceed; as exact as the classes are wide.
uint64_t status_tick_us(const struct status *status, uint32_t permille);

/// Writes the line.
void status_log(const struct status *status, const struct match *match, const struct tick_clock *clock,
                const struct log *log, enum log_level level);

#endif
