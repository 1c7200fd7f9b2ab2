// SPDX-License-Identifier: MIT
//
// Restores a match after a crash of its server: finds the journal, decides whether its match can be restored, and puts
// it aside if not. A fault of the journal costs the crash recovery, never the match, and nothing that was stored is
// lost.
#ifndef LIFECYCLE_CRASH_RECOVERY_H
#define LIFECYCLE_CRASH_RECOVERY_H

#include "match/journal.h"
#include "settings.h"

/// Looks for a match that an earlier server with the same configured map and mode left. Returns true and fills `end`
/// if there is one. Renames any other journal, so that it is kept.
bool crash_recovery_find(const struct settings *settings, const struct log *log, struct journal_end *end);

/// Begins the journal of a match, unless the settings turn it off, and waits until it is on the disk.
void crash_recovery_begin(const struct settings *settings, struct match *match, struct recorder *journal,
                          const struct log *log);

/// Begins the journal of a match that follows another: replaces its journal, and does not wait for the disk.
void crash_recovery_follow(const struct settings *settings, struct match *match, struct recorder *journal,
                           const struct log *log);

/// Ends the journal. With `keep` the match can be restored; without, it was played to its end, and the file is removed.
void crash_recovery_end(const struct settings *settings, struct match *match, const struct log *log, bool keep);

#endif
