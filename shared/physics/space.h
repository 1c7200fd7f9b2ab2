// SPDX-License-Identifier: MIT
//
// The space: one view of everything that moves and everything that blocks, over arrays that the caller owns, with the
// caller's rules and an index of what is near. The caller's arrays are the whole state: the index can be dropped and
// built again at any time without changing any result.
#ifndef DF_SPACE_H
#define DF_SPACE_H

#include "types.h"

/// Returns the bytes of memory that the index of a space of this shape needs (tiles, array sizes): a few per entry and
/// cell. 0 if a size is beyond the limits.
DF_API size_t df_index_bytes(const struct df_space *space);

/// Builds the index in the caller's memory, at least df_index_bytes() large and aligned to 8. The arrays may be
/// filled before or after (then call df_space_refresh). DF_OUT_OF_RANGE if a size or coordinate is beyond the limits,
/// an array is missing, or the memory is too small or not aligned.
DF_API enum df_result df_space_init(struct df_space *space, void *memory, size_t memory_bytes);

/// Builds the index again after the arrays were overwritten as a whole (a restored world).
DF_API void df_space_refresh(struct df_space *space);

/// Begins a tick: `tick` counts from 1. Actors lose their carriers, because those stamps are of an earlier tick.
DF_API void df_tick_begin(struct df_space *space, uint32_t tick);

/// Returns true if the box overlaps a collidable solid or a tile that blocks (one-ways do not count), or is beyond the
/// limits.
DF_API bool df_space_blocked(const struct df_space *space, struct df_box box);

// Lists of bodies: all that take part, and those that a box overlaps, in index order. A box needs no body, so this is
// also how to make a sensor (a door that opens for somebody, a trigger): it senses whatever a list counts.

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
