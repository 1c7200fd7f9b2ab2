// SPDX-License-Identifier: MIT
//
// Sweeps (private): how far a box can go along one axis, and what stops it, found at once instead of pixel by pixel.
// Everything that steps (actors, pushes, carries, probes) goes through df_sweep(); everything that asks whether a place
// is free goes through df_sweep_blocked().
#ifndef DF_SWEEP_H
#define DF_SWEEP_H

#include "window.h"

/// Returns how many of `px` pixels, at least 1, the actor can walk. Fills `hit` if not all, and else its kind with
/// DF_HIT_NONE. -1 if its box is beyond the limits. One for each direction, because the compiler then knows which edges
/// lead.
int32_t df_sweep_left(const struct df_space *space, const struct df_actor *actor, int32_t px, struct df_hit *hit);
int32_t df_sweep_right(const struct df_space *space, const struct df_actor *actor, int32_t px, struct df_hit *hit);
int32_t df_sweep_up(const struct df_space *space, const struct df_actor *actor, int32_t px, struct df_hit *hit);
int32_t df_sweep_down(const struct df_space *space, const struct df_actor *actor, int32_t px, struct df_hit *hit);

/// The same along an axis, `px` with a sign, not 0.
static inline int32_t df_sweep(const struct df_space *space, const struct df_actor *actor, enum df_axis axis,
                               int32_t px, struct df_hit *hit)
{
    if (axis == DF_X)
        return px > 0 ? df_sweep_right(space, actor, px, hit) : df_sweep_left(space, actor, -px, hit);
    return px > 0 ? df_sweep_down(space, actor, px, hit) : df_sweep_up(space, actor, -px, hit);
}

/// Returns true if the box overlaps a collidable solid or a tile that blocks (one-ways do not count), or is
/// beyond the limits.
bool df_sweep_blocked(const struct df_space *space, struct df_box box);

/// The same without the solids that an actor passes.
bool df_sweep_blocked_for(const struct df_space *space, const struct df_actor *actor, struct df_box box);

#endif
