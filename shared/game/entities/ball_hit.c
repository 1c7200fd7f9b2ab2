// SPDX-License-Identifier: MIT
#include "ball_hit.h"

#include <stdlib.h>

#include "arrow.h"
#include "ball.h"
#include "game/event.h"
#include "game/tuning.h"

static void strike(struct step *step, uint32_t ball, uint32_t by, int32_t vx, int32_t vy)
{
    struct df_ball *body = &step->world->balls[ball];
    body->vx = ball_limited(vx);
    body->vy = ball_limited(vy);
    step->world->ball_hits[ball] = (struct ball_hit){.by = by, .since_tick = step->world->tick};
    event_push(step->world, EVENT_KICK, df_floor_div(body->cx, DF_SUB), df_floor_div(body->cy, DF_SUB),
               step_slot_of(by), EVENT_NOBODY, ball);
}

void ball_hit_kick(struct step *step, uint32_t ball, uint32_t slot)
{
    const struct player *player = &step->world->players[slot];
    bool diagonal = player->dash_x != 0 && player->dash_y != 0;
    int32_t speed = diagonal ? TUNING.ball_kick_diagonal : TUNING.ball_kick;
    strike(step, ball, slot + 1, player->dash_x * speed, player->dash_y * speed);
}

void ball_hit_throw(struct step *step, uint32_t ball, uint32_t by, int32_t vx, int32_t vy)
{
    const struct df_ball *body = &step->world->balls[ball];
    strike(step, ball, by, body->vx + vx, body->vy + vy);
}

void ball_hit_shoot(struct step *step, uint32_t ball, uint32_t arrow_slot)
{
    const struct arrow *arrow = &step->world->arrows[arrow_slot];
    bool fast = abs(arrow->vx) >= TUNING.ball_shot_speed || abs(arrow->vy) >= TUNING.ball_shot_speed;
    if (arrow->state != ARROW_FLYING || !fast)
        return;
    int32_t part = TUNING.ball_shot_part;
    ball_hit_throw(step, ball, arrow->owner, arrow->vx / part, arrow->vy / part);
    if (arrow->kind == ARROW_BOMB)
        arrow_break(step, arrow_slot);
    else
        arrow_drop(step, arrow_slot);
}
