// SPDX-License-Identifier: MIT
//
// Sweeps (private): how far a box can go along one axis, and what stops it, found at once instead of pixel by pixel.
// Everything that steps (actors, pushes, carries, probes) goes through df_sweep(); everything that asks whether a place
// is free goes through df_sweep_blocked().
#ifndef DF_SWEEP_H
#define DF_SWEEP_H

#include "broadphase.h"

/// Returns how many of `px` pixels (signed, not 0) the actor can walk, without the sign. Fills `hit` if not all.
int32_t df_sweep(const struct df_space *space, const struct df_actor *actor, enum df_axis axis, int32_t px,
                 struct df_hit *hit);

/// Returns true if the box overlaps a collidable solid or a tile that blocks (one-ways do not count), or is
/// beyond the limits.
bool df_sweep_blocked(const struct df_space *space, struct df_box box);

#endif
