// SPDX-License-Identifier: MIT
#include "brain.h"

#include "brain_map.h"
#include "brain_mind.h"
#include "rng.h"
#include "tuning.h"

/// That a leap lasts about: nobody changes his mind in the air.
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

const char *skill_name(enum skill skill)
{
    switch (skill) {
    case SKILL_IDLE:
        return "idle";
    case SKILL_RANDOM:
        return "random";
    case SKILL_EASY:
        return "easy";
    case SKILL_NORMAL:
        return "normal";
    case SKILL_HARD:
        return "hard";
    case SKILLS:
        break;
    }
    return "unknown";
}

static uint32_t dice_at(const struct world *world, tick at, uint32_t slot, uint32_t hold_ticks, uint32_t salt)
{
    uint32_t state =
        world->rules.seed ^ slot * 0x9E3779B9u ^ (at + slot * 7) / hold_ticks * 0x85EBCA6Bu ^ salt * 0xC2B2AE35u;
    rng_next(&state);
    return rng_next(&state);
}

uint32_t mind_dice(const struct world *world, uint32_t slot, uint32_t hold_ticks, uint32_t salt)
{
    return dice_at(world, world->tick, slot, hold_ticks, salt);
}

uint32_t mind_mood(const struct mind *mind, uint32_t hold_ticks, uint32_t salt)
{
    return dice_at(mind->world, mind->mood_tick, mind->slot, hold_ticks, salt);
}

struct spot mind_way(const struct mind *mind, int32_t x, int32_t y)
{
    return (struct spot){map_distance(mind->map, mind->x, x, mind->map->columns * MAP_EDGE_PX),
                         map_distance(mind->map, mind->y, y, mind->map->rows * MAP_EDGE_PX)};
}

struct spot mind_way_to(const struct mind *mind, uint32_t actor)
{
    const struct df_actor *a = &mind->world->actors[actor];
    return mind_way(mind, a->x + a->w / 2, a->y + a->h / 2);
}

/// The solid with a cell of its own that ends just below a point, or null's cell.
static uint16_t ride_at(const struct mind *mind, int32_t x, int32_t feet)
{
    for (uint32_t i = 0; i < (uint32_t)mind->map->solid_count; i++) {
        const struct df_solid *s = &mind->world->solids[i];
        if (mind->ways->rides[i] != BRAIN_CELL_NONE &&
            map_overlaps(mind->map, (struct df_box){x - 4, feet - 1, 8, 3}, (struct df_box){s->x, s->y, s->w, 1}))
            return mind->ways->rides[i];
    }
    return BRAIN_CELL_NONE;
}

uint16_t mind_cell_beneath(const struct mind *mind, int32_t x, int32_t feet, int32_t rows)
{
    uint16_t cell = BRAIN_CELL_NONE;
    for (int32_t row = 0; cell == BRAIN_CELL_NONE && row < rows; row++)
        cell = brain_map_cell(mind->ways, mind->map, x, feet + row * MAP_EDGE_PX);
    return cell;
}

uint16_t mind_cell(const struct mind *mind, int32_t x, int32_t feet, int32_t rows)
{
    if (mind->ways == NULL)
        return BRAIN_CELL_NONE;
    const uint16_t ride = ride_at(mind, x, feet);
    return ride != BRAIN_CELL_NONE ? ride : mind_cell_beneath(mind, x, feet, rows);
}

bool mind_is_enemy(const struct mind *mind, uint32_t slot)
{
    const struct player *other = &mind->world->players[slot];
    return slot != mind->slot && other->state == PLAYER_ALIVE &&
           (mind->player->team == 0 || other->team != mind->player->team);
}

const struct player *mind_enemy(const struct mind *mind, struct spot *at)
{
    const struct player *nearest = NULL;
    int32_t best = INT32_MAX;
    for (uint32_t slot = 0; slot < mind->world->player_slots; slot++) {
        if (!mind_is_enemy(mind, slot))
            continue;
        const struct spot to = mind_way_to(mind, slot);
        const int32_t distance = abs(to.x) + 2 * abs(to.y);
        if (distance >= best)
            continue;
        best = distance;
        nearest = &mind->world->players[slot];
        *at = to;
    }
    return nearest;
}

static uint32_t random_buttons(const struct world *world, uint32_t slot)
{
    uint32_t buttons = 0;
    for (uint32_t bit = 0; bit < BUTTON_BITS; bit++)
        if (mind_dice(world, slot, 4 + bit * 3, bit) % 3 == 0)
            buttons |= 1u << bit;
    return buttons;
}

/// Between two decisions: what is held, but a jump only while it lifts.
static uint32_t held(const struct mind *mind)
{
    const uint32_t directions = BUTTON_LEFT | BUTTON_RIGHT;
    return mind->player->buttons & (mind->player->vy < 0 ? directions | BUTTON_JUMP : directions);
}

static uint32_t play(const struct mind *mind)
{
    if (mind->world->tick + 1 < mind->player->dash_until)
        return held(mind) & ~(uint32_t)BUTTON_JUMP; // a jump would end the dash, and what it catches
    uint32_t buttons = mind->traits->dodge_of_8 > 0 ? danger_dodge(mind) : 0;
    if (buttons == 0)
        buttons = goal_strike(mind);
    if (buttons == 0)
        buttons = aim_shot(mind);
    if (buttons != 0)
        return buttons | (mind->player->vy < 0 ? mind->player->buttons & BUTTON_JUMP : 0);
    // Whoever shot has let go of his way, so he thinks at once.
    const bool aimed = mind_pressed(mind, BUTTON_SHOOT);
    if (!aimed && (mind->world->tick + mind->slot * 7) % mind->traits->think_ticks != 0)
        return held(mind);
    return way_buttons(mind, goal_choose(mind));
}

struct player_input brain_think(const struct world *world, const struct map *map, const struct brain_map *ways,
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
    const bool stands = (world->players[slot].flags & (PLAYER_GROUNDED | PLAYER_HANGING)) != 0;
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
                        .cell = BRAIN_CELL_NONE};
    mind.cell = mind_cell(&mind, mind.x, mind.feet, MIND_FALL_ROWS);
    input.buttons = play(&mind);
    return input;
}
