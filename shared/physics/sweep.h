// SPDX-License-Identifier: MIT
//
// Sweeps (private): how far a box can go along one axis, and what stops it, found at once instead of pixel by pixel.
// Everything that steps (actors, pushes, carries, probes) goes through df_sweep(); everything that asks whether a place
// is free goes through df_sweep_blocked().
#ifndef DF_SWEEP_H
#define DF_SWEEP_H

#include "window.h"

/// Returns how many pixels the actor can walk along an axis, of `px` with a sign, not 0. Fills `hit` if not all, and
/// else its kind with DF_HIT_NONE. -1 if its box is beyond the limits.
int32_t df_sweep(const struct df_space *space, const struct df_actor *actor, enum df_axis axis, int32_t px,
                 struct df_hit *hit);

/// Returns true if the box overlaps a collidable solid or a tile that blocks (one-ways do not count), or is
/// beyond the limits.
bool df_sweep_blocked(const struct df_space *space, struct df_box box);

/// The same without the solids that an actor passes.
bool df_sweep_blocked_for(const struct df_space *space, const struct df_actor *actor, struct df_box box);

#endif
