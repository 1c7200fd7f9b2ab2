// SPDX-License-Identifier: MIT
#include "strike.h"

#include <stdlib.h>

#include "arrow.h"
#include "ball.h"
#include "tuning.h"

static void strike(struct step *step, uint32_t ball, uint32_t by, int32_t vx, int32_t vy)
{
    struct df_ball *body = &step->world->balls[ball];
    body->vx = ball_limited(vx);
    body->vy = ball_limited(vy);
    step->world->strikes[ball] = (struct strike){.by = by, .since_tick = step->world->tick};
    event_push(step->world, EVENT_KICK, df_floor_div(body->cx, DF_SUB), df_floor_div(body->cy, DF_SUB),
               step_slot_of(by), EVENT_NOBODY, ball);
}

void strike_kick(struct step *step, uint32_t ball, uint32_t slot)
{
    const struct player *player = &step->world->players[slot];
    const bool diagonal = player->dash_x != 0 && player->dash_y != 0;
    const int32_t speed = diagonal ? TUNING.ball_kick_diagonal : TUNING.ball_kick;
    strike(step, ball, slot + 1, player->dash_x * speed, player->dash_y * speed);
}

void strike_throw(struct step *step, uint32_t ball, uint32_t by, int32_t vx, int32_t vy)
{
    const struct df_ball *body = &step->world->balls[ball];
    strike(step, ball, by, body->vx + vx, body->vy + vy);
}

void strike_shoot(struct step *step, uint32_t ball, uint32_t arrow_slot)
{
    const struct arrow *arrow = &step->world->arrows[arrow_slot];
    const bool fast = abs(arrow->vx) >= TUNING.ball_shot_speed || abs(arrow->vy) >= TUNING.ball_shot_speed;
    if (arrow->state != ARROW_FLYING || !fast)
        return;
    const int32_t part = TUNING.ball_shot_part;
    strike_throw(step, ball, arrow->owner, arrow->vx / part, arrow->vy / part);
    if (arrow->kind == ARROW_BOMB)
        arrow_break(step, arrow_slot);
    else
        arrow_drop(step, arrow_slot);
}

/// A speed on one axis, slower (or faster) by a share of it.
static int32_t eased(int32_t speed, bool slower)
{
    const int32_t size = abs(speed), change = size / TUNING.ball_calm_share + 1;
    const int32_t next = speed == 0 ? 0 : slower ? size - change : size + change;
    return speed < 0 ? -next : next;
}

void strike_calm(struct step *step, uint32_t ball)
{
    struct world *world = step->world;
    struct df_ball *body = &world->balls[ball];
    if (world->strikes[ball].since_tick == 0)
        return;
    const struct map_ball *own = &step->map->balls[ball];
    const int64_t wanted = ball_speed_squared(own->vx, own->vy), had = ball_speed_squared(body->vx, body->vy);
    if (had == 0 && wanted != 0) {
        body->vx = own->vx;
        body->vy = own->vy;
    } else if (had != wanted) {
        body->vx = eased(body->vx, had > wanted);
        body->vy = eased(body->vy, had > wanted);
    }
    const int64_t has = ball_speed_squared(body->vx, body->vy);
    if (had > wanted ? has <= wanted : has >= wanted)
        world->strikes[ball] = (struct strike){0};
}
