// SPDX-License-Identifier: MIT
//
// What is kept of the player from one run to the next: preferences, statistics and what servers have on record, and
// where the files are. While a match is changed, its map, mode, bots and variants are chosen among the preferences, and
// those that were chosen for the next match are kept beside them.
#ifndef APP_PROFILE_H
#define APP_PROFILE_H

#include "app/config/preferences.h"
#include "app/config/statistics.h"
#include "app/servers/server_records.h"
#include "base/log.h"
#include "settings.h"

#define PROFILE_PATH_BYTES 4096

/// Where the player's files are; each is empty if there is no folder for it.
struct profile_paths {
    char preferences[PROFILE_PATH_BYTES];
    char statistics[PROFILE_PATH_BYTES];
    char records[PROFILE_PATH_BYTES]; ///< of servers
    char clips[PROFILE_PATH_BYTES];   ///< folder, made when there is a clip; as all that follow
    char replays[PROFILE_PATH_BYTES]; ///< made when the profile is read
    char trials[PROFILE_PATH_BYTES];  ///< the best runs
    char lists[PROFILE_PATH_BYTES];   ///< of directories
    char cards[PROFILE_PATH_BYTES];   ///< of replays
};

/// A player at this machine. About 290 KB.
struct profile {
    struct profile_paths paths;
    struct preferences preferences;
    bool unsaved;              ///< the preferences have changed
    bool changes_match;        ///< their choices for a match are of the one that is played, until it is changed or not
    struct preferences chosen; ///< of these only those choices, as Host has them
    struct statistics statistics;
    bool statistics_unsaved;
    struct server_records records;
};

/// Finds and reads the files, and lets the command line override the preferences. Bad files are logged and give what a
/// new player has; writes what the player must know of them to `preferences_fault` and `statistics_fault`, else "".
void profile_read(struct profile *profile, const struct settings *settings, const struct log *log,
                  char preferences_fault[ERROR_TEXT_BYTES], char statistics_fault[ERROR_TEXT_BYTES]);
/// Writes the preferences if they have changed.
void profile_save_preferences(struct profile *profile, const struct log *log);
/// Writes the statistics, and what servers have on record, if they have changed and are kept.
void profile_save_statistics(struct profile *profile, const struct log *log);

/// Begins to change a match that is played: what is chosen now is kept, and the caller sets what is played.
void profile_begin_change(struct profile *profile);
/// Ends that without a change: what was chosen for the next match is chosen again. Does nothing if none was begun.
void profile_cancel_change(struct profile *profile);

#endif
