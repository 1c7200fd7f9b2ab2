// SPDX-License-Identifier: MIT
//
// Every struct of the library: boxes, tiles, actors, solids, balls, and the space that holds them.
// The structs that a game saves (actor, solid, ball) have 32-bit fields without padding, so a world can be copied,
// compared and hashed as words. Positions are in px, y grows downward; speeds and fractions are in sub, 1/256 px.
#ifndef DF_TYPES_H
#define DF_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What a shared library exports. On Windows, DF_BUILD_DLL is defined where the DLL is compiled, DF_USE_DLL where a
/// program uses it, neither for the static library; the CMake package does it.
#if defined _WIN32 && defined DF_BUILD_DLL
#define DF_VISIBLE __declspec(dllexport)
#elif defined _WIN32 && defined DF_USE_DLL
#define DF_VISIBLE __declspec(dllimport)
#elif defined _WIN32
#define DF_VISIBLE
#else
#define DF_VISIBLE __attribute__((visibility("default")))
#endif

/// Marks each public function: C calls it by its name, also from C++, and a shared library exports it and nothing else.
#ifdef __cplusplus
#define DF_API extern "C" DF_VISIBLE
#else
#define DF_API DF_VISIBLE
#endif

/// Sub-pixels ("sub") in one pixel. Speeds are in sub per tick, at 60 ticks a second.
#define DF_SUB 256

/// Largest absolute coordinate or size of anything, in px, and largest number of solids, actors and balls. Calls take
/// any integers and refuse what lies beyond; nothing overflows.
#define DF_COORDINATE_PX_MAX (1 << 20)

/// Largest absolute amount of one move, in sub (16,384 px).
#define DF_AMOUNT_SUB_MAX (1 << 22)

/// Farthest that a search for a free place looks on each axis, px. A longer reach is cut to it.
#define DF_SEARCH_PX_MAX 256

/// Number of ticks for which a lift stays readable after the last tick that gave it.
#define DF_LIFT_TICKS 10
/// Largest horizontal lift, sub per tick, either way (Celeste: 250 px/s).
#define DF_LIFT_X_MAX 1067
/// Largest upward lift, sub per tick (Celeste: -130 px/s). There is no downward lift.
#define DF_LIFT_UP_MAX (-555)

/// Largest number of solids that move as one rigid group.
#define DF_GROUP_CAPACITY 64
/// Largest number of moves that can wait for the end of the move in which they were requested.
#define DF_QUEUE_CAPACITY 16
/// Largest number of hits that one sub-step of a ball reports.
#define DF_BALL_HITS_CAPACITY 32

/// The result of a call that can refuse its arguments.
enum df_result {
    DF_OK,           ///< done
    DF_QUEUED,       ///< requested from inside a solid's move: runs when that move has ended
    DF_OUT_OF_RANGE, ///< an index, coordinate or amount is beyond the limits above; nothing has changed
    DF_QUEUE_FULL,   ///< requested from inside a solid's move, and DF_QUEUE_CAPACITY moves wait already
};

/// Position and size in px. Half-open: two boxes that share only an edge do not overlap.
struct df_box {
    int32_t x; ///< left edge
    int32_t y; ///< top edge
    int32_t w; ///< width, at least 1
    int32_t h; ///< height, at least 1
};

/// What one tile is. `df_tiles.kinds` stores these values.
enum df_tile {
    DF_TILE_EMPTY,
    DF_TILE_SOLID,  ///< blocks every move
    DF_TILE_ONEWAY, ///< blocks a downward step of a box that does not overlap its row of tiles now
    DF_TILE_BLOCK,  ///< blocks like solid until its bit in `broken` is set
    DF_TILE_HAZARD, ///< blocks nothing; the game asks for it with df_tiles_touch()
    DF_TILE_KINDS
};

/// What lies outside the grid.
enum df_outside {
    DF_OUTSIDE_SOLID, ///< as if made of solid tiles
    DF_OUTSIDE_EMPTY, ///< free
    DF_OUTSIDE_WRAP,  ///< the grid repeats: a box over the seam occupies both sides
};

/// A grid of `columns` x `rows` tiles with its top-left corner at 0, 0.
struct df_tiles {
    const uint8_t *kinds;    ///< enum df_tile, row by row; null for no tiles at all (then outside is empty)
    const uint32_t *broken;  ///< one bit per tile, row by row (bit i & 31 of word i >> 5); null: none is broken
    int32_t columns;         ///< at least 1 where kinds is given
    int32_t rows;            ///< at least 1 where kinds is given
    int32_t edge_px;         ///< edge of a tile, at least 1; 8 in Deadfall
    enum df_outside outside; ///< with wrap, every box is smaller than the grid
};

/// How an actor rides solids.
enum df_ride {
    DF_RIDE_STAND,       ///< rides what it stands on: one pixel of overlap in x is enough, a shared corner is not
    DF_RIDE_CLING_LEFT,  ///< rides that, and the solid flush with its left side (never a one-way: only its top is hard)
    DF_RIDE_CLING_RIGHT, ///< rides that, and the solid flush with its right side (never a one-way)
    DF_RIDE_NEVER,       ///< rides nothing: fliers
    DF_RIDE_CLING_UP,    ///< rides what it stands on, and the solid flush with its top (never a one-way)

    DF_RIDE_ATTACHED = 1 << 8, ///< DF_RIDE_ATTACHED + i: rides solid i, at any distance, and nothing else
};

/// Bit n, 0 to 15, of the layers in `flags`. A solid is in layers, and an actor passes layers: where they share one,
/// the solid is not there for the actor (it does not block, carry, push or squish it). A fresh body has none.
#define DF_LAYER(n) (UINT32_C(1) << (8 + (n)))
/// All layers. Solids that are in none still block an actor that passes all of them.
#define DF_LAYERS UINT32_C(0x00ffff00)

/// Bits of `df_actor.flags`.
enum df_actor_flags {
    DF_ACTOR_ALIVE = 1u << 0,    ///< takes part; every call skips a dead actor
    DF_ACTOR_EMBEDDED = 1u << 1, ///< squished, and still overlapping at the end of that solid's move; cleared by the
                                 ///< next solid's move, or call for this actor, that finds it free (the dead keep it)
    DF_ACTOR_DROP_THROUGH = 1u << 2, ///< one-way platforms and tiles do not block, carry or lift it
};

/// One actor: a box that moves and that solids and tiles block. Thirteen 32-bit fields without padding.
struct df_actor {
    int32_t x, y;          ///< top-left corner, px
    int32_t w, h;          ///< size, px, at least 1
    int32_t rem_x, rem_y;  ///< fraction that its moves still owe, sub, in [-128, 128]
    int32_t lift_x;        ///< last lift, sub per tick, capped to DF_LIFT_X_MAX; read it with df_actor_lift()
    int32_t lift_y;        ///< the same, in [DF_LIFT_UP_MAX, 0]
    uint32_t lift_tick;    ///< tick of that lift; 0: never
    uint32_t carried_tick; ///< tick in which it was last carried a pixel (a carry that a wall stopped counts); 0: never
    uint32_t carrier;      ///< what carried it in carried_tick: index + 1 of a solid, df_group_carrier() of a group
    uint32_t ride;         ///< enum df_ride
    uint32_t flags;        ///< enum df_actor_flags, and the layers that it passes
};

/// What a move ran into.
enum df_hit_kind {
    DF_HIT_NONE,
    DF_HIT_SOLID,   ///< `index` is the solid's (also of a one-way)
    DF_HIT_TILE,    ///< `column`, `row` of the first blocking tile, topmost or leftmost
    DF_HIT_OUTSIDE, ///< the solid outside of the grid; `column`, `row` as if the grid continued
};

/// What stopped a move. Where several things block the same pixel: the solid of the lowest index, then tiles.
struct df_hit {
    enum df_hit_kind kind; ///< what sort of thing stopped it
    int32_t index;         ///< of the solid, else -1
    int32_t column, row;   ///< of the tile, else 0
    int32_t direction;     ///< -1 or +1 along the axis of the move
    int32_t left_px;       ///< whole pixels of the move that were dropped, at least 1
};

/// Bits of `df_solid.flags`.
enum df_solid_flags {
    DF_SOLID_PRESENT = 1u << 0, ///< in the world and collidable
    DF_SOLID_ONEWAY = 1u << 1,  ///< blocks only a downward step from above
};

/// One solid: a box that always arrives, and carries, pushes or squishes actors. Seven 32-bit fields without padding.
struct df_solid {
    int32_t x, y;         ///< top-left corner, px
    int32_t w, h;         ///< size, px, at least 1
    int32_t rem_x, rem_y; ///< fraction that its moves still owe, sub, in [-128, 128]; a group uses that of its first
    uint32_t flags;       ///< enum df_solid_flags, and the layers that it is in
};

/// A push that something stopped. Passed to the squish rule.
struct df_squish {
    int32_t actor;              ///< the squished actor
    int32_t solid;              ///< the solid that pushes (of a group: the member that overlaps the actor)
    int32_t direction_x;        ///< -1, 0, +1: direction of the push
    int32_t direction_y;        ///< the same; exactly one of the two is not 0
    int32_t missing_px;         ///< pixels of the push that the actor could not move, at least 1
    int32_t target_x, target_y; ///< where the push would have ended, px
    struct df_hit by;           ///< what stops it; kind DF_HIT_NONE: the end of the coordinates
};

/// What the squish rule decided.
enum df_squish_answer {
    DF_SQUISH_DESTROY, ///< the library clears DF_ACTOR_ALIVE
    DF_SQUISH_HANDLED, ///< the rule freed the actor, moved it, or leaves it; alive and still overlapping: embedded
};

/// Bits of `df_ball.flags`.
enum df_ball_flags {
    DF_BALL_ALIVE = 1u << 0,
    DF_BALL_INSIDE = 1u << 1, ///< its centre lay inside a rectangle at its last step; every such step is reported
};

/// One ball: six 32-bit fields without padding.
struct df_ball {
    int32_t cx, cy;    ///< centre, sub
    int32_t radius_px; ///< radius, px, 1 to 64
    int32_t vx, vy;    ///< velocity, sub per tick, each at most 64 px per tick
    uint32_t flags;    ///< enum df_ball_flags
};

/// Which face of a rectangle a ball met.
enum df_bounce {
    DF_BOUNCE_NONE,
    DF_BOUNCE_CORNER,     ///< maps the mirrored (u, v) to (-v, -u)
    DF_BOUNCE_LEFT_RIGHT, ///< negates vx
    DF_BOUNCE_TOP_BOTTOM, ///< negates vy
    DF_BOUNCE_INSIDE,     ///< centre inside the rectangle: reported, speed unchanged
};

/// What a ball met in a sub-step.
struct df_ball_hit {
    enum df_bounce bounce; ///< on which face
    int32_t solid;         ///< index, or -1 for a tile
    int32_t column, row;   ///< of the tile
};

struct df_space;

/// A move calls this at most once, after the actor has stopped and lost its fraction. It may move or kill actors.
typedef void df_collide(struct df_space *space, int32_t actor, struct df_hit hit, void *context);

/// The caller's decisions. Each may be null. `context` is df_space.context.
struct df_rules {
    /// Decides what happens to an actor that a push cannot clear; null destroys it. Called once per actor per solid
    /// move. May move or kill any actor.
    enum df_squish_answer (*squish)(struct df_space *space, struct df_squish squish, void *context);
    /// Decides whether an actor rides a solid: +1 yes, 0 no, -1 by its enum df_ride. Called before each unit step, only
    /// for actors that overlap or touch the solid, that are not attached and do not pass it; a move makes its
    /// steps one by one while there are any.
    int (*rides)(const struct df_space *space, int32_t actor, int32_t solid, void *context);
    /// A ball bounced off, or is inside of, a solid or tile. May break the block (set its bit in `broken`).
    void (*ball_hit)(struct df_space *space, int32_t ball, struct df_ball_hit hit, void *context);
    /// A moving solid cannot push a ball clear; null destroys the ball (clears DF_BALL_ALIVE).
    void (*ball_squish)(struct df_space *space, int32_t ball, int32_t solid, void *context);
};

/// One requested move of a solid or group. Waits in the space if another move is running.
struct df_waiting_move {
    int32_t solids[DF_GROUP_CAPACITY]; ///< indices of the members
    int32_t count;                     ///< how many
    int32_t dx_sub, dy_sub;            ///< amounts of the move
};

struct df_broadphase;

/// Everything that the library works on. The caller fills the first part, df_space_init() the second.
struct df_space {
    struct df_tiles tiles;   ///< the grid
    struct df_solid *solids; ///< what blocks and moves; the caller's array
    struct df_actor *actors; ///< what is blocked; the caller's array
    struct df_ball *balls;   ///< what bounces; the caller's array
    int32_t solid_count;     ///< entries of `solids`; those without DF_SOLID_PRESENT are skipped
    int32_t actor_count;     ///< entries of `actors`; those without DF_ACTOR_ALIVE are skipped
    int32_t ball_count;      ///< entries of `balls`; those without DF_BALL_ALIVE are skipped
    uint32_t tick;           ///< the present tick, from 1; stamped into carried_tick and lift_tick
    struct df_rules rules;   ///< the caller's decisions
    void *context;           ///< passed to the rules

    struct df_broadphase *broadphase; ///< inside the caller's memory
    struct df_squish *squishing;      ///< the squish whose callback runs, for df_actor_wiggle(); else null
    bool moving;                      ///< a solid's move is running
    int32_t waiting_count;            ///< entries of `waiting`
    struct df_waiting_move waiting[DF_QUEUE_CAPACITY]; ///< in the order of the requests
};

// Arithmetic of boxes and of sub-pixels: overlap, rounding and division as the whole library uses them. Pure functions
// of any arguments.

/// Returns the box of an actor.
static inline struct df_box df_actor_box(const struct df_actor *actor)
{
    struct df_box box = {actor->x, actor->y, actor->w, actor->h}; // also C++
    return box;
}

/// Returns the box of a solid.
static inline struct df_box df_solid_box(const struct df_solid *solid)
{
    struct df_box box = {solid->x, solid->y, solid->w, solid->h}; // also C++
    return box;
}

/// Returns true if the two boxes share at least one pixel.
static inline bool df_box_overlaps(struct df_box a, struct df_box b)
{
    return a.x < (int64_t)b.x + b.w && b.x < (int64_t)a.x + a.w && a.y < (int64_t)b.y + b.h && b.y < (int64_t)a.y + a.h;
}

/// Returns the whole pixel nearest to an amount in sub, ties away from zero, so that left and right mirror.
static inline int32_t df_round_px(int32_t amount_sub)
{
    int64_t wide = amount_sub;
    return (int32_t)((wide < 0 ? wide - DF_SUB / 2 : wide + DF_SUB / 2) / DF_SUB);
}

/// Returns the quotient rounded toward minus infinity: the tile column of x = -35 at edge 40 is -1. 0 for a divisor
/// below 1.
static inline int32_t df_floor_div(int32_t value, int32_t divisor)
{
    if (divisor < 1)
        return 0;
    return value / divisor - (value % divisor < 0);
}

#endif
