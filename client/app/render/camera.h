// SPDX-License-Identifier: MIT
//
// Where the picture stands in the map: follows the own player with a little look-ahead, never shows more outside of
// the arena than it must, shakes when something heavy lands. An arena that fits is framed and does not scroll.
#ifndef APP_RENDER_CAMERA_H
#define APP_RENDER_CAMERA_H

#include "core/view.h"

/// Further players that the picture is for, at one machine.
#define CAMERA_LOCAL_SLOTS 4

/// What the camera remembers.
struct camera {
    uint32_t local_slots[CAMERA_LOCAL_SLOTS], local_slot_count; ///< slots that are followed as well
    bool started;
    float x, y;           ///< middle of the picture, px
    float from_x, from_y; ///< the same a tick before
    float ahead;          ///< look-ahead along x, px
    int32_t shake;        ///< px, dies away
    bool free;            ///< moved by hand: it goes to free_x, free_y
    float free_x, free_y; ///< px
};

/// One tick. Follows the own player; when nobody is followed, the middle of all who live.
void camera_step(struct camera *camera, const struct view *view);

/// A jolt of some px; a stronger one wins.
void camera_jolt(struct camera *camera, int32_t px);

/// The map's pixel at the top-left corner of the canvas.
void camera_corner(const struct camera *camera, const struct view *view, int32_t *left, int32_t *top);

#endif
