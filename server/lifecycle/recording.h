// SPDX-License-Identifier: MIT
//
// The recording of a running match: begun with it or by an operator, ended with it or by an operator, and what is told
// when the disk does not take it. A fault ends the recording, never the match.
#ifndef LIFECYCLE_RECORDING_H
#define LIFECYCLE_RECORDING_H

#include "match/match.h"
#include "options/log.h"

/// What has been told already. Zero-initialise.
struct recording_reported {
    bool recording, journal;
};

/// Begins a replay of this match from now on, in a file of its own in a directory that is made. Not while one is
/// written. The sentence says where, or, if false, why not.
bool recording_begin(struct match *match, const char *directory, int64_t unix_time, char *answer, size_t answer_bytes);
/// Ends it, where there is one. The sentence says where it is, or, if false, what is wrong with it.
bool recording_end(struct match *match, char *answer, size_t answer_bytes);
/// Tells once that a recording, or the journal, has ended by a fault. Call now and then.
void recording_report(struct recording_reported *told, const struct match *match, const struct log *log);

#endif
