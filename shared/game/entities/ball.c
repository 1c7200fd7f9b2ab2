// SPDX-License-Identifier: MIT
#include "entities.h"

#include <stdlib.h>

#include "base/number.h"
#include "game/tuning.h"
#include "game/valid.h"

static void begin(struct world *world, const struct map *map, uint32_t ball)
{
    const struct map_ball *start = &map->balls[ball];
    world->balls[ball] = (struct df_ball){.cx = start->cx * DF_SUB,
                                          .cy = start->cy * DF_SUB,
                                          .radius_px = start->radius_px,
                                          .vx = start->vx,
                                          .vy = start->vy,
                                          .flags = DF_BALL_ALIVE};
    world->ball_hits[ball] = (struct ball_hit){0};
}

void ball_start(struct world *world, const struct map *map)
{
    world->ball_count = (uint32_t)map->ball_count;
    for (uint32_t ball = 0; ball < world->ball_count; ball++)
        begin(world, map, ball);
}

void ball_begin_round(struct step *step)
{
    ball_start(step->world, step->map);
}

struct entity_sight ball_show(const struct world *world, const struct map *map, uint32_t index)
{
    const struct df_ball *ball = &world->balls[index];
    (void)map;
    return (struct entity_sight){3, {ball->cx / DF_SUB, ball->cy / DF_SUB, ball->radius_px}};
}

void ball_forget(struct world *world, uint32_t reference)
{
    for (uint32_t ball = 0; ball < world->ball_count; ball++)
        if (world->ball_hits[ball].by == reference)
            world->ball_hits[ball].by = 0;
}

bool ball_is_valid(const struct world *world, const struct map *map)
{
    if (world->ball_count != (uint32_t)map->ball_count)
        return false;
    for (uint32_t i = 0; i < world->ball_count; i++) {
        const struct df_ball *ball = &world->balls[i];
        if (ball->radius_px != map->balls[i].radius_px || abs(ball->vx) > 64 * DF_SUB || abs(ball->vy) > 64 * DF_SUB ||
            !valid_place(map, df_floor_div(ball->cx, DF_SUB), df_floor_div(ball->cy, DF_SUB)) ||
            !valid_reference(world, world->ball_hits[i].by))
            return false;
    }
    return true;
}

static uint32_t owner_of(const struct step *step, uint32_t ball)
{
    return step_slot_of(step->world->ball_hits[ball].by);
}

void ball_meet_tile(struct step *step, uint32_t ball, struct df_ball_hit hit)
{
    if (hit.bounce != DF_BOUNCE_INSIDE && hit.solid < 0)
        block_break(step, hit.column, hit.row, owner_of(step, ball));
}

void ball_squish(struct step *step, uint32_t ball)
{
    struct df_ball *body = &step->world->balls[ball];
    struct df_box box = step_ball_box(body);
    struct df_box around = {box.x - 1, box.y - 1, box.w + 2, box.h + 2};
    if (!block_break_in(step, around, owner_of(step, ball)))
        body->flags &= ~(uint32_t)DF_BALL_ALIVE;
}

static int64_t gap(int32_t way, int32_t length)
{
    int32_t beyond = way < 0 ? -way : way - length;
    return beyond > 0 ? beyond : 0;
}

bool ball_touches(const struct step *step, uint32_t ball, struct df_box box)
{
    const struct df_ball *body = &step->world->balls[ball];
    int32_t side_x = step->map->columns * MAP_EDGE_PX * DF_SUB, side_y = step->map->rows * MAP_EDGE_PX * DF_SUB;
    // From the near corner of the box to the centre of the ball; on a map that wraps, to the image of the ball that is
    // nearest to the middle of the box.
    int32_t half_w = box.w * DF_SUB / 2, half_h = box.h * DF_SUB / 2;
    int64_t x = gap(step_distance(step, box.x * DF_SUB + half_w, body->cx, side_x) + half_w, 2 * half_w);
    int64_t y = gap(step_distance(step, box.y * DF_SUB + half_h, body->cy, side_y) + half_h, 2 * half_h);
    int64_t radius = body->radius_px * DF_SUB;
    return (body->flags & DF_BALL_ALIVE) != 0 && x * x + y * y < radius * radius;
}

static int64_t speed_squared(int32_t vx, int32_t vy)
{
    return (int64_t)vx * vx + (int64_t)vy * vy;
}

bool ball_kills(const struct df_ball *ball)
{
    return speed_squared(ball->vx, ball->vy) >= speed_squared(TUNING.ball_lethal_speed, 0);
}

static int32_t limit_speed(int32_t speed)
{
    return number_clamp(speed, -TUNING.ball_speed_max, TUNING.ball_speed_max);
}

static void hit(struct step *step, uint32_t ball, uint32_t by, int32_t vx, int32_t vy)
{
    struct df_ball *body = &step->world->balls[ball];
    body->vx = limit_speed(vx);
    body->vy = limit_speed(vy);
    step->world->ball_hits[ball] = (struct ball_hit){.by = by, .since_tick = step->world->tick};
    event_push(step->world, EVENT_KICK, df_floor_div(body->cx, DF_SUB), df_floor_div(body->cy, DF_SUB),
               step_slot_of(by), EVENT_NOBODY, ball);
}

void ball_kick(struct step *step, uint32_t ball, uint32_t slot)
{
    const struct player *player = &step->world->players[slot];
    bool diagonal = player->dash_x != 0 && player->dash_y != 0;
    int32_t speed = diagonal ? TUNING.ball_kick_diagonal : TUNING.ball_kick;
    hit(step, ball, slot + 1, player->dash_x * speed, player->dash_y * speed);
}

// Adds to the speed of a ball; it then belongs to `by`: slot + 1, or 0.
static void throw(struct step * step, uint32_t ball, uint32_t by, int32_t vx, int32_t vy)
{
    const struct df_ball *body = &step->world->balls[ball];
    hit(step, ball, by, body->vx + vx, body->vy + vy);
}

void ball_explode(struct step *step, const struct explosion *explosion)
{
    for (uint32_t ball = 0; ball < step->world->ball_count; ball++) {
        const struct df_ball *body = &step->world->balls[ball];
        // Only the middle counts: a wall that the ball touches is no cover.
        struct df_box middle = {df_floor_div(body->cx, DF_SUB), df_floor_div(body->cy, DF_SUB), 1, 1};
        int32_t vx, vy;
        if ((body->flags & DF_BALL_ALIVE) == 0 ||
            !step_explosion_hits(step, explosion, TUNING.bomb_shove_px + body->radius_px, middle))
            continue;
        step_explosion_push(step, explosion, middle, TUNING.bomb_throw_speed, &vx, &vy);
        throw(step, ball, explosion->owner, vx, vy);
    }
}

void ball_meet_arrow(struct step *step, uint32_t ball, uint32_t arrow_slot)
{
    const struct arrow *arrow = &step->world->arrows[arrow_slot];
    bool fast = abs(arrow->vx) >= TUNING.ball_shot_speed || abs(arrow->vy) >= TUNING.ball_shot_speed;
    if (arrow->state != ARROW_FLYING || !fast)
        return;
    int32_t part = TUNING.ball_shot_part;
    throw(step, ball, arrow->owner, arrow->vx / part, arrow->vy / part);
    if (ARROW_KIND_TABLE[arrow->kind].explodes)
        arrow_break(step, arrow_slot);
    else
        arrow_drop(step, arrow_slot);
}

// A speed on one axis, slower or faster by a share of it.
static int32_t eased(int32_t speed, bool slower)
{
    int32_t size = abs(speed), change = size / TUNING.ball_calm_share + 1;
    int32_t next = speed == 0 ? 0 : slower ? size - change : size + change;
    return speed < 0 ? -next : next;
}

// Brings a ball that was hit nearer to its own speed. When it has that, no player is credited any more.
static void calm(struct step *step, uint32_t ball)
{
    struct world *world = step->world;
    struct df_ball *body = &world->balls[ball];
    if (world->ball_hits[ball].since_tick == 0)
        return;
    const struct map_ball *own = &step->map->balls[ball];
    int64_t wanted = speed_squared(own->vx, own->vy), had = speed_squared(body->vx, body->vy);
    if (had == 0 && wanted != 0) {
        body->vx = own->vx;
        body->vy = own->vy;
    } else if (had != wanted) {
        body->vx = eased(body->vx, had > wanted);
        body->vy = eased(body->vy, had > wanted);
    }
    int64_t has = speed_squared(body->vx, body->vy);
    if (had > wanted ? has <= wanted : has >= wanted)
        world->ball_hits[ball] = (struct ball_hit){0};
}

void ball_step(struct step *step)
{
    struct world *world = step->world;
    for (uint32_t i = 0; i < world->ball_count; i++) {
        struct df_ball *ball = &world->balls[i];
        if ((ball->flags & DF_BALL_ALIVE) == 0 || step_is_lost(step, step_ball_box(ball))) {
            struct df_ball at_start = {.cx = step->map->balls[i].cx * DF_SUB,
                                       .cy = step->map->balls[i].cy * DF_SUB,
                                       .radius_px = step->map->balls[i].radius_px};
            if (!df_space_blocked(&step->space, step_ball_box(&at_start)))
                begin(world, step->map, i);
            continue;
        }
        calm(step, i);
        ball->vx = limit_speed(ball->vx);
        ball->vy = limit_speed(ball->vy);
        struct df_ball before = *ball;
        df_ball_step(&step->space, (int32_t)i);
        if (ball->vx != before.vx || ball->vy != before.vy)
            event_push(world, EVENT_BOUNCE, df_floor_div(ball->cx, DF_SUB), df_floor_div(ball->cy, DF_SUB),
                       EVENT_NOBODY, EVENT_NOBODY, i);
    }
}
