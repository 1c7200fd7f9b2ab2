// SPDX-License-Identifier: MIT
//
// Records a running match: begins and ends with the match or at an operator's command, and reports a disk that cannot
// store it. A fault ends the recording, never the match.
#ifndef LIFECYCLE_RECORDING_H
#define LIFECYCLE_RECORDING_H

#include "base/log.h"
#include "match/match.h"
#include "server_health.h"
#include "settings.h"

/// Begins a replay of the match from now on, in a new file in a directory, which is created if needed. There must be no
/// recording yet. The answer names the file; if this returns false, it says what is wrong.
bool recording_begin(struct match *match, const char *directory, int64_t unix_time, char *answer, size_t answer_bytes);

/// The same for a match that follows another: does not wait for the disk.
bool recording_follow(struct match *match, const char *directory, int64_t unix_time, char *answer, size_t answer_bytes);

/// Removes old recordings beside that of the match, in another thread, if the settings limit them. Call it when one has
/// begun.
void recording_retain(const struct match *match, const struct settings *settings, int64_t unix_time);

/// Ends the recording, if there is one. If the match is over, the recording also gets the secret of the dice; no roll
/// may follow. The answer names the file; if this returns false, it says what is wrong.
bool recording_end(struct match *match, bool match_is_over, char *answer, size_t answer_bytes);

/// Fills in the health of the recording and the journal, and logs once that a fault has ended one. Call it in each
/// round of the main loop; `unix_s` is the time.
void recording_report(struct server_health *health, const struct settings *settings, const struct match *match,
                      const struct log *log, int64_t unix_s);

#endif
