// SPDX-License-Identifier: MIT
//
// The best run of each course is kept as its replay, and nothing else is: the time is what the replay takes when it is
// played again. So a record that was changed by hand is either played the same, or is none. Reads and writes files,
// never during a match.
#ifndef APP_TRIAL_TRIAL_RECORD_H
#define APP_TRIAL_TRIAL_RECORD_H

#include "base/error.h"
#include "course.h"
#include "sync/world.h"

/// A longer run is not kept: five minutes.
#define TRIAL_TICKS_MAX 18000

/// The buttons of one run, from the first tick on.
struct trial_run {
    uint32_t ticks;  ///< until the course was done; 0: there is no run
    uint32_t colour; ///< of who runs, 0 to 15
    uint8_t buttons[TRIAL_TICKS_MAX];
};

/// Plays the buttons and sets `ticks` to when they finish the course; 0 if they do not.
void trial_record_play(struct trial_run *run, const struct course *course, const struct map *map);

/// Reads the golden ghost of a course. False with an error if its file cannot be read.
bool trial_record_read_gold(struct trial_run *run, const struct course *course, const struct map *map,
                            struct error *error);

/// Reads the best run from a folder; none, if there is no file, or if it is of another course, version or map, damaged,
/// or does not finish.
void trial_record_read(struct trial_run *run, const struct course *course, const struct map *map, const char *folder);

/// Returns the ticks of the best run from before the game or the map of the course changed, which cannot be played any
/// more; 0: there is none.
uint32_t trial_record_old_ticks(const struct course *course, const struct map *map, const char *folder);

/// Writes a run that finishes; a record from before a change is kept beside it. False with an error.
bool trial_record_write(const struct trial_run *run, const struct course *course, const struct map *map,
                        const char *folder, struct error *error);

/// Writes the path of a record.
void trial_record_path(const struct course *course, const char *folder, char *path, size_t path_bytes);

#endif
