// SPDX-License-Identifier: MIT
//
// Sweeps (private): how far a box can go along one axis, and what stops it, found at once instead of pixel by
// pixel. Everything that steps (actors, pushes, carries, probes) goes through df_sweep(); everything that asks
// for a place goes through df_space_blocked().
#ifndef DF_SWEEP_H
#define DF_SWEEP_H

#include "index.h"

/// Whole pixels of `px` (signed, not 0) that the actor can walk, without their sign. Fills `hit` if it is not all.
int32_t df_sweep(const struct df_space *space, const struct df_actor *actor, enum df_axis axis, int32_t px,
                 struct df_hit *hit);

/// Takes the sweep over tiles: fewer pixels than `free_px` if a tile blocks before, none if one overlaps the
/// box now, and then fills `hit`. With `oneway`, one-way tiles block (a downward step).
int32_t df_tiles_sweep(const struct df_tiles *tiles, struct df_box box, enum df_axis axis, int32_t direction,
                       int32_t free_px, bool oneway, struct df_hit *hit);

/// df_space_blocked() for a box that is known to be valid.
bool df_place_blocked(const struct df_space *space, struct df_box box);

/// Moves an actor by whole pixels, canonical where the world wraps, and brings the index up to date.
void df_actor_shift(struct df_space *space, int32_t actor, enum df_axis axis, int32_t px);

#endif
