// SPDX-License-Identifier: MIT
//
// What actors and solids have in common (private): a box that moves along an axis, and whether they take part.
#ifndef DF_BODY_H
#define DF_BODY_H

#include "box.h"

/// The axis of a move.
enum df_axis {
    DF_X,
    DF_Y,
};

/// Returns the box of a solid.
static inline struct df_box df_body_solid_box(const struct df_solid *solid)
{
    return (struct df_box){solid->x, solid->y, solid->w, solid->h};
}

/// Returns the box of an actor.
static inline struct df_box df_body_actor_box(const struct df_actor *actor)
{
    return (struct df_box){actor->x, actor->y, actor->w, actor->h};
}

/// Returns true if the solid is in the world and collidable.
static inline bool df_body_is_present(const struct df_solid *solid)
{
    return (solid->flags & DF_SOLID_PRESENT) != 0;
}

/// Returns true if the actor takes part.
static inline bool df_body_is_alive(const struct df_actor *actor)
{
    return (actor->flags & DF_ACTOR_ALIVE) != 0;
}

/// Returns a box that is larger by `px` on every side.
static inline struct df_box df_body_box_grown(struct df_box box, int32_t px)
{
    return (struct df_box){box.x - px, box.y - px, box.w + 2 * px, box.h + 2 * px};
}

/// Returns a box some pixels further along an axis.
static inline struct df_box df_body_box_moved(struct df_box box, enum df_axis axis, int32_t px)
{
    *(axis == DF_X ? &box.x : &box.y) += px;
    return box;
}

/// Returns true if a box is at most `place_px_max` from the origin and its size is within the limits of the library.
static inline bool df_body_box_is_within(struct df_box box, int32_t place_px_max)
{
    uint32_t far = (uint32_t)place_px_max, large = DF_COORDINATE_PX_MAX;
    return (((uint32_t)box.x + far <= 2 * far) & ((uint32_t)box.y + far <= 2 * far) & ((uint32_t)box.w - 1 < large) &
            ((uint32_t)box.h - 1 < large)) != 0;
}

/// Returns true if a box is within the limits of the library.
static inline bool df_body_box_is_valid(struct df_box box)
{
    return df_body_box_is_within(box, DF_COORDINATE_PX_MAX);
}

#endif
