// SPDX-License-Identifier: MIT
//
// A world from its beginning on: what a tick does, the commands that change it between two ticks, and what holds for
// every world that world_step makes, as far as that is cheap, so that world_step stays within bounds with a world that
// came from the wire.
#include "sync/world.h"

#include <stdlib.h>
#include <string.h>

#include "game/entities/chest.h"
#include "game/entities/entities.h"
#include "game/entities/entity_list.h"
#include "game/gift.h"
#include "game/player/player.h"
#include "game/rules/round.h"
#include "game/rules/rules.h"
#include "game/rules/team.h"
#include "step.h"
#include "tuning.h"
#include "valid.h"
#include "variant.h"

_Static_assert(sizeof(struct command) == 28 * 4, "command");
_Static_assert(sizeof(struct world) <= 128 * 1024, "a world is small enough to be kept for every tick of a second");

static enum df_squish_answer squish(struct df_space *space, struct df_squish squish, void *context)
{
    struct step *step = context;
    if (entity_list_squish(step, (uint32_t)squish.actor))
        return DF_SQUISH_DESTROY;
    if (df_actor_wiggle(space, squish.actor, TUNING.squish_wiggle_px, TUNING.squish_wiggle_px))
        return DF_SQUISH_HANDLED;
    damage_kill(step, (uint32_t)squish.actor, DEATH_SQUISH, EVENT_NOBODY);
    return DF_SQUISH_DESTROY;
}

static int rides(const struct df_space *space, int32_t actor, int32_t solid, void *context)
{
    (void)space;
    const struct step *step = context;
    if (!step_is_arrow(actor))
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
        player_note_inputs(world, inputs);
        round_pause_step(world);
        return;
    }
    struct df_rules rules = {.squish = squish, .rides = rides, .ball_hit = bounce, .ball_squish = press};
    step_begin(&step, world, map, rules, index_memory);

    player_note_inputs(world, inputs); // the buttons that players hold in this tick
    mover_step_clocks(&step);          // doors and lifts follow their switches
    mover_step(&step);                 // solids follow their paths: they carry, push and squish
    crusher_step(&step);               // crushers see, warn, fall, rest and rise
    mover_step_belts(&step);           // belts carry what stands on them
    sudden_death_step(&step);          // the walls of sudden death close in
    damage_squeezed(&step);            // players caught twice in one move are squished
    player_step(&step);                // living players run, jump, dash, shoot and move
    chest_step(&step);                 // chests fall, begin to open, and come back
    arrow_launch(&step);               // launchers shoot
    gift_step(&step);                  // what chests gave does its work
    arrow_step(&step);                 // arrows fly, stick, burn
    switch_step(&step);                // plates and levers turn on and off
    ball_step(&step);                  // balls bounce and break blocks
    contact_step(&step);               // stomps, hits, catches, kicks, explosions; then the deaths
    block_step(&step);                 // broken blocks come back
    spawn_step(&step);                 // dead players come back
    match_flow_step(&step);            // rounds and matches begin and end
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
    entity_list_start(world, map);
}

// --- commands

static void join(struct world *world, const struct command *command)
{
    const struct player_record *record = &command->record;
    uint32_t slot = command->slot;
    event_push(world, EVENT_JOIN, 0, 0, slot, EVENT_NOBODY, command->bot);
    struct player player = {.state = PLAYER_DEAD,
                            .generation = world->event_count,
                            .flags = command->bot ? PLAYER_BOT : 0,
                            .colour = command->colour,
                            .team = !team_mode(world)   ? 0
                                    : record->team != 0 ? record->team
                                                        : team_smaller(world),
                            .handicap = record->handicap,
                            .facing = 1,
                            .respawn_tick = world->tick,
                            .score = record->score,
                            .stats = record->stats};
    memcpy(player.name, command->name, sizeof player.name);
    world->players[slot] = player;
    if (world->player_slots <= slot)
        world->player_slots = slot + 1;
}

static void leave(struct world *world, uint32_t slot)
{
    event_push(world, EVENT_LEAVE, world->actors[slot].x, world->actors[slot].y, slot, EVENT_NOBODY, 0);
    memset(&world->players[slot], 0, sizeof world->players[slot]);
    memset(&world->actors[slot], 0, sizeof world->actors[slot]);
    for (uint32_t i = 0; i < world->player_slots; i++)
        if (world->players[i].shover == slot + 1)
            world->players[i].shover = 0;
    entity_list_forget(world, slot);
    while (world->player_slots > 0 && world->players[world->player_slots - 1].state == PLAYER_ABSENT)
        world->player_slots--;
}

bool world_command(struct world *world, const struct map *map, const struct command *command)
{
    struct rules *rules = &world->rules, former;
    if (command->slot >= PLAYER_CAPACITY)
        return false;
    bool absent = world->players[command->slot].state == PLAYER_ABSENT;
    switch (command->kind) {
    case COMMAND_JOIN:
        if (!absent || command->bot > 1 || command->colour > 15 || !player_record_is_valid(&command->record))
            return false;
        join(world, command);
        return true;
    case COMMAND_LEAVE:
        if (absent)
            return false;
        leave(world, command->slot);
        return true;
    case COMMAND_TEAM:
        return !absent && team_choose(world, command->slot, command->team);
    case COMMAND_PAUSE:
        return round_set_paused(world, command->paused);
    case COMMAND_RULES:
        if (command->score_limit < 0 || command->score_limit > TUNING.score_max || command->friendly_fire > 1 ||
            command->bot_skill >= SKILLS)
            return false;
        former = *rules;
        rules->score_limit = command->score_limit;
        rules->time_limit_ticks = command->time_limit_ticks;
        rules->friendly_fire = command->friendly_fire;
        rules->bot_skill = command->bot_skill;
        return memcmp(rules, &former, sizeof former) != 0;
    case COMMAND_ROLL:
        return chest_open(world, map, command->slot, command->gift);
    }
    return false;
}

// --- worlds from the wire

static bool is_direction(int32_t value)
{
    return value >= -1 && value <= 1;
}

static bool player_is_valid(const struct world *world, const struct map *map, uint32_t slot)
{
    const struct player *p = &world->players[slot];
    const struct df_actor *actor = &world->actors[slot];
    bool alive = (actor->flags & DF_ACTOR_ALIVE) != 0;
    if (p->state == PLAYER_ABSENT)
        return valid_is_zero(p, sizeof *p) && valid_is_zero(actor, sizeof *actor);
    if (alive != (p->state == PLAYER_ALIVE))
        return false;
    if (!team_is_valid(world, p) || p->handicap >= HANDICAPS)
        return false;
    if (!valid_is_zero(actor, sizeof *actor) && !valid_actor(world, map, actor, TUNING.body_w_px, TUNING.body_h_px))
        return false;
    return valid_speed(p->vx, p->vy) && abs(p->jump_vy) <= TUNING.speed_max && abs(p->facing) == 1 &&
           is_direction(p->aim_x) && is_direction(p->aim_y) && is_direction(p->forced_direction) &&
           is_direction(p->dash_x) && is_direction(p->dash_y) && p->fall_cap >= 0 &&
           p->fall_cap <= TUNING.fall_fast_max && p->flaps <= TUNING.wings_flaps && p->arrows <= TUNING.arrows_max &&
           player_special_arrows(p) <= p->arrows && valid_reference(world, p->shover) &&
           abs(p->score) <= TUNING.score_max;
}

// The tables of replication.c hold the ranges of the fields.
static bool fields_fit(const struct world *world)
{
    for (uint32_t t = 0; t < REPLICATION_TABLE_COUNT; t++) {
        const struct replication_table *table = &REPLICATION_TABLES[t];
        const uint32_t *word = replication_table_words_const(table, world);
        for (uint32_t n = replication_table_used(table, world); n > 0; n--)
            for (uint32_t f = 0; f < table->field_count; f++)
                if (!replication_field_fits(&table->fields[f], *word++))
                    return false;
    }
    return true;
}

bool world_validate(const struct world *world, const struct map *map)
{
    const struct rules *rules = &world->rules;
    const struct round *round = &world->round;
    if (rules->mode >= MODES || rules->bot_skill >= SKILLS || rules->variants >> VARIANTS != 0 ||
        rules->score_limit < 0 || rules->score_limit > TUNING.score_max || round->phase > ROUND_MATCH_OVER ||
        round->winner > PLAYER_CAPACITY || round->winner_team > TEAM_COUNT || round->paused >= PAUSES ||
        world->player_slots > PLAYER_CAPACITY ||
        (world->player_slots > 0 && world->players[world->player_slots - 1].state == PLAYER_ABSENT))
        return false;
    if (!fields_fit(world))
        return false;
    for (uint32_t i = 0; i < TEAM_COUNT; i++)
        if (abs(round->team_scores[i]) > TUNING.score_max)
            return false;
    for (uint32_t i = 0; i < EVENT_CAPACITY && i < world->event_count; i++)
        if (world->events[i].kind >= EVENT_KINDS)
            return false;
    for (uint32_t slot = 0; slot < world->player_slots; slot++)
        if (!player_is_valid(world, map, slot))
            return false;
    return entity_list_is_valid(world, map);
}
