// SPDX-License-Identifier: MIT
#include "fraction.h"

#include "body.h"

static bool is_remainder(int32_t rem_sub)
{
    return rem_sub >= -DF_SUB / 2 && rem_sub <= DF_SUB / 2;
}

static void read_exact(struct df_box box, int32_t rem_x, int32_t rem_y, int32_t *x_sub, int32_t *y_sub)
{
    if (!df_body_box_is_valid(box) || !is_remainder(rem_x) || !is_remainder(rem_y))
        return;
    *x_sub = box.x * DF_SUB + rem_x;
    *y_sub = box.y * DF_SUB + rem_y;
}

void df_actor_exact(const struct df_space *space, int32_t actor, int32_t *x_sub, int32_t *y_sub)
{
    *x_sub = *y_sub = 0;
    if (actor < 0 || actor >= space->actor_count)
        return;
    const struct df_actor *body = &space->actors[actor];
    read_exact(df_actor_box(body), body->rem_x, body->rem_y, x_sub, y_sub);
}

void df_solid_exact(const struct df_space *space, int32_t solid, int32_t *x_sub, int32_t *y_sub)
{
    *x_sub = *y_sub = 0;
    if (solid < 0 || solid >= space->solid_count)
        return;
    const struct df_solid *body = &space->solids[solid];
    read_exact(df_solid_box(body), body->rem_x, body->rem_y, x_sub, y_sub);
}

enum df_result df_actor_clear_rem_x(struct df_space *space, int32_t actor)
{
    if (actor < 0 || actor >= space->actor_count)
        return DF_OUT_OF_RANGE;
    space->actors[actor].rem_x = 0;
    return DF_OK;
}

enum df_result df_actor_clear_rem_y(struct df_space *space, int32_t actor)
{
    if (actor < 0 || actor >= space->actor_count)
        return DF_OUT_OF_RANGE;
    space->actors[actor].rem_y = 0;
    return DF_OK;
}

enum df_result df_solid_clear_rem(struct df_space *space, int32_t solid)
{
    if (solid < 0 || solid >= space->solid_count)
        return DF_OUT_OF_RANGE;
    space->solids[solid].rem_x = space->solids[solid].rem_y = 0;
    return DF_OK;
}
