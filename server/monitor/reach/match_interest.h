// SPDX-License-Identifier: MIT
//
// How good a match is to watch, so that a directory can show the best one. Counts people more than computer players,
// and a close match that is nearly won more than one that has just begun.
#ifndef MONITOR_MATCH_INTEREST_H
#define MONITOR_MATCH_INTEREST_H

#include "monitor/status_snapshot.h"

/// Returns the interest, 0 (nothing moves) to SERVER_FACTS_INTEREST_MAX.
uint32_t match_interest(const struct status_snapshot *snapshot);

#endif
