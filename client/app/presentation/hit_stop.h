// SPDX-License-Identifier: MIT
//
// The hit stop: a kill that concerns somebody at this window holds the picture for a moment, with the victim white.
// Input and prediction go on behind it; then the picture catches up, half as fast again as the match. It stores the
// last frames that could have been drawn, so all that is drawn was so. Counts in ticks of the match; reads no clock.
#ifndef APP_PRESENTATION_HIT_STOP_H
#define APP_PRESENTATION_HIT_STOP_H

#include "app/render/camera.h"
#include "core/view.h"

/// How long the picture stands, ticks.
#define HIT_STOP_TICKS 5
/// From the end of one to the next at least, ticks.
#define HIT_STOP_APART_TICKS 30
/// Frames that are stored, at least half a tick apart.
#define HIT_STOP_FRAMES 20

/// One frame that could have been drawn.
struct hit_stop_frame {
    uint64_t moment;               ///< 1/256 tick
    struct view view;              ///< of the copies below
    struct world world, confirmed; ///< as the view had them
    struct world gone;             ///< what it held: only those arrows and chests
};

/// Zero-initialise, then hit_stop_create().
struct hit_stop {
    struct hit_stop_frame *frames; ///< HIT_STOP_FRAMES of them; NULL: nothing stops
    uint32_t frame_count;          ///< frames ever; the newest is at (frame_count - 1) % HIT_STOP_FRAMES
    uint32_t shown;                ///< frames ever of which the events have been shown
    bool runs;                     ///< the picture stands, or catches up
    uint64_t live_moment;          ///< of the newest frame, 1/256 tick
    uint64_t moment;               ///< that is drawn while it runs, 1/256 tick
    uint64_t left;                 ///< for which it still stands, 1/256 tick
    uint64_t ready_moment;         ///< before which none begins, 1/256 tick
    uint32_t victim;               ///< slot + 1 of who was hit while the picture stands; 0: nobody
    struct view view;
};

/// Allocates about 7 MB. Returns false when memory is out.
bool hit_stop_create(struct hit_stop *stop);
void hit_stop_destroy(struct hit_stop *stop);
/// Forgets everything, for another match.
void hit_stop_clear(struct hit_stop *stop);

/// Records the live view and returns the one to draw: the live one, or one of a moment before. Each event comes once.
struct view *hit_stop_record(struct hit_stop *stop, struct view *live, const struct camera *camera);

#endif
