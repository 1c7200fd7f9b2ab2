// SPDX-License-Identifier: MIT
//
// What a good programmer would write in an afternoon: the article's algorithm, pixel by pixel, with tiles looked up in
// their grid, and solids and actors found in a uniform grid of cells. For the world of bench_actors only: one space
// at a time, without wrapping, one-ways, layers, attachments, groups and balls; actors stand, and are at
// most 16 px large; a squish rule leaves no actor where it is. In that world its results equal the library's.
#ifndef BENCH_GRID_H
#define BENCH_GRID_H

#include "physics/physics.h"

/// Largest number of solids, and of actors.
#define GRID_BODIES 1000

/// Fills the cells with the bodies of a space.
void grid_begin(const struct df_space *space);

/// Each as the function of the library with `df` in the place of `grid`. Of what is hit it says only that it is.
enum df_result grid_actor_step(struct df_space *space, int32_t actor, int32_t dx_sub, int32_t dy_sub,
                               struct df_actor_hits *hits);
/// See grid_actor_step().
enum df_result grid_actor_place(struct df_space *space, int32_t actor, int32_t x, int32_t y);
/// See grid_actor_step().
enum df_result grid_solid_move(struct df_space *space, int32_t solid, int32_t dx_sub, int32_t dy_sub);
/// See grid_actor_step().
bool grid_space_blocked(const struct df_space *space, struct df_box box);

#endif
