// SPDX-License-Identifier: MIT
//
// The space: one view of everything that moves and everything that blocks, over arrays that the caller owns, with the
// caller's rules and an index of what is near. The caller's arrays are the whole state: the index can be dropped and
// built again at any time without changing any result.
#ifndef DF_SPACE_H
#define DF_SPACE_H

#include "box.h"

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

#endif
