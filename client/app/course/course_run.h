// SPDX-License-Identifier: MIT
//
// A course that is being played, stepped here without a server, so that it begins again at once. It stands still until
// the first button. Beside the player run up to two ghosts: their own best run, and the golden one; each is a world of
// its own that is stepped with recorded buttons. The best run of each course is kept as its replay, and nothing else
// is: the time is what the replay takes when it is played again, so a record that was changed by hand is either played
// the same, or is none. Knows no window and no clock.
#ifndef APP_COURSE_COURSE_RUN_H
#define APP_COURSE_COURSE_RUN_H

#include "base/error.h"
#include "core/view.h"
#include "course.h"
#include "sync/world.h"

/// A longer run is not kept: five minutes.
#define COURSE_TICKS_MAX 18000

/// The buttons of one run, from the first tick on.
struct course_record {
    uint32_t ticks;  ///< until the course was done; 0: there is no run
    uint32_t colour; ///< of who runs, 0 to 15
    uint8_t buttons[COURSE_TICKS_MAX];
};

/// Plays the buttons and sets `ticks` to when they finish the course; 0 if they do not.
void course_record_play(struct course_record *record, const struct course *course, const struct map *map);

/// Reads the golden ghost of a course. False with an error if its file cannot be read.
bool course_record_read_gold(struct course_record *record, const struct course *course, const struct map *map,
                             struct error *error);

/// Reads the best run from a folder; none, if there is no file, or if it is of another course, version or map, damaged,
/// or does not finish.
void course_record_read(struct course_record *record, const struct course *course, const struct map *map,
                        const char *folder);

/// Returns the ticks of the best run from before the game or the map of the course changed, which cannot be played any
/// more; 0: there is none.
uint32_t course_record_old_ticks(const struct course *course, const struct map *map, const char *folder);

/// The same of all courses, and the ticks of the best runs that can be played; 0: there is none.
void course_record_list(const char *folder, uint32_t ticks[COURSE_COUNT], uint32_t old_ticks[COURSE_COUNT]);

/// Writes a run that finishes; a record from before a change is kept beside it. False with an error.
bool course_record_write(const struct course_record *record, const struct course *course, const struct map *map,
                         const char *folder, struct error *error);

/// Writes the path of a record.
void course_record_path(const struct course *course, const char *folder, char *path, size_t path_bytes);

/// The ghosts.
enum { COURSE_GOLD, COURSE_OWN, COURSE_GHOSTS };

/// A run that is shown beside the player.
struct course_ghost {
    struct course_record record;
    struct world world;
};

/// One course. About 600 KB: allocate it once. Zero-initialise; closed while `course` is NULL.
struct course_run {
    const struct course *course;
    const char *folder;            ///< of the records; empty: none are kept
    uint32_t colour;               ///< of the player, 0 to 15; only seen, so a run is the same for everybody
    uint8_t hats[PLAYER_CAPACITY]; ///< enum hat by slot; that of the player is the first one
    struct map map;
    struct world world, before;
    struct player_input inputs[PLAYER_CAPACITY];
    struct course_record record; ///< what the player does now
    struct course_ghost ghosts[COURSE_GHOSTS];
    uint32_t best_before_ticks; ///< of the own record when this run began; 0: none
    bool is_done;
    bool is_new; ///< the course has begun again since the last view
    uint64_t due_us;
    struct view view;
};

/// Opens a course. Returns false with an error, and is closed, if its map cannot be read. A missing golden ghost is
/// none.
bool course_run_open(struct course_run *run, const struct course *course, const char *folder, struct error *error);
void course_run_close(struct course_run *run);
/// Begins the course again.
void course_run_restart(struct course_run *run);

/// Steps one tick with the buttons held; does nothing before the first button, and restarts a trial some moments after
/// its player has died. A run that beats the record is written at the end; false with an error if it cannot be.
bool course_run_step(struct course_run *run, uint32_t buttons, struct error *error);

/// Returns the ticks on the clock, which stands at the end.
uint32_t course_run_ticks(const struct course_run *run);
/// Returns whether a jump leads on: the result has been seen for some moments, so no jump of the run dismisses it.
bool course_run_leads_on(const struct course_run *run);
/// Returns the task that is next, from 0: the first flag or target, as the map lists them, that is not done; without
/// any, as many as are done.
uint32_t course_run_task(const struct course_run *run);
/// Fills the view between the last two ticks (0 to 256).
void course_run_fill_view(struct course_run *run, uint32_t between);

#endif
