// SPDX-License-Identifier: MIT
//
// An actor's own speed, for games that do not keep one themselves. A step moves the actor on both axes; a hit drops the
// speed on that axis, or reverses a part of it (push-back). A jump goes as high as its button is held long. Gravity is
// the caller's: add it to vy before each step. Nothing in the library needs this file.
#ifndef DF_VELOCITY_H
#define DF_VELOCITY_H

#include "actor.h"

/// What a hit reverses of a speed if it loses nothing.
#define DF_BOUNCE_WHOLE 256
/// The slowest bounce that loses speed, sub per tick. A slower one is none, so that things come to rest under gravity.
/// One that bounces with more than three quarters of its speed may go on hopping by a few pixels.
#define DF_BOUNCE_SUB_MIN 128

/// The speed of one actor, which the caller keeps beside it. Five 32-bit fields without padding.
struct df_velocity {
    int32_t vx, vy;     ///< sub per tick, each at most DF_AMOUNT_SUB_MAX either way
    int32_t bounce;     ///< part of a speed that a hit reverses, in 1/256: from 0 (stops) to DF_BOUNCE_WHOLE
    int32_t jump_vy;    ///< speed of the present jump, sub per tick
    int32_t jump_ticks; ///< for how many ticks that can still be held; 0: no jump
};

/// Moves an actor by its speed, all of x before y. A hit leaves the part of the speed that bounces, rounded toward 0,
/// and one along y ends the jump. `hits` may be null. DF_OUT_OF_RANGE as for df_actor_move_x(), and for a speed or
/// bounce beyond its limits; nothing has changed then.
DF_API enum df_result df_velocity_step(struct df_space *space, int32_t actor, struct df_velocity *velocity,
                                       struct df_actor_hits *hits);

/// Begins a jump: vy is set (below 0 is up), and df_velocity_hold() can keep it up for some ticks.
DF_API void df_velocity_jump(struct df_velocity *velocity, int32_t vy, int32_t hold_ticks);

/// Holds a jump or lets it go. Called in each tick between gravity and the step: while `held`, vy stays at most the
/// jump's, until the ticks are over. A jump that was let go cannot be held again.
DF_API void df_velocity_hold(struct df_velocity *velocity, bool held);

#endif
