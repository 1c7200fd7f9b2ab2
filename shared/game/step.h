// SPDX-License-Identifier: MIT
//
// One tick under way: the world, its map, and the physics space built over the world's arrays for the length
// of the tick. The phases of world_step share it; it lives on world_step's stack and leaves nothing behind.
#ifndef GAME_STEP_H
#define GAME_STEP_H

#include "tuning.h"
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
static inline struct df_box step_actor_box(const struct step *step, uint32_t actor)
{
    const struct df_actor *a = &step->world->actors[actor];
    return (struct df_box){a->x, a->y, a->w, a->h};
}

/// The part of a player that can be hit.
static inline struct df_box step_hurt_box(const struct step *step, uint32_t slot)
{
    const struct df_actor *a = &step->world->actors[slot];
    return (struct df_box){a->x, a->y, a->w, TUNING.hurt_h_px};
}

/// map_distance() of the step's map.
static inline int32_t step_distance(const struct step *step, int32_t a, int32_t b, int32_t side_px)
{
    return map_distance(step->map, a, b, side_px);
}

/// map_overlaps() of the step's map.
static inline bool step_overlaps(const struct step *step, struct df_box a, struct df_box b)
{
    return map_overlaps(step->map, a, b);
}

/// True if the box is lost: farther outside of the map than TUNING.lost_px.
bool step_is_lost(const struct step *step, struct df_box box);

/// Writes an actor by hand, as physics wants it.
void step_put_actor(struct step *step, uint32_t actor, struct df_actor value);

#endif
