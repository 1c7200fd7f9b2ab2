// SPDX-License-Identifier: MIT
//
// Whether a match outlives its server: where the journal is, which match may be gone on with, and what happens to one
// that may not. A fault of the journal costs the survival, never the match, and nothing that was stored is lost.
#ifndef LIFECYCLE_CRASH_RECOVERY_H
#define LIFECYCLE_CRASH_RECOVERY_H

#include "match/restore.h"
#include "settings.h"

/// Looks for the match that an earlier server of the same map and mode left, whatever it played last. True:
/// it goes on from `end`. Any other is put aside, under a name of its own.
bool crash_recovery_find(const struct settings *settings, const struct log *log, struct journal_end *end);
/// Begins the journal of a match that stands, unless the settings want none.
void crash_recovery_begin(const struct settings *settings, struct match *match, const struct log *log);
/// Ends it. The match can be gone on with if `keep`; else it was played to its planned end, and the journal goes.
void crash_recovery_end(const struct settings *settings, struct match *match, const struct log *log, bool keep);

#endif
