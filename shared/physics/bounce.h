// SPDX-License-Identifier: MIT
//
// What a moving solid does to balls (private): asked once for each unit step, after the actors.
#ifndef DF_BOUNCE_H
#define DF_BOUNCE_H

#include "sweep.h"

/// True if a living ball may be met by a solid that stays inside this box.
bool df_balls_are_near(const struct df_space *space, struct df_box box);

/// A step of one pixel that the members of a move have just made.
struct df_unit_step {
    const int32_t *members;
    int32_t count;
    enum df_axis axis;
    int32_t direction; ///< -1 or +1
    int32_t speed_sub; ///< amount of the whole call on this axis
};

/// Pushes, speeds up or squishes the balls onto which members came by the step.
void df_balls_push(struct df_space *space, const struct df_unit_step *step);

/// Before a rule runs inside a solid's move: the moving solids collide where they stand. `hide` ends that.
void df_moving_show(struct df_space *space);
void df_moving_hide(struct df_space *space);

#endif
