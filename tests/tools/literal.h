// SPDX-License-Identifier: MIT
//
// The literal, pixel-by-pixel implementation of the physics contract, to be read as the contract: every move walks
// one pixel at a time and looks at every body in the space. It works on the structs of shared/physics with the same
// function shapes, prefix `literal_` for `df_`, and shares no code with the fast library but the arithmetic of types.h
// and the number of a group. Used by deadfall-scenario --reference, by the property tests and, timed, by the bench. It
// ignores df_space.broadphase.
#ifndef LITERAL_H
#define LITERAL_H

#include "physics/physics.h"

/// One pixel along one axis: exactly one of x, y is -1 or +1, the other 0.
struct literal_step {
    int32_t x, y;
};

// The calls of the library; each is documented at its twin in shared/physics.

/// df_space_blocked()
bool literal_space_blocked(const struct df_space *space, struct df_box box);
/// df_tick_begin()
void literal_tick_begin(struct df_space *space, uint32_t tick);

/// df_actor_move_x()
enum df_result literal_actor_move_x(struct df_space *space, int32_t actor, int32_t amount_sub, df_collide *collide,
                                    void *context);
/// df_actor_move_y()
enum df_result literal_actor_move_y(struct df_space *space, int32_t actor, int32_t amount_sub, df_collide *collide,
                                    void *context);
/// df_actor_ground()
enum df_result literal_actor_step(struct df_space *space, int32_t actor, int32_t dx_sub, int32_t dy_sub,
                                  struct df_actor_hits *hits);
struct df_hit literal_actor_ground(const struct df_space *space, int32_t actor);
/// df_actor_probe()
struct df_hit literal_actor_probe(const struct df_space *space, int32_t actor, int32_t dx_px, int32_t dy_px);
/// df_actor_resize()
bool literal_actor_resize(struct df_space *space, int32_t actor, struct df_box box);
/// df_actor_place()
enum df_result literal_actor_place(struct df_space *space, int32_t actor, int32_t x, int32_t y);
/// df_actor_is_embedded()
bool literal_actor_is_embedded(const struct df_space *space, int32_t actor);
/// df_find_free()
bool literal_find_free(const struct df_space *space, int32_t actor, int32_t reach_px, int32_t *x, int32_t *y);
/// df_actor_wiggle()
bool literal_actor_wiggle(struct df_space *space, int32_t actor, int32_t max_x_px, int32_t max_y_px);
/// df_actor_lift()
void literal_actor_lift(const struct df_space *space, int32_t actor, int32_t *lift_x, int32_t *lift_y);

/// df_solid_move()
enum df_result literal_solid_move(struct df_space *space, int32_t solid, int32_t dx_sub, int32_t dy_sub);
/// df_group_move()
enum df_result literal_group_move(struct df_space *space, const int32_t *solids, int32_t count, int32_t dx_sub,
                                  int32_t dy_sub);

/// df_ball_against()
enum df_bounce literal_ball_against(const struct df_ball *ball, struct df_box rectangle);
/// df_ball_bounce()
enum df_bounce literal_ball_bounce(struct df_ball *ball, struct df_box rectangle);
/// df_ball_step()
enum df_result literal_ball_step(struct df_space *space, int32_t ball);

// What its three files share.

/// Width of the world in px where it wraps, else 0.
int32_t literal_period_x_px(const struct df_space *space);
/// Height of the world in px where it wraps, else 0.
int32_t literal_period_y_px(const struct df_space *space);
/// A coordinate brought into [0, period); unchanged where period is 0.
int32_t literal_wrap(int32_t coordinate, int32_t period);
/// True if two boxes share a pixel, also over the seam.
bool literal_overlaps(const struct df_space *space, struct df_box a, struct df_box b);
/// The tile at a column and row by the outside rule and `broken`.
enum df_tile literal_tile_at(const struct df_tiles *tiles, int32_t column, int32_t row);
/// The box of an actor.
struct df_box literal_actor_box(const struct df_actor *actor);
/// The box of a solid.
struct df_box literal_solid_box(const struct df_solid *solid);
/// True if a solid is not there for an actor with these flags: they share a layer.
bool literal_passes(uint32_t actor_flags, const struct df_solid *solid);
/// Walks an actor `count` pixels until something blocks the next; returns the pixels walked, and in `hit` what blocked.
int32_t literal_walk(const struct df_space *space, struct df_actor *actor, struct literal_step step, int32_t count,
                     struct df_hit *hit);
/// What became of a ball when solids made a unit step.
enum literal_push {
    LITERAL_PUSH_NONE, ///< none came onto it
    LITERAL_PUSH_DONE, ///< it was moved clear of them
    LITERAL_PUSH_HELD  ///< it cannot go and stays
};
/// Moves a ball clear of those of `members` that came onto it in the step they have just made (they are not collidable
/// now). `pusher` is the first of them.
enum literal_push literal_ball_push(const struct df_space *space, struct df_ball *ball, const int32_t *members,
                                    int32_t count, struct literal_step step, int32_t *pusher);

#endif
