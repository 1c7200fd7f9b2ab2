// SPDX-License-Identifier: MIT
#include "ai.h"

#include "agent.h"
#include "game/variant.h"
#include "nav_graph_build.h"
#include "sync/game.h"

// About as long as a jump: a bot keeps its decisions in the air.
#define JUMP_TICKS 45

static const struct traits TRAITS[SKILLS] = {
    [SKILL_EASY] = {.think_ticks = 10,
                    .decision_ticks = 80,
                    .shots_of_8 = 1,
                    .wander_of_8 = 4,
                    .dodge_of_8 = 0,
                    .sight_px = 120,
                    .aim_px = 12},
    [SKILL_NORMAL] = {.think_ticks = 6,
                      .decision_ticks = 60,
                      .shots_of_8 = 4,
                      .wander_of_8 = 1,
                      .dodge_of_8 = 3,
                      .sight_px = 180,
                      .aim_px = 8,
                      .leads = true,
                      .foresees = true},
    [SKILL_HARD] = {.think_ticks = 4,
                    .decision_ticks = 40,
                    .shots_of_8 = 8,
                    .wander_of_8 = 0,
                    .dodge_of_8 = 8,
                    .sight_px = 260,
                    .aim_px = 6,
                    .leads = true,
                    .foresees = true,
                    .cunning = true},
};

// In a mirrored match, a bot that wants to go left presses right.
static uint32_t mirror(const struct world *world, uint32_t buttons)
{
    uint32_t sides = buttons & (BUTTON_LEFT | BUTTON_RIGHT);
    if (!variant_is_on(&world->rules, VARIANT_MIRRORED) || sides == 0 || sides == (BUTTON_LEFT | BUTTON_RIGHT))
        return buttons;
    return buttons ^ (BUTTON_LEFT | BUTTON_RIGHT);
}

// Between two choices a bot keeps running, and keeps a jump keep while it rises.
static uint32_t keep(const struct agent *agent)
{
    uint32_t directions = BUTTON_LEFT | BUTTON_RIGHT;
    return mirror(agent->world, agent->player->buttons) &
           (agent->player->vy < 0 ? directions | BUTTON_JUMP : directions);
}

static uint32_t play(const struct agent *agent)
{
    if (agent->world->tick + 1 < agent->player->dash_until)
        return keep(agent) & ~(uint32_t)BUTTON_JUMP; // a jump would end the dash and its catch
    uint32_t buttons = agent->traits->dodge_of_8 > 0 ? threats_dodge(agent) : 0;
    if (buttons == 0)
        buttons = goals_hit_ball(agent);
    if (buttons == 0)
        buttons = aim_shot(agent);
    if (buttons != 0)
        return buttons | (agent->player->vy < 0 ? agent->player->buttons & BUTTON_JUMP : 0);
    // A shot has changed the buttons that led along the path, so the bot chooses again at once.
    bool aimed = agent_holds(agent, BUTTON_SHOOT);
    if (!aimed && (agent->world->tick + agent->slot * 7) % agent->traits->think_ticks != 0)
        return keep(agent);
    struct goal goal = goals_choose(agent);
    buttons = goal.lever != 0 ? aim_lever(agent, agent->map->switches[goal.lever - 1].box) : 0;
    return buttons != 0 ? buttons : motion_choice_buttons(agent, goal);
}

struct player_input ai_think(const struct world *world, const struct map *map, const struct nav_graph *graph,
                             uint32_t slot, enum skill skill)
{
    struct player_input input = {0};
    if (slot >= world->player_slots || world->players[slot].state != PLAYER_ALIVE || skill == SKILL_IDLE)
        return input;
    if (skill == SKILL_RANDOM) {
        for (uint32_t bit = 0; bit < BUTTON_BITS; bit++)
            if (agent_dice(world, slot, 4 + bit * 3, bit) % 3 == 0)
                input.buttons |= 1u << bit;
        return input;
    }
    struct tuning own_tuning;
    const struct df_actor *body = &world->actors[slot];
    bool stands = (world->players[slot].flags & (PLAYER_GROUNDED | PLAYER_HANGING)) != 0;
    struct agent agent = {.world = world,
                          .map = map,
                          .graph = graph,
                          .player = &world->players[slot],
                          .body = body,
                          .traits = &TRAITS[skill < SKILLS ? skill : SKILL_NORMAL],
                          .tuning = variant_tuning(&world->rules, &own_tuning),
                          .tiles = {.kinds = map->tiles,
                                    .broken = world->broken,
                                    .columns = map->columns,
                                    .rows = map->rows,
                                    .edge_px = MAP_EDGE_PX,
                                    .outside = (enum df_outside)map->outside},
                          .slot = slot,
                          .decision_tick = world->tick - (stands ? 0 : JUMP_TICKS),
                          .x = body->x + body->w / 2,
                          .y = body->y + body->h / 2,
                          .feet = body->y + body->h,
                          .cell = NAV_CELL_NONE};
    agent.cell = agent_cell(&agent, agent.x, agent.feet, AGENT_FALL_ROWS);
    input.buttons = mirror(world, play(&agent));
    return input;
}

bool ai_has_bots(const struct world *world)
{
    for (uint32_t slot = 0; slot < world->player_slots; slot++)
        if (world->players[slot].flags & PLAYER_BOT)
            return true;
    return false;
}

void game_prepare_bots(struct nav_graph *graph, const struct map *map)
{
    nav_graph_build(graph, map);
}

void game_think_bots(const struct world *world, const struct map *map, const struct nav_graph *graph,
                     struct player_input *inputs)
{
    for (uint32_t slot = 0; slot < world->player_slots; slot++)
        if (world->players[slot].flags & PLAYER_BOT)
            inputs[slot] = ai_think(world, map, graph, slot, (enum skill)world->rules.bot_skill);
}
