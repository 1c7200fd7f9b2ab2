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

/// What is reported on.
struct recording_stores {
    const struct settings *settings;
    const struct match *match;
    struct recorder *recorder, *journal; ///< whether the match uses them or not
};

/// Begins a replay of the match from now on, in a new file in a folder, which is created if needed. There must be no
/// recording yet. Does not wait for the disk. Removes old recordings there, in another thread, if the settings limit
/// them. False if too many recordings wait for the disk.
bool recording_begin(struct match *match, struct recorder *recorder, const char *folder,
                     const struct settings *settings, int64_t unix_time);

/// Ends the recording, if there is one, without waiting for the disk. If the match is over, the recording also gets the
/// secret of the dice; no roll may follow.
void recording_end(struct match *match, bool match_is_over);

/// Fills in the health of the recording and the journal, and logs once where a recording is, and that a fault has ended
/// one. Call it in each round of the main loop; `unix_s` is the time.
void recording_report(struct server_health *health, const struct recording_stores *stores, const struct log *log,
                      int64_t unix_s);

#endif
