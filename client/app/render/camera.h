// SPDX-License-Identifier: MIT
//
// The camera follows the viewer's player and looks a little ahead, shows no more outside of the arena than it must, and
// shakes when something heavy lands. It frames an arena that fits the picture without scrolling. In a larger one, it
// goes far away, to a fine picture, where someone who matters would be outside: people who share this window, and
// opponents once few are alive. On the way it zooms for some ticks: the fine picture is drawn, and a part of it shown.
#ifndef APP_RENDER_CAMERA_H
#define APP_RENDER_CAMERA_H

#include "app/gfx/canvas.h"
#include "core/view.h"
#include "director.h"

/// Further local players that the camera frames.
#define CAMERA_LOCAL_SLOTS 4

/// The state of the camera.
struct camera {
    uint32_t local_slots[CAMERA_LOCAL_SLOTS], local_slot_count; ///< slots that are followed as well
    enum canvas_shape shape;                                    ///< of the picture
    bool started;
    bool far;                  ///< it fills a fine picture
    bool nears;                ///< it is on its way near, but still fills a fine picture
    bool cuts;                 ///< it does not zoom on its way, for less motion
    float nearness;            ///< 0: all of the picture is shown; up to 1: a part as large as a near picture
    float near_x, near_y;      ///< middle of that part, px
    uint32_t near_ticks;       ///< since everybody who matters would be seen from near as well
    float x, y;                ///< middle of the picture, px
    float from_x, from_y;      ///< the same a tick before
    float ahead;               ///< look-ahead along x, px
    int32_t shake;             ///< px, dies away
    struct director director;  ///< of who only watches
    bool free;                 ///< controlled by the player: it goes to free_x, free_y
    float free_x, free_y;      ///< px
    uint32_t framed, unframed; ///< ticks of players at this window who lived in the picture, and outside of it
};

/// Moves the camera for one tick. It follows the viewer's player; without one, the director chooses the picture.
void camera_step(struct camera *camera, const struct view *view);

/// Chooses the shape of the picture; another one begins with a cut.
void camera_use_shape(struct camera *camera, enum canvas_shape shape);

/// Returns the width of the part of the arena that it shows, px.
static inline int32_t camera_width(const struct camera *camera)
{
    return canvas_shape_width(camera->shape) * (camera->far ? CANVAS_FINE : 1);
}

/// Returns the height of the part of the arena that it shows, px.
static inline int32_t camera_height(const struct camera *camera)
{
    return canvas_shape_height(camera->shape) * (camera->far ? CANVAS_FINE : 1);
}

/// Returns whether a slot belongs to a player at this window.
bool camera_is_local(const struct camera *camera, const struct view *view, uint32_t slot);

/// Shakes the camera by some px; a stronger shake that is under way goes on.
void camera_jolt(struct camera *camera, int32_t px);

/// Returns the part of the picture that is shown, pixels: all of it, except while the camera zooms.
struct rect camera_part(const struct camera *camera);

/// Returns the map's pixel at the top-left corner of the canvas.
void camera_corner(const struct camera *camera, const struct view *view, int32_t *left, int32_t *top);

#endif
