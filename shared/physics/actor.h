// SPDX-License-Identifier: MIT
//
// Actors: boxes that move and are blocked by solids and tiles. An actor has no velocity and no
// gravity; its owner keeps them and calls the two moves. Actors do not meet each other.
// Walking is defined pixel by pixel and done by one sweep (see the library's README).
#ifndef DF_ACTOR_H
#define DF_ACTOR_H

#include "box.h"

struct df_solid;
struct df_space;
struct df_tiles;

/// Ticks for which a lift stays readable after the last tick that gave it.
#define DF_LIFT_TICKS 10
/// Largest horizontal lift, sub per tick, either way (Celeste: 250 px/s).
#define DF_LIFT_X_MAX 1067
/// Largest upward lift, sub per tick (Celeste: -130 px/s). A downward lift is none.
#define DF_LIFT_UP_MAX (-555)

/// How an actor rides solids.
enum df_ride {
    DF_RIDE_STAND,       ///< what it stands on: one pixel of overlap in x is enough, a shared corner is not
    DF_RIDE_CLING_LEFT,  ///< that, and the solid flush with its left side (never a one-way: it has no sides)
    DF_RIDE_CLING_RIGHT, ///< that, and the solid flush with its right side (never a one-way)
    DF_RIDE_NEVER,       ///< fliers
};

/// Bits of `df_actor.flags`.
enum df_actor_flags {
    DF_ACTOR_ALIVE = 1u << 0,    ///< takes part; a dead actor is passed over by every call
    DF_ACTOR_EMBEDDED = 1u << 1, ///< squished and still overlapping at the end of that solid's move; cleared by
                                 ///< the next solid's move or call for this actor that finds it free (the dead keep it)
    DF_ACTOR_DROP_THROUGH = 1u << 2, ///< one-way platforms and tiles do not block, carry or lift it
};

/// One actor: thirteen 32-bit fields without padding, so a world can be copied, compared and hashed as words.
struct df_actor {
    int32_t x, y;          ///< top-left corner, px
    int32_t w, h;          ///< size, px, at least 1
    int32_t rem_x, rem_y;  ///< owed fraction of its moves, sub, in [-128, 128]
    int32_t lift_x;        ///< lift last given, sub per tick, capped to DF_LIFT_X_MAX; read it by df_actor_lift()
    int32_t lift_y;        ///< the same, in [DF_LIFT_UP_MAX, 0]
    uint32_t lift_tick;    ///< tick in which the lift was given; 0: never
    uint32_t carried_tick; ///< tick in which it was last carried (a carry that a wall stopped counts); 0: never
    uint32_t carrier;      ///< index + 1 of the solid (of a group: its first) that carried it in carried_tick
    uint32_t ride;         ///< enum df_ride
    uint32_t flags;        ///< enum df_actor_flags
};

/// What a move ran into.
enum df_hit_kind {
    DF_HIT_NONE,
    DF_HIT_SOLID,   ///< `index` is the solid's (a one-way too)
    DF_HIT_TILE,    ///< `column`, `row` of the first blocking tile, topmost or leftmost
    DF_HIT_OUTSIDE, ///< the solid outside of the grid; `column`, `row` as if the grid went on
};

/// What stopped a move. Where several things block the same pixel: the solid of the lowest index, then tiles.
struct df_hit {
    enum df_hit_kind kind;
    int32_t index;       ///< of the solid, else -1
    int32_t column, row; ///< of the tile, else 0
    int32_t direction;   ///< -1 or +1 along the axis of the move
    int32_t left_px;     ///< whole pixels of the move that were dropped, at least 1
};

/// Called at most once by a move, when the actor has been stopped and its fraction forgotten. It may move or kill
/// actors.
typedef void df_collide(struct df_space *space, int32_t actor, struct df_hit hit, void *context);

/// Moves an actor along x by `amount_sub` (at most DF_AMOUNT_SUB_MAX either way): adds it to rem_x, walks the rounded
/// pixels, stops before the first that a solid or tile blocks, forgets rem_x then and calls `collide` (may be null)
/// once. One-ways never block x. An embedded actor does not walk: its hit is what it overlaps where it stands.
/// DF_OUT_OF_RANGE for a bad index or amount, or if the whole move would lead beyond the coordinates.
enum df_result df_actor_move_x(struct df_space *space, int32_t actor, int32_t amount_sub, df_collide *collide,
                               void *context);

/// The same along y. A downward step is also blocked by one-ways that the actor does not overlap.
enum df_result df_actor_move_y(struct df_space *space, int32_t actor, int32_t amount_sub, df_collide *collide,
                               void *context);

/// What an actor would land on one pixel below: kind DF_HIT_NONE when it is not grounded. Works at rest.
struct df_hit df_actor_ground(const struct df_space *space, int32_t actor);

/// What the actor would run into when moved by whole pixels along one axis (dx or dy is 0), without moving it.
struct df_hit df_actor_probe(const struct df_space *space, int32_t actor, int32_t dx_px, int32_t dy_px);

/// True if the box at this place overlaps a collidable solid or a tile that blocks (one-ways do not count).
bool df_space_blocked(const struct df_space *space, struct df_box box);

/// Gives the actor a new box if that box is free; else refuses, changes nothing and returns false.
bool df_actor_resize(struct df_space *space, int32_t actor, struct df_box box);

/// Places an actor (a spawn, a teleport): new position, fractions forgotten. It may be placed into a solid; that is
/// told by df_actor_is_embedded(). DF_OUT_OF_RANGE beyond the coordinates.
enum df_result df_actor_place(struct df_space *space, int32_t actor, int32_t x, int32_t y);

/// True if the actor overlaps a collidable solid or a blocking tile now.
bool df_actor_is_embedded(const struct df_space *space, int32_t actor);

/// Nearest free place for the actor's box within `reach_px` on each axis, nearest by |dx|+|dy|, ties as
/// df_actor_wiggle. False if there is none. Does not move it.
bool df_find_free(const struct df_space *space, int32_t actor, int32_t reach_px, int32_t *x, int32_t *y);

/// Tries offsets up to max_x, max_y px, nearest |dx|+|dy| first, around the place the actor has, then around the place
/// it was being pushed to (during a squish callback). Moves it to the first free one. False if none is free.
/// Ties: smaller |dx| first; then the side against the push; then up before down. Fair under mirroring: where left and
/// right are both free at the same |dx|, dy and no push along x tells them apart, rem_x does (the side it leans to),
/// and with rem_x = 0 neither is taken. Free means clear of every present solid, also of those that are moving now.
bool df_actor_wiggle(struct df_space *space, int32_t actor, int32_t max_x_px, int32_t max_y_px);

/// The lift an actor can use now, sub per tick: zero when the last was given more than DF_LIFT_TICKS ago.
void df_actor_lift(const struct df_space *space, int32_t actor, int32_t *lift_x, int32_t *lift_y);

/// True if a live actor, by its enum df_ride, rides a present solid where the two stand, around the seam of tiles that
/// wrap too. This is the library's own rule; `rules.rides`, which can overrule it, is not asked.
bool df_actor_rides(const struct df_actor *actor, const struct df_solid *solid, const struct df_tiles *tiles);

/// Tells the index that actors were written by hand (position, size, flags). Cheap; see df_space_refresh() for all.
void df_actor_changed(struct df_space *space, int32_t actor);

#endif
