// SPDX-License-Identifier: MIT
//
// Solids: boxes that always arrive, and carry, push or squish the actors in their way. A one-way platform is a solid
// that blocks only from above. Solids ignore solids and tiles. Unit steps define a move; sweeps compute it (see the
// library's README). During a move, the moving solids are collidable only while a rule's callback runs. A push is the
// smallest distance that clears the actor of the whole group. The solid that an actor rides carries it even if
// something holds it back; a push is not a carry. The end of the coordinates stops what is pushed or carried, like a
// wall.
#ifndef DF_SOLID_H
#define DF_SOLID_H

#include "types.h"

/// Moves one solid by an amount in sub on each axis; 0 moves nothing, whatever fraction is owed. It always arrives.
/// Actors that it carries or pushes get its lift in place of an earlier one, so move it once in a tick, on both axes.
/// Called from inside another move's callback, it waits: its arguments are checked at once, its path when it runs. A
/// solid that is not present does not move. DF_OUT_OF_RANGE for a bad index or amount, or an end beyond the
/// coordinates.
DF_API enum df_result df_solid_move(struct df_space *space, int32_t solid, int32_t dx_sub, int32_t dy_sub);

/// Moves `count` solids (1 to DF_GROUP_CAPACITY, no index twice) as one. Members act in index order; the first in
/// `solids` provides the fractions. A group is a carrier of its own: see df_group_carrier().
DF_API enum df_result df_group_move(struct df_space *space, const int32_t *solids, int32_t count, int32_t dx_sub,
                                    int32_t dy_sub);

/// Returns the number of a group as a carrier, for df_actor.carrier: of one solid its index + 1; of more a hash of the
/// set, whatever the order, with the highest bit set. Two sets have the same number by an accident of 1 in 2^31.
DF_API uint32_t df_group_carrier(const int32_t *solids, int32_t count);

/// Updates the space after the caller wrote a solid's position, size or flags.
DF_API void df_solid_changed(struct df_space *space, int32_t solid);

/// Reads the exact place of a solid's top-left corner, sub, in the same way.
DF_API void df_solid_exact(const struct df_space *space, int32_t solid, int32_t *x_sub, int32_t *y_sub);

/// Makes a solid forget its fractions: when a lift has arrived, and shall stand exactly there.
DF_API enum df_result df_solid_clear_rem(struct df_space *space, int32_t solid);

#endif
