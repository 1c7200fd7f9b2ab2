// SPDX-License-Identifier: MIT
//
// A course that is being played, stepped here without a server, so that it begins again at once. It stands still until
// the first button. Beside the player run up to two ghosts: their own best run, and the golden one; each is a world of
// its own that is stepped with recorded buttons. Knows no window and no clock.
#ifndef APP_TRIAL_TRIAL_H
#define APP_TRIAL_TRIAL_H

#include "core/view.h"
#include "trial_record.h"

/// The ghosts.
enum { TRIAL_GOLD, TRIAL_OWN, TRIAL_GHOSTS };

/// A run that is shown beside the player.
struct trial_ghost {
    struct trial_run run;
    struct world world;
};

/// One course. About 900 KB: allocate it once. Zero-initialise; closed while `course` is NULL.
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
