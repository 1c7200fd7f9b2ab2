// SPDX-License-Identifier: MIT
#include "ai.h"

#include "agent.h"
#include "game/player/player.h"
#include "game/rules/mode.h"
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

const char *const AI_SKILL_CHOICES[SKILLS + 2] = {AI_SKILL_WORDS, [AI_SKILL_ADAPTIVE] = "adaptive"};

const char *ai_skill_name(enum skill skill)
{
    return (uint32_t)skill < SKILLS ? AI_SKILL_CHOICES[skill] : "unknown";
}

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

// --- the skill that follows the score

#define STEPS_OF_LIMIT 6
#define STEP_UNLIMITED 3

// The best score of the humans or of the bots, who must not be all.
static bool best_of(const struct world *world, uint32_t bot, int32_t *score)
{
    bool found = false;
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        const struct player *player = &world->players[slot];
        if (!player_plays(player) || (player->flags & PLAYER_BOT) != bot || (found && player->score <= *score))
            continue;
        *score = player->score;
        found = true;
    }
    return found;
}

int32_t ai_skill_lead(const struct world *world)
{
    int32_t human = 0, bot = 0;
    if (!best_of(world, 0, &human) || !best_of(world, PLAYER_BOT, &bot))
        return 0;
    if (!mode_of(world)->teams)
        return human - bot;
    int32_t more = 0, lead = world->round.team_scores[0] - world->round.team_scores[1];
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        const struct player *player = &world->players[slot];
        if (player_plays(player) && !(player->flags & PLAYER_BOT))
            more += player->team == 1 ? 1 : -1;
    }
    return more > 0 ? lead : more < 0 ? -lead : 0;
}

int32_t ai_skill_step_points(const struct world *world)
{
    int32_t limit = world->rules.score_limit;
    if (limit == 0)
        return STEP_UNLIMITED;
    return limit < STEPS_OF_LIMIT ? 1 : limit / STEPS_OF_LIMIT;
}

enum skill ai_skill_next(const struct world *world)
{
    int32_t lead = ai_skill_lead(world), step = ai_skill_step_points(world);
    switch ((enum skill)world->rules.bot_skill) {
    case SKILL_EASY:
        return lead >= step ? SKILL_NORMAL : SKILL_EASY;
    case SKILL_NORMAL:
        return lead >= 2 * step ? SKILL_HARD : lead <= -2 * step ? SKILL_EASY : SKILL_NORMAL;
    case SKILL_HARD:
        return lead <= -step ? SKILL_NORMAL : SKILL_HARD;
    case SKILL_IDLE:
    case SKILL_RANDOM:
    case SKILLS:
        break;
    }
    return SKILL_EASY;
}

const char *game_adapt_bots(const struct world *world, struct command *command)
{
    static const char *const SHOWN[] = {[SKILL_EASY] = "bots now play at skill easy",
                                        [SKILL_NORMAL] = "bots now play at skill normal",
                                        [SKILL_HARD] = "bots now play at skill hard"};
    const struct rules *rules = &world->rules;
    enum skill next = ai_skill_next(world);
    if (next == (enum skill)rules->bot_skill)
        return NULL;
    *command = (struct command){.kind = COMMAND_RULES,
                                .score_limit = rules->score_limit,
                                .time_limit_ticks = rules->time_limit_ticks,
                                .friendly_fire = rules->friendly_fire,
                                .bot_skill = next};
    return SHOWN[next];
}
