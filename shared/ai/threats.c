// SPDX-License-Identifier: MIT
#include "threats.h"

#include "game/entities/ball.h"
#include "game/entities/crusher.h"
#include "game/entities/mover.h"
#include "game/rules/team.h"
#include "game/step.h"
#include "game/tuning.h"

#define NEAR_PX     112 ///< solids farther away cannot matter to a flight
#define ARROW_NEAR  200
#define ARROW_TICKS 36
#define CATCH_TICKS 7 ///< before an arrow hits, that a dash begins
#define SOON_TICKS  24
#define CRUSH_TICKS 48
#define GROWN_PX    2
#define ARROWS_SEEN 6

static struct df_box around(const struct mind *mind, int32_t px)
{
    return (struct df_box){mind->x - px, mind->y - px, 2 * px, 2 * px};
}

static void see_solids(const struct mind *mind, struct trajectory_space *space)
{
    struct df_box near = around(mind, NEAR_PX);
    for (uint32_t i = 0; i < mind->world->solid_count && space->solid_count < TRAJECTORY_SOLID_CAPACITY; i++) {
        const struct df_solid *s = &mind->world->solids[i];
        struct df_box box = {s->x, s->y, s->w, s->h};
        if ((s->flags & DF_SOLID_PRESENT) == 0 || !map_overlaps(mind->map, near, box))
            continue;
        struct trajectory_solid seen = {.box = box, .oneway = (s->flags & DF_SOLID_ONEWAY) != 0, .index = i};
        if (i >= (uint32_t)mind->map->solid_count) {
            int32_t way = mind->map->columns * MAP_EDGE_PX / 2 * DF_SUB / (int32_t)TUNING.sudden_death_closing_ticks;
            if (mind->world->round.sudden_death_ticks > 0)
                seen.vx = i == (uint32_t)mind->map->solid_count ? way : -way;
        } else if (mind->map->solids[i].kind == MAP_SOLID_CRUSHER) {
            seen.vy =
                mind->world->crushers[i].state == CRUSHER_RISING ? -TUNING.crusher_rise : mind->world->crushers[i].vy;
        } else if (mind->map->solids[i].kind == MAP_SOLID_MOVER) {
            int32_t x_sub, y_sub;
            mover_place(mind->map, i, mover_clock_ticks(mind->world, mind->map, i) + 8, &x_sub, &y_sub);
            seen.vx = mover_way(mind->map, s->x, s->rem_x, x_sub, mind->map->columns) / 8;
            seen.vy = mover_way(mind->map, s->y, s->rem_y, y_sub, mind->map->rows) / 8;
        }
        space->solids[space->solid_count++] = seen;
    }
}

static void fear(struct trajectory_space *space, struct trajectory_danger danger)
{
    if (space->danger_count < TRAJECTORY_DANGER_CAPACITY)
        space->dangers[space->danger_count++] = danger;
}

static void see_crushers(const struct mind *mind, struct trajectory_space *space)
{
    for (uint32_t i = 0; i < (uint32_t)mind->map->solid_count; i++) {
        const struct crusher *trap = &mind->world->crushers[i];
        bool warns = trap->state == CRUSHER_WARNING, falls = trap->state == CRUSHER_FALLING;
        if (mind->map->solids[i].kind != MAP_SOLID_CRUSHER || (!warns && !falls))
            continue;
        uint32_t age = mind->world->tick - trap->since_tick;
        uint32_t left = warns && age < TUNING.crusher_warn_ticks ? TUNING.crusher_warn_ticks - age : 0;
        fear(space, (struct trajectory_danger){
                        .box = crusher_reach(&mind->map->solids[i]), .from_tick = left, .until_tick = CRUSH_TICKS});
    }
}

static struct df_box grown(struct df_box box, int32_t px)
{
    return (struct df_box){box.x - px, box.y - px, box.w + 2 * px, box.h + 2 * px};
}

static void see_arrows(const struct mind *mind, struct trajectory_space *space)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < mind->world->arrow_slots && seen < ARROWS_SEEN; i++) {
        const struct arrow *arrow = &mind->world->arrows[i];
        const struct df_actor *a = &mind->world->actors[PLAYER_CAPACITY + i];
        struct df_box box = {a->x, a->y, a->w, a->h};
        if (arrow->burnt_tick != 0) {
            uint32_t left = arrow->burnt_tick > mind->world->tick + 3 ? arrow->burnt_tick - mind->world->tick - 3 : 0;
            fear(space, (struct trajectory_danger){grown(box, TUNING.bomb_kill_px), 0, 0, left, left + 5});
            continue;
        }
        if (arrow->state != ARROW_FLYING || arrow->owner == mind->slot + 1 ||
            (arrow->owner != 0 && team_spares(mind->world, arrow->owner - 1, mind->slot)))
            continue;
        struct spot to = mind_way_to(mind, PLAYER_CAPACITY + i);
        if (abs(to.x) > ARROW_NEAR || abs(to.y) > ARROW_NEAR)
            continue;
        seen++;
        fear(space, (struct trajectory_danger){grown(box, GROWN_PX), arrow->vx, arrow->vy, 0, ARROW_TICKS});
    }
}

static void see_balls(const struct mind *mind, struct trajectory_space *space)
{
    for (uint32_t i = 0; i < mind->world->ball_count; i++) {
        const struct df_ball *ball = &mind->world->balls[i];
        if ((ball->flags & DF_BALL_ALIVE) != 0 && ball_kills(ball))
            fear(space,
                 (struct trajectory_danger){grown(step_ball_box(ball), GROWN_PX), ball->vx, ball->vy, 0, ARROW_TICKS});
    }
}

// One who falls from above stomps.
static void see_feet(const struct mind *mind, struct trajectory_space *space)
{
    struct spot at;
    const struct player *enemy = mind_enemy(mind, &at);
    if (enemy == NULL || enemy->vy <= 0 || at.y > -8 || at.y < -96 || abs(at.x) > 24)
        return;
    const struct df_actor *a = &mind->world->actors[enemy - mind->world->players];
    fear(space, (struct trajectory_danger){{a->x, a->y + a->h - 3, a->w, 4}, enemy->vx, enemy->vy, 0, SOON_TICKS});
}

void threats_see(const struct mind *mind, struct trajectory_space *space)
{
    *space = (struct trajectory_space){.map = mind->map, .tiles = mind->tiles};
    see_solids(mind, space);
    if (!mind->traits->foresees)
        return;
    see_crushers(mind, space);
    see_balls(mind, space);
    if (mind_dice(mind->world, mind->slot, 16, 5) % 8 >= mind->traits->dodge_of_8)
        return;
    see_arrows(mind, space);
    if (mind->traits->cunning)
        see_feet(mind, space);
}

bool threats_are_near(const struct mind *mind, const struct trajectory_space *space)
{
    struct trajectory flight = trajectory_from(mind->world, mind->slot);
    flight = trajectory_follow(space, flight, &TRAJECTORY_PLANS[PLAN_STAY], SOON_TICKS);
    return flight.dead || flight.harm_tick != 0;
}

// Ticks until an arrow hits it where it is, or 0.
static uint32_t hit_ticks(const struct mind *mind, uint32_t i)
{
    const struct arrow *arrow = &mind->world->arrows[i];
    struct spot to = mind_way_to(mind, PLAYER_CAPACITY + i);
    if (abs(to.x) > 64 || abs(to.y) > 64)
        return 0;
    for (int32_t t = 1; t <= CATCH_TICKS; t++) {
        int32_t x = to.x + (arrow->vx - mind->player->vx) * t / DF_SUB,
                y = to.y + (arrow->vy - mind->player->vy) * t / DF_SUB;
        if (abs(x) <= 7 && abs(y) <= 8)
            return (uint32_t)t;
    }
    return 0;
}

uint32_t threats_dodge(const struct mind *mind)
{
    if (!mind_can_dash(mind) || mind->world->tick < mind->player->shield_until)
        return 0;
    for (uint32_t i = 0; i < mind->world->arrow_slots; i++) {
        const struct arrow *arrow = &mind->world->arrows[i];
        if (arrow->state != ARROW_FLYING || arrow->owner == mind->slot + 1 || hit_ticks(mind, i) == 0)
            continue;
        if (arrow->owner != 0 && team_spares(mind->world, arrow->owner - 1, mind->slot))
            continue;
        if (mind_dice(mind->world, mind->slot, 32, 6 + i) % 8 >= mind->traits->dodge_of_8)
            continue;
        struct trajectory_space space = {.map = mind->map, .tiles = mind->tiles};
        struct plan dashes[] = {
            {.dash_tick = 1,
             .dash_x = (int8_t)-mind_sign(arrow->vx),
             .dash_y = abs(arrow->vy) > 512 ? (int8_t)-mind_sign(arrow->vy) : 0},
            {.dash_tick = 1, .dash_y = -1},
            {.dash_tick = 1, .dash_x = (int8_t)mind_sign(arrow->vx)},
        };
        for (uint32_t d = 0; d < 3; d++)
            if (!trajectory_follow(&space, trajectory_from(mind->world, mind->slot), &dashes[d], TUNING.dash_ticks + 4)
                     .dead)
                return trajectory_plan_buttons(&dashes[d]);
    }
    return 0;
}
