// SPDX-License-Identifier: MIT
//
// Solids: boxes that move no matter what, and carry, push or squish the actors in their way.
// A one-way platform is a solid that blocks only from above. Solids ignore solids and tiles.
// A move is defined by unit steps and done by sweeps (see the library's README).
// While a rule's callback runs, the moving solids are collidable where they stand; at all other times of their move
// they are not. A push is the smallest distance that clears the actor of the whole group. A rider of a step is carried
// by it even if something holds it back; a push is no carry.
#ifndef DF_SOLID_H
#define DF_SOLID_H

#include "box.h"

struct df_space;

/// Most solids that travel as one rigid group.
#define DF_GROUP_CAPACITY 64
/// Most moves that can wait for the end of the move they were asked in.
#define DF_QUEUE_CAPACITY 16

/// Bits of `df_solid.flags`.
enum df_solid_flags {
    DF_SOLID_PRESENT = 1u << 0, ///< in the world and collidable
    DF_SOLID_ONEWAY = 1u << 1,  ///< blocks only a downward step from above
};

/// One solid: seven 32-bit fields without padding.
struct df_solid {
    int32_t x, y;         ///< top-left corner, px
    int32_t w, h;         ///< size, px, at least 1
    int32_t rem_x, rem_y; ///< owed fraction, sub, in [-128, 128]; a group uses and keeps equal those of its first
    uint32_t flags;       ///< enum df_solid_flags
};

/// What a push could not clear. Given to the squish rule.
struct df_squish {
    int32_t actor;              ///< who is squished
    int32_t solid;              ///< who pushes (of a group: the member that overlaps it)
    int32_t direction_x;        ///< -1, 0, +1: the way of the push
    int32_t direction_y;        ///< the same; exactly one of the two is not 0
    int32_t missing_px;         ///< pixels of the push that could not be walked, at least 1
    int32_t target_x, target_y; ///< where the push would have brought it, px
};

/// What the squish rule decided.
enum df_squish_answer {
    DF_SQUISH_DESTROY, ///< the library clears DF_ACTOR_ALIVE
    DF_SQUISH_HANDLED, ///< the rule wiggled it free, moved it, or wants it left; if it is alive and still overlaps:
                       ///< embedded
};

/// Moves one solid by an amount in sub on each axis; it always arrives. Carried and pushed actors get its lift.
/// From inside another move's callback it is queued (its arguments are checked at once, its way again when it runs).
/// A solid that is not present does not move. DF_OUT_OF_RANGE for a bad index or amount, or an end beyond the
/// coordinates.
enum df_result df_solid_move(struct df_space *space, int32_t solid, int32_t dx_sub, int32_t dy_sub);

/// The same for `count` solids (1 to DF_GROUP_CAPACITY, no index twice) that travel as one. Members act in index order;
/// the first in `solids` gives the remainders and is the carrier.
enum df_result df_group_move(struct df_space *space, const int32_t *solids, int32_t count, int32_t dx_sub,
                             int32_t dy_sub);

/// Tells the index that a solid was written by hand (position, size, flags).
void df_solid_changed(struct df_space *space, int32_t solid);

#endif
