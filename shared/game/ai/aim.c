// SPDX-License-Identifier: MIT
#include "agent.h"

#include "game/tuning.h"

#define FALL_TICKS_MAX 24 ///< for which the fall of an enemy is foreseen; then they have landed
#define BOMB_NEAR_PX   44 ///< too near for a bomb
#define BOMB_AIM_PX    14

static bool is_wall(const struct agent *agent, int32_t x, int32_t y)
{
    enum df_tile tile = df_tiles_at(&agent->tiles, df_floor_div(x, MAP_EDGE_PX), df_floor_div(y, MAP_EDGE_PX));
    if (tile == DF_TILE_SOLID || tile == DF_TILE_BLOCK)
        return true;
    for (uint32_t i = 0; i < agent->world->solid_count; i++) {
        const struct df_solid *s = &agent->world->solids[i];
        if ((s->flags & (DF_SOLID_PRESENT | DF_SOLID_ONEWAY)) == DF_SOLID_PRESENT &&
            map_overlaps(agent->map, (struct df_box){x, y, 1, 1}, (struct df_box){s->x, s->y, s->w, s->h}))
            return true;
    }
    return false;
}

bool aim_is_clear(const struct agent *agent, struct vector to)
{
    int32_t far = abs(to.x) > abs(to.y) ? abs(to.x) : abs(to.y), steps = far / 6;
    for (int32_t i = 1; i < steps; i++)
        if (is_wall(agent, agent->x + to.x * i / steps, agent->y + to.y * i / steps))
            return false;
    return true;
}

// Where an enemy is in so many ticks.
static struct vector foreseen(const struct tuning *tuning, const struct player *enemy, struct vector at, int32_t ticks)
{
    at.x += enemy->vx * ticks / DF_SUB;
    if ((enemy->flags & (PLAYER_GROUNDED | PLAYER_HANGING)) != 0)
        return at;
    int32_t falls = ticks < FALL_TICKS_MAX ? ticks : FALL_TICKS_MAX;
    int32_t vy = enemy->vy;
    for (int32_t t = 0; t < falls; t += 4) {
        at.y += vy * 4 / DF_SUB;
        vy = vy + 4 * tuning->gravity < tuning->fall_max ? vy + 4 * tuning->gravity : tuning->fall_max;
    }
    return at;
}

// The direction of a shot that hits what is there when it arrives, so many ticks later; or 0, 0.
static struct vector toward(const struct agent *agent, struct vector then, int32_t ticks, int32_t slack_px)
{
    int32_t falls = ticks - (int32_t)agent->tuning->arrow_straight_ticks;
    if (falls > 0)
        then.y -= agent->tuning->arrow_gravity * falls * falls / (2 * DF_SUB);
    struct vector aim = {abs(then.x) <= slack_px ? 0 : agent_sign(then.x),
                         abs(then.y) <= slack_px ? 0 : agent_sign(then.y)};
    bool diagonal = abs(abs(then.x) - abs(then.y)) <= slack_px + slack_px / 2;
    if ((aim.x != 0 && aim.y != 0 && !diagonal) || !aim_is_clear(agent, then))
        return (struct vector){0, 0};
    return aim;
}

static int32_t flight_ticks(const struct tuning *tuning, struct vector to)
{
    int32_t far = abs(to.x) > abs(to.y) ? abs(to.x) : abs(to.y);
    bool slanted = abs(abs(to.x) - abs(to.y)) < far / 2;
    return far * DF_SUB / (slanted ? tuning->arrow_diagonal : tuning->arrow_speed);
}

// The direction of a shot that hits an enemy, or 0, 0.
static struct vector direction(const struct agent *agent, const struct player *enemy, struct vector at,
                               int32_t slack_px)
{
    struct vector then = at;
    int32_t ticks = 0;
    for (int32_t tries = 0; tries < 2; tries++) {
        ticks = flight_ticks(agent->tuning, then);
        then = agent->traits->leads ? foreseen(agent->tuning, enemy, at, ticks) : at;
    }
    if (agent->world->tick + (uint32_t)ticks < enemy->shield_until)
        return (struct vector){0, 0};
    return toward(agent, then, ticks, slack_px);
}

static bool can_shoot(const struct agent *agent)
{
    return agent->player->arrows > 0 && agent->world->tick + 1 >= agent->player->shoot_ready_tick &&
           !agent_holds(agent, BUTTON_SHOOT);
}

uint32_t aim_lever(const struct agent *agent, struct df_box lever)
{
    struct vector to = agent_offset(agent, lever.x + lever.w / 2, lever.y + lever.h / 2);
    if (!can_shoot(agent) || abs(to.x) > agent->traits->sight_px || abs(to.y) > agent->traits->sight_px)
        return 0;
    for (uint32_t i = 0; i < agent->world->arrow_slots; i++) // which may be on its way there
        if (agent->world->arrows[i].state == ARROW_FLYING && agent->world->arrows[i].owner == agent->slot + 1)
            return 0;
    struct vector aim = toward(agent, to, flight_ticks(agent->tuning, to), (lever.w < lever.h ? lever.w : lever.h) / 2);
    return aim.x != 0 || aim.y != 0 ? agent_direction_buttons(aim.x, aim.y) | BUTTON_SHOOT : 0;
}

uint32_t aim_shot(const struct agent *agent)
{
    const struct player *player = agent->player;
    if (!can_shoot(agent) || agent_dice(agent->world, agent->slot, 12, 4) % 8 >= agent->traits->shots_of_8)
        return 0;
    for (uint32_t slot = 0; slot < agent->world->player_slots; slot++) {
        if (!agent_is_enemy(agent, slot))
            continue;
        struct vector at = agent_offset_to(agent, slot);
        int32_t far = abs(at.x) > abs(at.y) ? abs(at.x) : abs(at.y);
        const struct player *enemy = &agent->world->players[slot];
        if (far > agent->traits->sight_px || (agent->traits->cunning && agent->world->tick < enemy->dash_until))
            continue;
        if (player->bombs > 0 && far < BOMB_NEAR_PX)
            continue;
        struct vector aim = direction(agent, enemy, at, player->bombs > 0 ? BOMB_AIM_PX : agent->traits->aim_px);
        if (aim.x != 0 || aim.y != 0)
            return agent_direction_buttons(aim.x, aim.y) | BUTTON_SHOOT;
    }
    return 0;
}
