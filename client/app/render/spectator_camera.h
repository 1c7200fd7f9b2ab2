// SPDX-License-Identifier: MIT
//
// The camera of a player who watches: it frames everybody, follows one player, or moves freely. The buttons of the game
// control it: shoot follows the next player, dash the previous one, jump toggles the free camera, which the directions
// move. Used by spectators and by replays.
#ifndef APP_RENDER_SPECTATOR_CAMERA_H
#define APP_RENDER_SPECTATOR_CAMERA_H

#include "camera.h"

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
void spectator_camera_step(struct spectator_camera *spectator, const struct view *view, uint32_t buttons, float x,
                           float y);

/// Toggles between following and a free camera that starts at `x`, `y`.
void spectator_camera_toggle_free(struct spectator_camera *spectator, float x, float y);

/// Makes the followed player the viewer's player of the view, and sets the camera.
void spectator_camera_apply(const struct spectator_camera *spectator, struct view *view, struct camera *camera);

#endif
