// SPDX-License-Identifier: MIT
//
// One tick under way: the world, its map, and the physics space built over the world's arrays for the length
// of the tick. The phases of world_step share it; it lives on world_step's stack and leaves nothing behind.
#ifndef GAME_STEP_H
#define GAME_STEP_H

#include "world.h"

/// Bytes of the physics index of the largest world.
#define STEP_INDEX_BYTES (32 * 1024)

/// What the phases share.
struct step {
    struct world *world;
    const struct map *map;
    struct df_space space;
};

/// Builds the space over the world's arrays into `memory` (STEP_INDEX_BYTES, aligned to 8) and begins the tick.
void step_begin(struct step *step, struct world *world, const struct map *map, void *memory);

/// Box of an actor.
struct df_box step_actor_box(const struct step *step, uint32_t actor);

/// The part of a player that can be hit.
struct df_box step_hurt_box(const struct step *step, uint32_t slot);

/// True if the boxes overlap, also over the seam of a map that wraps.
bool step_overlaps(const struct step *step, struct df_box a, struct df_box b);

/// b - a on an axis of that many px; in a map that wraps, the short way round.
int32_t step_distance(const struct step *step, int32_t a, int32_t b, int32_t side_px);

/// True if the box is lost: farther outside of the map than TUNING.lost_px.
bool step_is_lost(const struct step *step, struct df_box box);

/// Writes an actor by hand, as physics wants it.
void step_put_actor(struct step *step, uint32_t actor, struct df_actor value);

#endif
