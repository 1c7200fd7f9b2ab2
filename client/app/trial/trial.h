// SPDX-License-Identifier: MIT
//
// A course that is being played, stepped here without a server, so that it begins again at once. It stands still until
// the first button. Beside the player run up to two ghosts: their own best run, and the golden one; each is a world of
// its own that is stepped with recorded buttons. The best run of each course is kept as its replay, and nothing else
// is: the time is what the replay takes when it is played again, so a record that was changed by hand is either played
// the same, or is none. Knows no window and no clock.
#ifndef APP_TRIAL_TRIAL_H
#define APP_TRIAL_TRIAL_H

#include "base/error.h"
#include "core/view.h"
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

/// The ghosts.
enum { TRIAL_GOLD, TRIAL_OWN, TRIAL_GHOSTS };

/// A run that is shown beside the player.
struct trial_ghost {
    struct trial_run run;
    struct world world;
};

/// One course. About 600 KB: allocate it once. Zero-initialise; closed while `course` is NULL.
struct trial {
    const struct course *course;
    const char *folder;            ///< of the records; empty: none are kept
    uint32_t colour;               ///< of the player, 0 to 15; only seen, so a run is the same for everybody
    uint8_t hats[PLAYER_CAPACITY]; ///< enum hat by slot; that of the player is the first one
    struct map map;
    struct world world, before;
    struct player_input inputs[PLAYER_CAPACITY];
    struct trial_run run; ///< what the player does now
    struct trial_ghost ghosts[TRIAL_GHOSTS];
    uint32_t best_before_ticks; ///< of the own record when this run began; 0: none
    bool is_done;
    bool is_new; ///< the course has begun again since the last view
    uint64_t due_us;
    struct view view;
};

/// Opens a course. Returns false with an error, and is closed, if its map cannot be read. A missing golden ghost is
/// none.
bool trial_open(struct trial *trial, const struct course *course, const char *folder, struct error *error);
void trial_close(struct trial *trial);
/// Begins the course again.
void trial_restart(struct trial *trial);

/// Steps one tick with the buttons held; does nothing before the first button, and restarts a trial some moments after
/// its player has died. A run that beats the record is written at the end; false with an error if it cannot be.
bool trial_step(struct trial *trial, uint32_t buttons, struct error *error);

/// Returns the ticks on the clock, which stands at the end.
uint32_t trial_ticks(const struct trial *trial);
/// Returns whether a jump leads on: the result has been seen for some moments, so no jump of the run dismisses it.
bool trial_leads_on(const struct trial *trial);
/// Returns the task that is next, from 0: the first flag or target, as the map lists them, that is not done; without
/// any, as many as are done.
uint32_t trial_task(const struct trial *trial);
/// Fills the view between the last two ticks (0 to 256).
void trial_fill_view(struct trial *trial, uint32_t between);

#endif
