// SPDX-License-Identifier: MIT
//
// How somebody watches who does not play: the camera frames all, follows one player after another, or is moved by
// hand. The buttons of the game do it: shoot the next player, dash the one before, jump free or not, and the directions
// move. For spectators and for replays.
#ifndef APP_RENDER_SPECTATOR_CAMERA_H
#define APP_RENDER_SPECTATOR_CAMERA_H

#include "camera.h"

/// What the camera looks at.
enum spectator_camera_mode {
    SPECTATOR_CAMERA_OWN,    ///< the own player; without one, the middle of all
    SPECTATOR_CAMERA_PLAYER, ///< the player in `slot`
    SPECTATOR_CAMERA_FREE,   ///< `x`, `y`
};

/// Zero-initialise: it looks at the own player.
struct spectator_camera {
    enum spectator_camera_mode mode;
    uint32_t slot;
    float x, y;           ///< middle of the picture, px
    uint32_t held_before; ///< buttons
};

/// One turn, with the buttons held (enum button). `x`, `y`: the middle of the picture now, from where a free camera
/// sets out. Whoever is followed and is no longer there gives way to the next.
void spectator_camera_step(struct spectator_camera *spectator, const struct view *view, uint32_t buttons, float x,
                           float y);

/// Turns between following and moving by hand.
void spectator_camera_toggle_free(struct spectator_camera *spectator, float x, float y);

/// Shows the view as he sees whom one follows, and moves the camera.
void spectator_camera_apply(const struct spectator_camera *spectator, struct view *view, struct camera *camera);

#endif
