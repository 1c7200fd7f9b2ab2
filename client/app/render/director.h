// SPDX-License-Identifier: MIT
//
// The director frames a match for somebody who only watches: it finds where opponents are about to meet, and shows that
// from near, or from far away where much is going on at once. A shot lasts: the picture stands still while what matters
// stays well inside, glides there if it must, and cuts seldom. Pure function of views; it knows the past, no future.
#ifndef APP_RENDER_DIRECTOR_H
#define APP_RENDER_DIRECTOR_H

#include "app/gfx/canvas.h"
#include "core/view.h"

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

#endif
