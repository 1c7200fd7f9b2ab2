// SPDX-License-Identifier: MIT
//
// One tick under way: the world, its map, and the physics space built over the world's arrays for the length
// of the tick. The phases of world_step share it; it lives on world_step's stack and leaves nothing behind.
#ifndef GAME_STEP_H
#define GAME_STEP_H

#include "state.h"
#include "tuning.h"

/// Bytes of the physics index of the largest world.
#define STEP_INDEX_BYTES (32 * 1024)

/// What a player dies of at the end of the tick: rules/damage.c.
struct damage {
    uint32_t cause;  ///< enum death_cause + 1; 0: they live
    uint32_t killer; ///< slot, or EVENT_NOBODY
};

/// What explodes in this tick: damage_explode().
struct explosion {
    struct df_box from; ///< it goes out from the middle of this
    uint32_t owner;     ///< slot + 1, or 0
};

/// The tick that the phases of world_step share.
struct step {
    struct world *world;
    const struct map *map;
    const struct tuning *tuning; ///< of this match: TUNING, or own_tuning with its variants
    struct tuning own_tuning;
    struct df_space space;
    struct damage damages[PLAYER_CAPACITY];
    uint32_t explosion_count;
    struct explosion explosions[ARROW_CAPACITY];
};

/// Builds the space over the world's arrays into `memory` (STEP_INDEX_BYTES, aligned to 8) and begins the tick. `rules`
/// answer what physics leaves open while things move; they are given the step as their context.
void step_begin(struct step *step, struct world *world, const struct map *map, struct df_rules rules, void *memory);

/// Returns the box of an actor.
static inline struct df_box step_actor_box(const struct step *step, uint32_t actor)
{
    return df_actor_box(&step->world->actors[actor]);
}

/// Returns the part of a player's box that can be hit.
static inline struct df_box step_hurt_box(const struct step *step, uint32_t slot)
{
    const struct df_actor *a = &step->world->actors[slot];
    return (struct df_box){a->x, a->y, a->w, TUNING.hurt_h_px};
}

/// Returns the box around a ball, px.
static inline struct df_box step_ball_box(const struct df_ball *ball)
{
    int32_t r = ball->radius_px;
    return (struct df_box){df_floor_div(ball->cx, DF_SUB) - r, df_floor_div(ball->cy, DF_SUB) - r, 2 * r + 1,
                           2 * r + 1};
}

/// Does the work of map_distance(), without a call in a map that does not wrap.
static inline int32_t step_distance(const struct step *step, int32_t a, int32_t b, int32_t side_px)
{
    return step->map->outside == DF_OUTSIDE_WRAP ? map_distance(step->map, a, b, side_px) : b - a;
}

/// Does the work of map_overlaps(), without a call in a map that does not wrap.
static inline bool step_overlaps(const struct step *step, struct df_box a, struct df_box b)
{
    return step->map->outside == DF_OUTSIDE_WRAP ? map_overlaps(step->map, a, b) : df_box_overlaps(a, b);
}

/// A number as struct events and damages name players: slot + 1 becomes the slot, 0 becomes EVENT_NOBODY.
static inline uint32_t step_slot_of(uint32_t reference)
{
    return reference != 0 ? reference - 1 : EVENT_NOBODY;
}

/// From twice the middle of one box to twice the middle of another, px; in a map that wraps, the short way round.
/// Twice, because the middle of an even box lies between two pixels, and left must be as far as right.
static inline void step_way_twice(const struct step *step, struct df_box from, struct df_box to, int32_t *dx,
                                  int32_t *dy)
{
    *dx = step_distance(step, 2 * from.x + from.w, 2 * to.x + to.w, 2 * step->map->columns * MAP_EDGE_PX);
    *dy = step_distance(step, 2 * from.y + from.h, 2 * to.y + to.h, 2 * step->map->rows * MAP_EDGE_PX);
}

/// Returns true if the circle of that radius, px, around the middle of `from` reaches into the box.
bool step_is_within(const struct step *step, struct df_box from, int32_t radius_px, struct df_box box);

/// Returns true if the box is lost: farther outside of the map than TUNING.lost_px.
bool step_is_lost(const struct step *step, struct df_box box);

/// Returns true if an actor is an arrow.
static inline bool step_is_arrow(int32_t actor)
{
    return actor >= PLAYER_CAPACITY && actor < PLAYER_CAPACITY + ARROW_CAPACITY;
}

/// Writes an actor by hand, as physics wants it.
void step_put_actor(struct step *step, uint32_t actor, struct df_actor value);

/// Returns true if a box is within a radius of an explosion, px, and no wall and no solid is between them.
bool step_explosion_hits(const struct step *step, const struct explosion *explosion, int32_t radius_px,
                         struct df_box box);

/// Splits a speed on the two axes so that it leads away from an explosion.
void step_explosion_push(const struct step *step, const struct explosion *explosion, struct df_box box, int32_t speed,
                         int32_t *vx, int32_t *vy);

#endif
