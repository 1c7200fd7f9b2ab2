// SPDX-License-Identifier: MIT
//
// Actors: boxes that move and are blocked by solids and tiles. An actor has no velocity and no
// gravity; its owner keeps them and calls the two moves. Actors do not collide with each other.
// A move is defined pixel by pixel and computed by one sweep (see the library's README).
#ifndef DF_ACTOR_H
#define DF_ACTOR_H

#include "types.h"

/// Moves an actor along x by `amount_sub` (at most DF_AMOUNT_SUB_MAX either way): adds it to rem_x, walks the rounded
/// pixels and stops before the first that a solid or tile blocks. Then it clears rem_x and calls `collide` (may be
/// null) once. One-ways never block x. An amount of 0 moves nothing, whatever the fraction.
/// An embedded actor takes a pixel, too, if the place to which it leads is free: so it walks out if it is one deep.
/// DF_OUT_OF_RANGE for a bad index or amount, or if the whole move would lead beyond the coordinates.
DF_API enum df_result df_actor_move_x(struct df_space *space, int32_t actor, int32_t amount_sub, df_collide *collide,
                                      void *context);

/// Moves an actor along y in the same way. One-ways that the actor does not overlap also block a downward step.
DF_API enum df_result df_actor_move_y(struct df_space *space, int32_t actor, int32_t amount_sub, df_collide *collide,
                                      void *context);

/// What an actor met in a step: kind DF_HIT_NONE where it met nothing.
struct df_actor_hits {
    struct df_hit x, y;   ///< what stopped the move along each axis
    struct df_hit ground; ///< what it stands on now
};

/// Does what df_actor_move_x(), df_actor_move_y() and df_actor_ground() do one after the other, and fills `hits` with
/// what they say; `hits` may be null. Looks once at what is near, so it costs half as much. DF_OUT_OF_RANGE as for the
/// moves: nothing has changed then.
DF_API enum df_result df_actor_step(struct df_space *space, int32_t actor, int32_t dx_sub, int32_t dy_sub,
                                    struct df_actor_hits *hits);

/// Returns what an actor stands on, one pixel below: kind DF_HIT_NONE when it is not grounded. Works at rest. It knows
/// no speed: an actor that rises through a one-way stands on it where the two are flush, so ask for its speed as well.
DF_API struct df_hit df_actor_ground(const struct df_space *space, int32_t actor);

/// Returns what the actor would run into if it moved by whole pixels along one axis (dx or dy is 0). Does not move it.
DF_API struct df_hit df_actor_probe(const struct df_space *space, int32_t actor, int32_t dx_px, int32_t dy_px);

/// Gives the actor a new box if that box is free and within the limits; else returns false and changes nothing.
DF_API bool df_actor_resize(struct df_space *space, int32_t actor, struct df_box box);

/// Places an actor, dead or alive (a spawn, a teleport), and clears its fractions, not its lift. Who comes back to life
/// gets DF_ACTOR_ALIVE before. The place may be inside a solid: df_actor_is_embedded() says so. DF_OUT_OF_RANGE beyond
/// the coordinates.
DF_API enum df_result df_actor_place(struct df_space *space, int32_t actor, int32_t x, int32_t y);

/// Returns true if the actor overlaps a collidable solid or a blocking tile now.
DF_API bool df_actor_is_embedded(const struct df_space *space, int32_t actor);

/// Finds the nearest free place for the actor's box within `reach_px` (at most DF_SEARCH_PX_MAX) on each axis, nearest
/// by |dx|+|dy|, ties as in df_actor_wiggle(). Returns false if there is none, and for a reach below 0. Does not move
/// the actor.
DF_API bool df_find_free(const struct df_space *space, int32_t actor, int32_t reach_px, int32_t *x, int32_t *y);

/// Moves an actor to a free place at most max_x, max_y px (at most DF_SEARCH_PX_MAX each) away, nearest |dx|+|dy|
/// first: around its own place, then, during a squish callback, around the place to which it was being pushed. Returns
/// false if no place is free. Ties: smaller |dx| first; then the side against the push; then up before down. Fair under
/// mirroring: where left and right are both free at the same |dx|, dy and no push along x decides, rem_x does (the side
/// it leans to), and with rem_x = 0 neither is taken. Free means clear of every present solid, also of those that are
/// moving now.
DF_API bool df_actor_wiggle(struct df_space *space, int32_t actor, int32_t max_x_px, int32_t max_y_px);

/// Reads the lift that an actor can use now, sub per tick: zero if the last was given more than DF_LIFT_TICKS ago. Only
/// a move that crosses a pixel gives one.
DF_API void df_actor_lift(const struct df_space *space, int32_t actor, int32_t *lift_x, int32_t *lift_y);

/// Returns true if a live actor, by its enum df_ride, rides a present solid where the two stand, around the seam of
/// tiles that wrap too. This is the library's own rule; it does not call `rules.rides`, which can overrule it.
DF_API bool df_actor_rides(const struct df_actor *actor, const struct df_solid *solid, const struct df_tiles *tiles);

/// Updates the space after the caller wrote an actor's position, size or flags. Cheap; df_space_refresh() updates all.
DF_API void df_actor_changed(struct df_space *space, int32_t actor);

// A body collides at whole pixels. To draw it there looks best at low resolution; at a high one, its exact place moves
// more smoothly.

/// Reads the exact place of an actor's top-left corner, sub: its pixel and the fraction that its moves still owe. Zero
/// for a bad index, and for an actor beyond the limits.
DF_API void df_actor_exact(const struct df_space *space, int32_t actor, int32_t *x_sub, int32_t *y_sub);

/// Makes an actor forget its fraction along x: at a turn, or when it has been snapped to something. DF_OUT_OF_RANGE for
/// a bad index.
DF_API enum df_result df_actor_clear_rem_x(struct df_space *space, int32_t actor);

/// Makes an actor forget its fraction along y.
DF_API enum df_result df_actor_clear_rem_y(struct df_space *space, int32_t actor);

#endif
