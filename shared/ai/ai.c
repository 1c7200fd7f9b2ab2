// SPDX-License-Identifier: MIT
#include "ai.h"

#include "aim.h"
#include "goals.h"
#include "steering.h"
#include "threats.h"

// About as long as a leap: nobody changes their mind in the air.
#define LEAP_TICKS 45

static const struct traits TRAITS[SKILLS] = {
    [SKILL_EASY] = {.think_ticks = 10,
                    .attention_ticks = 80,
                    .shots_of_8 = 1,
                    .wander_of_8 = 4,
                    .dodge_of_8 = 0,
                    .sight_px = 120,
                    .aim_px = 12},
    [SKILL_NORMAL] = {.think_ticks = 6,
                      .attention_ticks = 60,
                      .shots_of_8 = 4,
                      .wander_of_8 = 1,
                      .dodge_of_8 = 3,
                      .sight_px = 180,
                      .aim_px = 8,
                      .leads = true,
                      .foresees = true},
    [SKILL_HARD] = {.think_ticks = 4,
                    .attention_ticks = 40,
                    .shots_of_8 = 8,
                    .wander_of_8 = 0,
                    .dodge_of_8 = 8,
                    .sight_px = 260,
                    .aim_px = 6,
                    .leads = true,
                    .foresees = true,
                    .cunning = true},
};

const char *const SKILL_NAMES[SKILLS + 1] = {[SKILL_IDLE] = "idle",
                                             [SKILL_RANDOM] = "random",
                                             [SKILL_EASY] = "easy",
                                             [SKILL_NORMAL] = "normal",
                                             [SKILL_HARD] = "hard"};

const char *ai_skill_name(enum skill skill)
{
    return (uint32_t)skill < SKILLS ? SKILL_NAMES[skill] : "unknown";
}

static uint32_t random_buttons(const struct world *world, uint32_t slot)
{
    uint32_t buttons = 0;
    for (uint32_t bit = 0; bit < BUTTON_BITS; bit++)
        if (mind_dice(world, slot, 4 + bit * 3, bit) % 3 == 0)
            buttons |= 1u << bit;
    return buttons;
}

// Between two decisions: what is held, but a jump only while it lifts.
static uint32_t held(const struct mind *mind)
{
    uint32_t directions = BUTTON_LEFT | BUTTON_RIGHT;
    return mind->player->buttons & (mind->player->vy < 0 ? directions | BUTTON_JUMP : directions);
}

static uint32_t play(const struct mind *mind)
{
    if (mind->world->tick + 1 < mind->player->dash_until)
        return held(mind) & ~(uint32_t)BUTTON_JUMP; // a jump would end the dash, and what it catches
    uint32_t buttons = mind->traits->dodge_of_8 > 0 ? threats_dodge(mind) : 0;
    if (buttons == 0)
        buttons = goals_hit_ball(mind);
    if (buttons == 0)
        buttons = aim_shot(mind);
    if (buttons != 0)
        return buttons | (mind->player->vy < 0 ? mind->player->buttons & BUTTON_JUMP : 0);
    // A bot that has shot has dropped its path, so it thinks at once.
    bool aimed = mind_pressed(mind, BUTTON_SHOOT);
    if (!aimed && (mind->world->tick + mind->slot * 7) % mind->traits->think_ticks != 0)
        return held(mind);
    return steering_buttons(mind, goals_choose(mind));
}

struct player_input ai_think(const struct world *world, const struct map *map, const struct nav_graph *ways,
                             uint32_t slot, enum skill skill)
{
    struct player_input input = {0};
    if (slot >= world->player_slots || world->players[slot].state != PLAYER_ALIVE || skill == SKILL_IDLE)
        return input;
    if (skill == SKILL_RANDOM) {
        input.buttons = random_buttons(world, slot);
        return input;
    }
    const struct df_actor *body = &world->actors[slot];
    bool stands = (world->players[slot].flags & (PLAYER_GROUNDED | PLAYER_HANGING)) != 0;
    struct mind mind = {.world = world,
                        .map = map,
                        .ways = ways,
                        .player = &world->players[slot],
                        .body = body,
                        .traits = &TRAITS[skill < SKILLS ? skill : SKILL_NORMAL],
                        .tiles = {.kinds = map->tiles,
                                  .broken = world->broken,
                                  .columns = map->columns,
                                  .rows = map->rows,
                                  .edge_px = MAP_EDGE_PX,
                                  .outside = (enum df_outside)map->outside},
                        .slot = slot,
                        .mood_tick = world->tick - (stands ? 0 : LEAP_TICKS),
                        .x = body->x + body->w / 2,
                        .y = body->y + body->h / 2,
                        .feet = body->y + body->h,
                        .cell = NAV_CELL_NONE};
    mind.cell = mind_cell(&mind, mind.x, mind.feet, MIND_FALL_ROWS);
    input.buttons = play(&mind);
    return input;
}
