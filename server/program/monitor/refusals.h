// SPDX-License-Identifier: MIT
//
// Writes to the log which households the server has refused and why: they join, ask or open sessions more often than
// they may. One line for each cause in ten seconds at most, however many were refused.
#ifndef MONITOR_REFUSALS_H
#define MONITOR_REFUSALS_H

#include "base/log.h"
#include "net/transport.h"

/// What has been logged. Zero-initialise.
struct refusals {
    uint64_t due_ns; ///< when to look again
    struct net_refusals logged;
};

/// Logs what was refused since the last line. Call it often; it looks once a second.
void refusals_log(struct refusals *refusals, const struct transport *transport, const struct log *log, uint64_t now_ns);

#endif
