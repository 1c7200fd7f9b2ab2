// SPDX-License-Identifier: MIT
//
// Lists of bodies: all that take part, and those that a box overlaps, in index order. A box needs no body, so this is
// also how to make a sensor (a door that opens for somebody, a trigger): it senses whatever a list counts.
#ifndef DF_LIST_H
#define DF_LIST_H

#include "types.h"

/// Lists the present solids, one-ways too, that overlap a box: the first `capacity` of them in index order. Returns how
/// many there are, with more than `capacity` too; 0 for a box beyond the limits. `solids` may be null if `capacity` is
/// 0.
DF_API int32_t df_list_solids(const struct df_space *space, struct df_box box, int32_t *solids, int32_t capacity);

/// Lists the living actors that overlap a box, in the same way.
DF_API int32_t df_list_actors(const struct df_space *space, struct df_box box, int32_t *actors, int32_t capacity);

/// Returns the next present solid after an index, or -1: for (i = df_next_solid(space, -1); i >= 0; i = ...(space, i)).
DF_API int32_t df_next_solid(const struct df_space *space, int32_t after);

/// Returns the next living actor after an index, or -1.
DF_API int32_t df_next_actor(const struct df_space *space, int32_t after);

/// Returns the next living ball after an index, or -1.
DF_API int32_t df_next_ball(const struct df_space *space, int32_t after);

#endif
