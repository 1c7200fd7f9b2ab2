// SPDX-License-Identifier: MIT
#include "velocity.h"

#include <assert.h>

#include "actor.h"

static_assert(sizeof(struct df_velocity) == 5 * 4, "no padding");

static bool is_amount(int32_t amount_sub)
{
    return amount_sub >= -DF_AMOUNT_SUB_MAX && amount_sub <= DF_AMOUNT_SUB_MAX;
}

static int32_t bounced(const struct df_velocity *velocity, int32_t speed)
{
    int32_t back = -(speed * velocity->bounce / DF_BOUNCE_WHOLE);
    bool rests = back > -DF_BOUNCE_SUB_MIN && back < DF_BOUNCE_SUB_MIN && velocity->bounce < DF_BOUNCE_WHOLE;
    return rests ? 0 : back;
}

static void keep_hit(struct df_space *space, int32_t actor, struct df_hit hit, void *context)
{
    (void)space, (void)actor;
    *(struct df_hit *)context = hit;
}

enum df_result df_velocity_step(struct df_space *space, int32_t actor, struct df_velocity *velocity,
                                struct df_velocity_hits *hits)
{
    static const struct df_hit none = {.kind = DF_HIT_NONE, .index = -1};
    struct df_velocity_hits met = {none, none};
    if (actor < 0 || actor >= space->actor_count || !is_amount(velocity->vx) || !is_amount(velocity->vy) ||
        velocity->bounce < 0 || velocity->bounce > DF_BOUNCE_WHOLE)
        return DF_OUT_OF_RANGE;
    struct df_actor before = space->actors[actor];
    enum df_result result = df_actor_move_x(space, actor, velocity->vx, keep_hit, &met.x);
    if (result != DF_OK)
        return result;
    result = df_actor_move_y(space, actor, velocity->vy, keep_hit, &met.y);
    if (result != DF_OK) {
        space->actors[actor] = before;
        df_actor_changed(space, actor);
        return result;
    }
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
