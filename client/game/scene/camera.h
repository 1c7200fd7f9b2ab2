// SPDX-License-Identifier: MIT
//
// What part of the map is in the picture: the camera that follows players, the director who chooses what it shows while
// nobody plays here, and the camera of a spectator.
#ifndef SCENE_CAMERA_H
#define SCENE_CAMERA_H

#include "core/view.h"
#include "window/canvas.h"

// --- director.c
//
// The director frames a match for somebody who only watches: it finds where opponents are about to meet, and shows that
// from near, or from far away where much is going on at once. A shot lasts: the picture stands still while what matters
// stays well inside, glides there if it must, and cuts seldom. Pure function of views; it knows the past, no future.

/// A shot. Zero-initialise.
struct director {
    enum canvas_shape shape; ///< of the picture
    bool started;
    bool far;              ///< it shows a fine picture
    float x, y;            ///< middle of the picture, px
    float aim_x, aim_y;    ///< where it glides to
    float speed;           ///< at which it glides, px per tick
    uint32_t shot_ticks;   ///< since the last cut
    uint32_t wait_ticks;   ///< until it looks again
    uint32_t linger_ticks; ///< left of a kill in the picture
};

/// Looks at one more tick. Returns true if it cuts.
bool director_step(struct director *director, const struct view *view);

// --- camera.c

/// The state of the camera.
struct camera {
    enum canvas_shape shape; ///< of the picture
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

/// Moves the camera for one tick. It follows the players at this window; without one, the director chooses the picture.
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

/// Shakes the camera by some px; a stronger shake that is under way goes on.
void camera_jolt(struct camera *camera, int32_t px);

/// Returns the part of the picture that is shown, pixels: all of it, except while the camera zooms.
struct rect camera_part(const struct camera *camera);

/// Returns the map's pixel at the top-left corner of the canvas.
void camera_corner(const struct camera *camera, const struct view *view, int32_t *left, int32_t *top);

// --- for spectators
//
// The camera of a player who watches: it frames everybody, follows one player, or moves freely. The buttons of the game
// control it: shoot follows the next player, dash the previous one, jump toggles the free camera, which the directions
// move. Used by spectators and by replays.

/// What the camera follows.
enum spectator_camera_mode {
    SPECTATOR_CAMERA_OWN,    ///< the viewer's player; without one, the middle of all
    SPECTATOR_CAMERA_PLAYER, ///< the player in `slot`
    SPECTATOR_CAMERA_FREE,   ///< `x`, `y`
};

/// Zero-initialise: it looks at the viewer's player.
struct spectator_camera {
    enum spectator_camera_mode mode;
    uint32_t slot;
    float x, y;           ///< middle of the picture, px
    uint32_t held_before; ///< buttons
};

/// Moves the camera for one tick with these buttons held (enum button). `x`, `y` is the middle of the picture, where a
/// free camera starts. When the followed player has left, it follows the next one.
void camera_spectator_step(struct spectator_camera *spectator, const struct view *view, uint32_t buttons, float x,
                           float y);

/// Toggles between following and a free camera that starts at `x`, `y`.
void camera_spectator_toggle_free(struct spectator_camera *spectator, float x, float y);

/// Makes the followed player the viewer's player of the view, and sets the camera.
void camera_spectator_apply(const struct spectator_camera *spectator, struct view *view, struct camera *camera);

#endif
