// SPDX-License-Identifier: MIT
//
// The kill cam: when a kill has decided a round, shows it again, slower and slower toward the hit. It stores every
// second confirmed world of the last seconds in a ring that is allocated once, so what it shows has happened. Counts in
// ticks of the match; reads no clock.
#ifndef APP_PRESENTATION_KILL_CAM_H
#define APP_PRESENTATION_KILL_CAM_H

#include "app/hud/kill_story.h"

/// Worlds that are stored, one every KILL_CAM_EACH_TICKS.
#define KILL_CAM_WORLDS     64
#define KILL_CAM_EACH_TICKS 2
/// Shown before and after the kill, ticks. Together they take less time than a round is over.
#define KILL_CAM_BEFORE_TICKS 60
#define KILL_CAM_AFTER_TICKS  14

/// Zero-initialise, then kill_cam_create().
struct kill_cam {
    struct world *worlds;    ///< KILL_CAM_WORLDS of them; NULL: nothing is recorded or shown
    uint32_t world_count;    ///< worlds ever; the newest is at (world_count - 1) % KILL_CAM_WORLDS
    bool waits;              ///< a kill has decided a round and is not shown yet
    bool shows;              ///< it is being shown
    struct event kill;       ///< that kill
    struct kill_story story; ///< of it, while it is shown
    uint64_t moment;         ///< of the match that is shown, 1/256 tick
    uint64_t live_moment;    ///< of the match when it was, 1/256 tick
    uint32_t drawn;          ///< number of the world that was shown last
    struct view view;
};

/// Allocates about 6 MB. Returns false when memory is out.
bool kill_cam_create(struct kill_cam *cam);
void kill_cam_destroy(struct kill_cam *cam);
/// Forgets everything, for another match.
void kill_cam_clear(struct kill_cam *cam);

/// Records the live view. Returns the view to show instead, with the slot of the killer; NULL: show the live one.
struct view *kill_cam_record(struct kill_cam *cam, const struct view *live);

#endif
