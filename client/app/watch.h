// SPDX-License-Identifier: MIT
//
// How somebody watches who does not play: the camera frames all, follows one player after another, or is moved by
// hand. The buttons of the game do it: shoot the next player, dash the one before, jump free or not, and the directions
// move. For spectators and for replays.
#ifndef APP_WATCH_H
#define APP_WATCH_H

#include "camera.h"

/// What the camera looks at.
enum watch_mode {
    WATCH_OWN,    ///< the own player; without one, the middle of all
    WATCH_PLAYER, ///< the player in `slot`
    WATCH_FREE,   ///< `x`, `y`
};

/// Zero-initialise: it looks at the own player.
struct watch {
    enum watch_mode mode;
    uint32_t slot;
    float x, y;           ///< middle of the picture, px
    uint32_t held_before; ///< buttons
};

/// One turn, with the buttons held (enum button). `x`, `y`: the middle of the picture now, from where a free camera
/// sets out. Whoever is followed and is no longer there gives way to the next.
void watch_step(struct watch *watch, const struct view *view, uint32_t buttons, float x, float y);

/// Turns between following and moving by hand.
void watch_turn_free(struct watch *watch, float x, float y);

/// Shows the view as he sees whom one follows, and moves the camera.
void watch_show(const struct watch *watch, struct view *view, struct camera *camera);

#endif
