// SPDX-License-Identifier: MIT
#include "sync/world.h"

#include <string.h>

#include "game/entities/chest.h"
#include "game/entities/entities.h"
#include "game/gift.h"
#include "game/player/player.h"
#include "game/rules/round.h"
#include "game/rules/rules.h"
#include "game/rules/team.h"
#include "step.h"
#include "tuning.h"

_Static_assert(sizeof(struct command) == 28 * 4, "command");
_Static_assert(sizeof(struct world) <= 128 * 1024, "a world is small enough to be kept for every tick of a second");

static enum df_squish_answer squish(struct df_space *space, struct df_squish squish, void *context)
{
    struct step *step = context;
    if (squish.actor >= CHEST_ACTORS) {
        chest_break(step, (uint32_t)squish.actor - CHEST_ACTORS);
        return DF_SQUISH_DESTROY;
    }
    if (squish.actor >= PLAYER_CAPACITY) {
        arrow_break(step, (uint32_t)squish.actor - PLAYER_CAPACITY);
        return DF_SQUISH_DESTROY;
    }
    if (df_actor_wiggle(space, squish.actor, TUNING.squish_wiggle_px, TUNING.squish_wiggle_px))
        return DF_SQUISH_HANDLED;
    damage_kill(step, (uint32_t)squish.actor, DEATH_SQUISH, EVENT_NOBODY);
    return DF_SQUISH_DESTROY;
}

static int rides(const struct df_space *space, int32_t actor, int32_t solid, void *context)
{
    (void)space;
    const struct step *step = context;
    if (actor < PLAYER_CAPACITY || actor >= CHEST_ACTORS)
        return step->map->solids[solid].slippery ? 0 : -1;
    return step->world->arrows[actor - PLAYER_CAPACITY].stuck_in == (uint32_t)solid + 1;
}

static void bounce(struct df_space *space, int32_t ball, struct df_ball_hit hit, void *context)
{
    (void)space;
    ball_meet_tile(context, (uint32_t)ball, hit);
}

static void press(struct df_space *space, int32_t ball, int32_t solid, void *context)
{
    (void)space, (void)solid;
    ball_squish(context, (uint32_t)ball);
}

void world_step(struct world *world, const struct map *map, const struct player_input *inputs)
{
    uint64_t index_memory[STEP_INDEX_BYTES / sizeof(uint64_t)];
    struct step step;
    world->tick++;
    if (world->round.paused) {
        player_step_take_inputs(world, inputs);
        round_pause_step(world);
        return;
    }
    struct df_rules rules = {.squish = squish, .rides = rides, .ball_hit = bounce, .ball_squish = press};
    step_begin(&step, world, map, rules, index_memory);

    player_step_take_inputs(world, inputs); // the buttons that players hold in this tick
    mover_step_clocks(&step);               // doors and lifts follow their switches
    mover_step(&step);                      // solids follow their paths: they carry, push and squish
    crusher_step(&step);                    // crushers see, warn, fall, rest and rise
    conveyor_step(&step);                   // belts carry what stands on them
    sudden_death_step(&step);               // the walls of sudden death close in
    damage_squeezed(&step);                 // players caught twice in one move are squished
    player_step(&step);                     // living players run, jump, dash, shoot and move
    chest_step(&step);                      // chests fall, begin to open, and come back
    arrow_launch(&step);                    // launchers shoot
    gift_step(&step);                       // what chests gave does its work
    arrow_step(&step);                      // arrows fly, stick, burn
    switch_step(&step);                     // plates and levers turn on and off
    ball_step(&step);                       // balls bounce and break blocks
    contact_step(&step);                    // stomps, hits, catches, kicks, explosions; then the deaths
    block_step(&step);                      // broken blocks come back
    spawn_step(&step);                      // dead players come back
    match_flow_step(&step);                 // rounds and matches begin and end
}

static void place_solid(struct world *world, const struct map *map, uint32_t i)
{
    const struct map_solid *solid = &map->solids[i];
    int32_t x_sub, y_sub;
    mover_place(map, i, mover_clock_ticks(world, map, i), &x_sub, &y_sub);
    int32_t x = df_round_px(x_sub), y = df_round_px(y_sub);
    world->solids[i] = (struct df_solid){.x = x,
                                         .y = y,
                                         .w = solid->box.w,
                                         .h = solid->box.h,
                                         .rem_x = x_sub - x * DF_SUB,
                                         .rem_y = y_sub - y * DF_SUB,
                                         .flags = DF_SOLID_PRESENT | (solid->oneway ? DF_SOLID_ONEWAY : 0u)};
}

static uint32_t broken_words(const struct map *map)
{
    return ((uint32_t)(map->columns * map->rows) + 31) / 32;
}

void world_init(struct world *world, const struct map *map, const struct rules *rules)
{
    world_begin(world, map, rules, 0);
}

void world_begin(struct world *world, const struct map *map, const struct rules *rules, tick first_tick)
{
    memset(world, 0, sizeof *world);
    world->tick = world->round.since_tick = world->round.match_since_tick = first_tick;
    world->rules = *rules;
    world->random = rules->seed;
    sudden_death_init(world, map);
    world->ball_count = (uint32_t)map->ball_count;
    world->switch_count = (uint32_t)map->switch_count;
    world->chest_count = (uint32_t)map->chest_count;
    world->broken_words = broken_words(map);
    for (uint32_t i = 0; i < (uint32_t)map->solid_count; i++)
        place_solid(world, map, i);
    for (uint32_t i = 0; i < world->ball_count; i++)
        ball_start(world, map, i);
}
