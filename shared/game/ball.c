// SPDX-License-Identifier: MIT
#include "ball.h"

#include "block.h"
#include "tuning.h"

void ball_start(struct world *world, const struct map *map, uint32_t ball)
{
    const struct map_ball *start = &map->balls[ball];
    world->balls[ball] = (struct df_ball){.cx = start->cx * DF_SUB,
                                          .cy = start->cy * DF_SUB,
                                          .radius_px = start->radius_px,
                                          .vx = start->vx,
                                          .vy = start->vy,
                                          .flags = DF_BALL_ALIVE};
}

struct df_box ball_box(const struct df_ball *ball)
{
    const int32_t r = ball->radius_px;
    return (struct df_box){df_floor_div(ball->cx, DF_SUB) - r, df_floor_div(ball->cy, DF_SUB) - r, 2 * r + 1,
                           2 * r + 1};
}

void ball_meet(struct step *step, struct df_ball_hit hit)
{
    if (hit.bounce != DF_BOUNCE_INSIDE && hit.solid < 0)
        block_break(step, hit.column, hit.row);
}

static int32_t limited(int32_t speed)
{
    const int32_t most = TUNING.ball_speed_max;
    return speed > most ? most : speed < -most ? -most : speed;
}

void balls_step(struct step *step)
{
    struct world *world = step->world;
    for (uint32_t i = 0; i < world->ball_count; i++) {
        struct df_ball *ball = &world->balls[i];
        if ((ball->flags & DF_BALL_ALIVE) == 0 || step_is_lost(step, ball_box(ball))) {
            struct df_ball at_start = {.cx = step->map->balls[i].cx * DF_SUB,
                                       .cy = step->map->balls[i].cy * DF_SUB,
                                       .radius_px = step->map->balls[i].radius_px};
            if (!df_space_blocked(&step->space, ball_box(&at_start)))
                ball_start(world, step->map, i);
            continue;
        }
        ball->vx = limited(ball->vx);
        ball->vy = limited(ball->vy);
        const struct df_ball before = *ball;
        df_ball_step(&step->space, (int32_t)i);
        if (ball->vx != before.vx || ball->vy != before.vy)
            event_push(world, EVENT_BOUNCE, df_floor_div(ball->cx, DF_SUB), df_floor_div(ball->cy, DF_SUB),
                       EVENT_NOBODY, EVENT_NOBODY, i);
    }
}
