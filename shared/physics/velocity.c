// SPDX-License-Identifier: MIT
#include "velocity.h"

#include <assert.h>

static_assert(sizeof(struct df_velocity) == 5 * 4, "no padding");

static int32_t bounced(const struct df_velocity *velocity, int32_t speed)
{
    int32_t back = -(speed * velocity->bounce / DF_BOUNCE_WHOLE);
    bool rests = back > -DF_BOUNCE_SUB_MIN && back < DF_BOUNCE_SUB_MIN && velocity->bounce < DF_BOUNCE_WHOLE;
    return rests ? 0 : back;
}

enum df_result df_velocity_step(struct df_space *space, int32_t actor, struct df_velocity *velocity,
                                struct df_actor_hits *hits)
{
    if (velocity->bounce < 0 || velocity->bounce > DF_BOUNCE_WHOLE)
        return DF_OUT_OF_RANGE;
    struct df_actor_hits met;
    enum df_result result = df_actor_step(space, actor, velocity->vx, velocity->vy, &met);
    if (result != DF_OK)
        return result;
    if (met.x.kind != DF_HIT_NONE)
        velocity->vx = bounced(velocity, velocity->vx);
    if (met.y.kind != DF_HIT_NONE) {
        velocity->vy = bounced(velocity, velocity->vy);
        velocity->jump_ticks = 0;
    }
    if (hits != NULL)
        *hits = met;
    return DF_OK;
}

void df_velocity_jump(struct df_velocity *velocity, int32_t vy, int32_t hold_ticks)
{
    velocity->vy = velocity->jump_vy = vy;
    velocity->jump_ticks = hold_ticks;
}

void df_velocity_hold(struct df_velocity *velocity, bool held)
{
    if (!held || velocity->jump_ticks <= 0) {
        velocity->jump_ticks = 0;
        return;
    }
    velocity->jump_ticks--;
    if (velocity->vy > velocity->jump_vy)
        velocity->vy = velocity->jump_vy;
}
