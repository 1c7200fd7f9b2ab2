// SPDX-License-Identifier: MIT
//
// Hands a drain on to the next server, so that a restart or an upgrade neither waits for it nor takes it back: a file
// in the state directory says until when it lasts. The next server drains for the rest of that time.
#ifndef LIFECYCLE_DRAIN_HANDOVER_H
#define LIFECYCLE_DRAIN_HANDOVER_H

#include "match/match.h"
#include "settings.h"

/// Writes the file if the match drains and the settings keep its state. `now` is s since 1970.
void drain_handover_leave(const struct settings *settings, const struct match *match, int64_t now);

/// Reads and removes the file. Returns how long the drain lasts from now on, ms, or DRAIN_NONE.
uint64_t drain_handover_take(const struct settings *settings, int64_t now);

#endif
