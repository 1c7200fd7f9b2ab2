// SPDX-License-Identifier: MIT
//
// What a moving solid does to balls (private). solid_move.c calls it once for each unit step, after the actors.
#ifndef DF_BALL_PUSH_H
#define DF_BALL_PUSH_H

#include "body.h"

/// A step of one pixel that the members of a move have just made.
struct df_unit_step {
    const int32_t *members;
    int32_t count;
    enum df_axis axis;
    int32_t direction; ///< -1 or +1
    int32_t speed_sub; ///< amount of the whole call on this axis
};

/// Returns true if a solid that stays inside this box may touch a living ball.
bool df_ball_push_is_near(const struct df_space *space, struct df_box box);

/// Pushes, speeds up or squishes the balls that members ran into with this step.
void df_ball_push_all(struct df_space *space, const struct df_unit_step *step);

#endif
