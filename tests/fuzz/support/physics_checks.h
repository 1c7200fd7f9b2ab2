// SPDX-License-Identifier: MIT
//
// What holds for every answer of the physics library, whatever was asked.
#ifndef FUZZ_PHYSICS_CHECKS_H
#define FUZZ_PHYSICS_CHECKS_H

#include "physics/physics.h"
#include "require.h"

/// Returns true if a box is within the limits of the library.
static inline bool physics_checks_is_box(struct df_box box)
{
    int32_t far = DF_COORDINATE_PX_MAX;
    return box.x >= -far && box.x <= far && box.y >= -far && box.y <= far && box.w >= 1 && box.w <= far && box.h >= 1 &&
           box.h <= far;
}

/// Returns true if a fraction is one.
static inline bool physics_checks_is_rem(int32_t rem)
{
    return rem >= -DF_SUB / 2 && rem <= DF_SUB / 2;
}

/// Returns true if an actor is within the limits.
static inline bool physics_checks_actor_is_sound(const struct df_actor *actor)
{
    return physics_checks_is_box((struct df_box){actor->x, actor->y, actor->w, actor->h}) &&
           physics_checks_is_rem(actor->rem_x) && physics_checks_is_rem(actor->rem_y);
}

/// Returns true if a solid is within the limits.
static inline bool physics_checks_solid_is_sound(const struct df_solid *solid)
{
    return physics_checks_is_box((struct df_box){solid->x, solid->y, solid->w, solid->h}) &&
           physics_checks_is_rem(solid->rem_x) && physics_checks_is_rem(solid->rem_y);
}

/// Returns true if a call was refused, or waits.
static inline bool physics_checks_refused(enum df_result result)
{
    require(result >= DF_OK && result <= DF_QUEUE_FULL);
    return result != DF_OK;
}

/// Checks what a move or a probe of an actor ran into.
static inline void physics_checks_hit(const struct df_space *space, int32_t actor, struct df_hit hit)
{
    require(hit.kind >= DF_HIT_NONE && hit.kind <= DF_HIT_OUTSIDE);
    require((hit.kind == DF_HIT_SOLID) == (hit.index != -1));
    if (hit.kind == DF_HIT_NONE)
        return;
    require(hit.left_px > 0 && (hit.direction == 1 || hit.direction == -1));
    if (hit.kind == DF_HIT_SOLID) {
        require(hit.index >= 0 && hit.index < space->solid_count);
        require((space->solids[hit.index].flags & DF_SOLID_PRESENT) != 0);
        require((space->solids[hit.index].flags & space->actors[actor].flags & DF_LAYERS) == 0);
    }
}

/// Returns true if a way is not a part of the whole way.
static inline bool physics_checks_leads_back(int32_t way, int32_t whole)
{
    return whole < 0 ? way > 0 || way < whole : way < 0 || way > whole;
}

/// Checks what a cast of a way met. `left_out` is a solid that it cannot meet, or -1.
static inline void physics_checks_cast(const struct df_space *space, struct df_cast cast, int32_t dx, int32_t dy,
                                       uint32_t flags, int32_t left_out)
{
    bool is_whole = cast.dx_sub == dx && cast.dy_sub == dy, is_none = cast.dx_sub == 0 && cast.dy_sub == 0;
    require(cast.kind != DF_HIT_NONE || ((is_whole || is_none) && cast.index == -1));
    require(abs(cast.normal_x) <= 1 && abs(cast.normal_y) <= 1);
    require((cast.kind == DF_HIT_SOLID) == (cast.index != -1));
    if (left_out < 0) // a solid's fraction may lead it back
        require(!physics_checks_leads_back(cast.dx_sub, dx) && !physics_checks_leads_back(cast.dy_sub, dy));
    if (cast.kind == DF_HIT_SOLID) {
        require(cast.index >= 0 && cast.index < space->solid_count && cast.index != left_out);
        require((space->solids[cast.index].flags & DF_SOLID_PRESENT) != 0);
        require((space->solids[cast.index].flags & flags & DF_LAYERS) == 0);
    }
}

#endif
