// SPDX-License-Identifier: MIT
#include "agent.h"

#include "game/entities/entities.h"
#include "game/rules/team.h"
#include "game/step.h"
#include "game/tuning.h"

#define NEAR_PX     112 ///< solids farther away cannot matter to a motion
#define FALL_PX     240 ///< the same below: the way of a fall
#define ARROW_NEAR  200
#define ARROW_TICKS 36
#define CATCH_TICKS 7 ///< before a hit, in which a dash catches the arrow
#define SOON_TICKS  24
#define CRUSH_TICKS 48
#define GROWN_PX    2
#define ARROWS_SEEN 6

// Fills where a crusher will be. It sees the bot.
static void foresee_crusher(const struct agent *agent, struct motion_solid *seen)
{
    const struct map_solid *solid = &agent->map->solids[seen->index];
    struct crusher crusher = agent->world->crushers[seen->index];
    int32_t fallen = crusher.fallen;
    bool sees_bot = map_overlaps(agent->map, crusher_reach(solid), df_actor_box(agent->body));
    if (crusher.state == CRUSHER_ARMED && !sees_bot)
        return;
    for (uint32_t ticks = 1; ticks < MOTION_SAMPLES * MOTION_SAMPLE_TICKS; ticks++) {
        crusher = crusher_next(crusher, solid, agent->tuning, agent->world->tick + ticks, sees_bot);
        if (ticks % MOTION_SAMPLE_TICKS == 0)
            seen->y_sub[ticks / MOTION_SAMPLE_TICKS] = crusher.fallen - fallen;
    }
}

static void foresee_mover(const struct agent *agent, struct motion_solid *seen)
{
    const struct df_solid *s = &seen->now;
    for (uint32_t sample = 1; sample < MOTION_SAMPLES; sample++) {
        int32_t x_sub, y_sub;
        mover_place(agent->map, seen->index,
                    mover_clock_in(agent->world, agent->map, seen->index, sample * MOTION_SAMPLE_TICKS), &x_sub,
                    &y_sub);
        seen->x_sub[sample] = mover_way(agent->map, s->x, s->rem_x, x_sub, agent->map->columns);
        seen->y_sub[sample] = mover_way(agent->map, s->y, s->rem_y, y_sub, agent->map->rows);
    }
}

static void see_solids(const struct agent *agent, struct motion_space *space)
{
    struct df_box near = {agent->x - NEAR_PX, agent->y - NEAR_PX, 2 * NEAR_PX, NEAR_PX + FALL_PX};
    for (uint32_t i = 0; i < agent->world->solid_count && space->solid_count < MOTION_SOLID_CAPACITY; i++) {
        const struct df_solid *s = &agent->world->solids[i];
        if ((s->flags & DF_SOLID_PRESENT) == 0 || !map_overlaps(agent->map, near, df_solid_box(s)))
            continue;
        struct motion_solid *seen = &space->solids[space->solid_count++];
        *seen = (struct motion_solid){.now = *s, .index = i};
        if (i >= (uint32_t)agent->map->solid_count) { // a wall of sudden death
            int32_t speed = agent->map->columns * MAP_EDGE_PX / 2 * DF_SUB / (int32_t)TUNING.sudden_death_closing_ticks;
            if (i > (uint32_t)agent->map->solid_count)
                speed = -speed;
            for (uint32_t sample = 1; agent->world->round.sudden_death_ticks > 0 && sample < MOTION_SAMPLES; sample++)
                seen->x_sub[sample] = speed * (int32_t)(sample * MOTION_SAMPLE_TICKS);
        } else {
            const struct map_solid *solid = &agent->map->solids[i];
            seen->slippery = solid->slippery != 0;
            seen->belt_sub = solid->belt_sub;
            if (solid->kind == MAP_SOLID_CRUSHER)
                foresee_crusher(agent, seen);
            else if (solid->path_count > 0)
                foresee_mover(agent, seen);
        }
        for (uint32_t sample = 1; sample < MOTION_SAMPLES; sample++)
            seen->moves |= seen->x_sub[sample] != 0 || seen->y_sub[sample] != 0;
    }
}

static void add_danger(struct motion_space *space, struct motion_danger danger)
{
    if (space->danger_count < MOTION_DANGER_CAPACITY)
        space->dangers[space->danger_count++] = danger;
}

static void see_crushers(const struct agent *agent, struct motion_space *space)
{
    for (uint32_t i = 0; i < (uint32_t)agent->map->solid_count; i++) {
        const struct crusher *crusher = &agent->world->crushers[i];
        bool warns = crusher->state == CRUSHER_WARNING, falls = crusher->state == CRUSHER_FALLING;
        if (agent->map->solids[i].kind != MAP_SOLID_CRUSHER || (!warns && !falls))
            continue;
        uint32_t age = agent->world->tick - crusher->since_tick;
        uint32_t left = warns && age < agent->tuning->crusher_warn_ticks ? agent->tuning->crusher_warn_ticks - age : 0;
        add_danger(space, (struct motion_danger){.box = crusher_reach(&agent->map->solids[i]),
                                                 .from_tick = left,
                                                 .until_tick = CRUSH_TICKS});
    }
}

static struct df_box grown(struct df_box box, int32_t px)
{
    return (struct df_box){box.x - px, box.y - px, box.w + 2 * px, box.h + 2 * px};
}

static void see_arrows(const struct agent *agent, struct motion_space *space)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < agent->world->arrow_slots && seen < ARROWS_SEEN; i++) {
        const struct arrow *arrow = &agent->world->arrows[i];
        const struct df_actor *a = &agent->world->actors[PLAYER_CAPACITY + i];
        struct df_box box = {a->x, a->y, a->w, a->h};
        if (arrow->burnt_tick != 0) {
            uint32_t left = arrow->burnt_tick > agent->world->tick + 3 ? arrow->burnt_tick - agent->world->tick - 3 : 0;
            add_danger(space, (struct motion_danger){grown(box, TUNING.bomb_kill_px), 0, 0, left, left + 5});
            continue;
        }
        if (arrow->state != ARROW_FLYING || arrow->owner == agent->slot + 1 ||
            (arrow->owner != 0 && team_spares(agent->world, arrow->owner - 1, agent->slot)))
            continue;
        struct vector to = agent_offset_to(agent, PLAYER_CAPACITY + i);
        if (abs(to.x) > ARROW_NEAR || abs(to.y) > ARROW_NEAR)
            continue;
        seen++;
        add_danger(space, (struct motion_danger){grown(box, GROWN_PX), arrow->vx, arrow->vy, 0, ARROW_TICKS});
    }
}

void threats_see(const struct agent *agent, struct motion_space *space)
{
    motion_simulation_clear(space, agent->map, agent->tuning, &agent->tiles);
    see_solids(agent, space);
    motion_simulation_open(space);
    if (!agent->traits->foresees)
        return;
    see_crushers(agent, space);
    for (uint32_t i = 0; i < agent->world->ball_count; i++) {
        const struct df_ball *ball = &agent->world->balls[i];
        if ((ball->flags & DF_BALL_ALIVE) != 0 && ball_kills(ball))
            add_danger(space, (struct motion_danger){grown(step_ball_box(ball), GROWN_PX), ball->vx, ball->vy, 0,
                                                     ARROW_TICKS});
    }
    if (agent_dice(agent->world, agent->slot, 16, 5) % 8 >= agent->traits->dodge_of_8)
        return;
    see_arrows(agent, space);
    // An enemy who falls from above stomps.
    struct vector at;
    const struct player *enemy = agent->traits->cunning ? agent_nearest_enemy(agent, &at) : NULL;
    if (enemy == NULL || enemy->vy <= 0 || at.y > -8 || at.y < -96 || abs(at.x) > 24)
        return;
    const struct df_actor *a = &agent->world->actors[enemy - agent->world->players];
    add_danger(space, (struct motion_danger){{a->x, a->y + a->h - 3, a->w, 4}, enemy->vx, enemy->vy, 0, SOON_TICKS});
}

bool threats_are_near(const struct agent *agent, struct motion_space *space)
{
    bool moves = agent->player->vx != 0;
    for (uint32_t i = 0; i < space->solid_count; i++)
        moves |= space->solids[i].moves;
    if (!moves && space->danger_count == 0)
        return false;
    struct motion_body body = motion_simulation_start(agent->world, agent->slot);
    body = motion_simulation_run(space, body, &MOTION_TABLE[MOTION_STAY], SOON_TICKS);
    return body.dead || body.harm_tick != 0;
}

// Ticks until an arrow hits the bot, or 0.
static uint32_t hit_ticks(const struct agent *agent, uint32_t i)
{
    const struct arrow *arrow = &agent->world->arrows[i];
    struct vector to = agent_offset_to(agent, PLAYER_CAPACITY + i);
    if (abs(to.x) > 64 || abs(to.y) > 64)
        return 0;
    for (int32_t t = 1; t <= CATCH_TICKS; t++) {
        int32_t x = to.x + (arrow->vx - agent->player->vx) * t / DF_SUB,
                y = to.y + (arrow->vy - agent->player->vy) * t / DF_SUB;
        if (abs(x) <= 7 && abs(y) <= 8)
            return (uint32_t)t;
    }
    return 0;
}

uint32_t threats_dodge(const struct agent *agent)
{
    if (!agent_can_dash(agent) || agent->world->tick < agent->player->shield_until)
        return 0;
    for (uint32_t i = 0; i < agent->world->arrow_slots; i++) {
        const struct arrow *arrow = &agent->world->arrows[i];
        if (arrow->state != ARROW_FLYING || arrow->owner == agent->slot + 1 || hit_ticks(agent, i) == 0)
            continue;
        if (arrow->owner != 0 && team_spares(agent->world, arrow->owner - 1, agent->slot))
            continue;
        if (agent_dice(agent->world, agent->slot, 32, 6 + i) % 8 >= agent->traits->dodge_of_8)
            continue;
        struct motion_space space;
        motion_simulation_clear(&space, agent->map, agent->tuning, &agent->tiles);
        motion_simulation_open(&space);
        struct motion dashes[] = {
            {.dash_tick = 1,
             .dash_x = (int8_t)-agent_sign(arrow->vx),
             .dash_y = abs(arrow->vy) > 512 ? (int8_t)-agent_sign(arrow->vy) : 0},
            {.dash_tick = 1, .dash_y = -1},
            {.dash_tick = 1, .dash_x = (int8_t)agent_sign(arrow->vx)},
        };
        for (uint32_t d = 0; d < 3; d++)
            if (!motion_simulation_run(&space, motion_simulation_start(agent->world, agent->slot), &dashes[d],
                                       agent->tuning->dash_ticks + 4)
                     .dead)
                return motion_simulation_buttons(&dashes[d]);
    }
    return 0;
}
