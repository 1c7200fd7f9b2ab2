// SPDX-License-Identifier: MIT
//
// The space: one view on all that moves and all that blocks, over arrays that the caller owns, with the
// caller's rules and an index that makes "what is near" cheap. The caller's arrays are the whole state:
// the space and its index can be thrown away and built again at any time without changing any result.
#ifndef DF_SPACE_H
#define DF_SPACE_H

#include <stddef.h>

#include "actor.h"
#include "ball.h"
#include "solid.h"
#include "tiles.h"

struct df_index;

/// The caller's answers to what physics leaves open. Each may be null. `context` is df_space.context.
struct df_rules {
    /// A push that cannot be cleared; null destroys. Once per actor per solid move. May move or kill any actor.
    enum df_squish_answer (*squish)(struct df_space *space, struct df_squish squish, void *context);
    /// Whether an actor rides a solid: +1 yes, 0 no, -1 by its enum df_ride. Asked before each unit step, only of
    /// actors whose box overlaps or touches the solid's.
    int (*rides)(const struct df_space *space, int32_t actor, int32_t solid, void *context);
    /// A ball bounced off, or was found inside of, a solid or tile. May break the block (set its bit in `broken`).
    void (*ball_hit)(struct df_space *space, int32_t ball, struct df_ball_hit hit, void *context);
    /// A moving solid cannot push a ball clear; null destroys it (clears DF_BALL_ALIVE).
    void (*ball_squish)(struct df_space *space, int32_t ball, int32_t solid, void *context);
};

/// One move that waits for the end of the move it was asked in.
struct df_waiting_move {
    int32_t solids[DF_GROUP_CAPACITY];
    int32_t count;
    int32_t dx_sub, dy_sub;
};

/// All that physics works on. The caller fills the first part, df_space_init() the second.
struct df_space {
    struct df_tiles tiles;
    struct df_solid *solids;
    struct df_actor *actors;
    struct df_ball *balls;
    int32_t solid_count; ///< entries of `solids`; those without DF_SOLID_PRESENT are passed over
    int32_t actor_count; ///< entries of `actors`; those without DF_ACTOR_ALIVE are passed over
    int32_t ball_count;  ///< entries of `balls`; those without DF_BALL_ALIVE are passed over
    uint32_t tick;       ///< the present tick, from 1; stamped into carried_tick and lift_tick
    struct df_rules rules;
    void *context; ///< handed to the rules

    struct df_index *index;      ///< inside the caller's memory
    struct df_squish *squishing; ///< the squish whose callback runs, for df_actor_wiggle(); else null
    bool moving;                 ///< a solid's move is running
    int32_t waiting_count;       ///< entries of `waiting`
    struct df_waiting_move waiting[DF_QUEUE_CAPACITY];
};

/// Bytes of index memory that a space of this shape needs (tiles, array sizes). Never more than a few per entry and
/// cell.
size_t df_index_bytes(const struct df_space *space);

/// Builds the index into the caller's memory, at least df_index_bytes() large and aligned to 8. The arrays may be
/// filled before or after (then call df_space_refresh). DF_OUT_OF_RANGE if a size or coordinate is beyond the limits.
enum df_result df_space_init(struct df_space *space, void *memory, size_t memory_bytes);

/// Builds the index anew after the arrays were overwritten as a whole (a restored world).
void df_space_refresh(struct df_space *space);

/// Begins a tick: `tick` counts from 1. Carriers are forgotten, because their stamps are of an earlier tick.
void df_tick_begin(struct df_space *space, uint32_t tick);

#endif
