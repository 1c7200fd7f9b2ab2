// SPDX-License-Identifier: MIT
#include "round.h"

#include "arrow.h"
#include "ball.h"
#include "block.h"
#include "chest.h"
#include "switch.h"
#include "tuning.h"

static uint32_t present(const struct world *world)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < world->player_slots; slot++)
        count += world->players[slot].state == PLAYER_ALIVE || world->players[slot].state == PLAYER_DEAD;
    return count;
}

/// Slot + 1 of who alone has the best score, else 0; and that score.
static uint32_t leader(const struct world *world, int32_t *score)
{
    uint32_t best = 0;
    *score = INT32_MIN;
    for (uint32_t slot = 0; slot < world->player_slots; slot++) {
        const struct player *player = &world->players[slot];
        if ((player->state != PLAYER_ALIVE && player->state != PLAYER_DEAD) || player->score < *score)
            continue;
        best = player->score > *score ? slot + 1 : 0;
        *score = player->score;
    }
    return best;
}

static void enter(struct world *world, enum round_phase phase, uint32_t winner)
{
    world->round.phase = phase;
    world->round.since_tick = world->tick;
    world->round.winner = winner;
    event_push(world, EVENT_ROUND, 0, 0, winner != 0 ? winner - 1 : EVENT_NOBODY, EVENT_NOBODY, phase);
}

/// Everybody begins at zero, at a spawn, among no arrows and whole blocks.
static void begin(struct step *step)
{
    struct world *world = step->world;
    for (uint32_t i = 0; i < world->arrow_slots; i++)
        arrow_remove(step, i);
    for (uint32_t i = 0; i < world->ball_count; i++)
        ball_start(world, step->map, i);
    chests_reset(step);
    for (uint32_t slot = 0; slot < world->player_slots; slot++)
        player_reset(step, slot);
    blocks_reset(step);
    switches_reset(world);
    enter(world, ROUND_PLAYING, 0);
}

static bool is_decided(const struct world *world, uint32_t age_ticks)
{
    int32_t score;
    leader(world, &score);
    return (world->rules.score_limit > 0 && score >= world->rules.score_limit) ||
           (world->rules.time_limit_ticks > 0 && age_ticks >= world->rules.time_limit_ticks);
}

void round_step(struct step *step)
{
    struct world *world = step->world;
    const uint32_t age_ticks = world->tick - world->round.since_tick;
    const bool enough = present(world) >= TUNING.round_players;
    int32_t score;
    switch ((enum round_phase)world->round.phase) {
    case ROUND_WARMUP:
        if (!enough)
            world->round.since_tick = world->tick;
        else if (age_ticks >= TUNING.warmup_ticks)
            begin(step);
        return;
    case ROUND_PLAYING:
        if (!enough)
            enter(world, ROUND_WARMUP, 0);
        else if (is_decided(world, age_ticks))
            enter(world, ROUND_OVER, leader(world, &score));
        return;
    case ROUND_COUNTDOWN:
    case ROUND_OVER:
    case ROUND_MATCH_OVER:
        if (age_ticks < TUNING.over_ticks)
            return;
        world->round.number++;
        enter(world, ROUND_WARMUP, 0);
        return;
    }
}

const char *round_phase_name(enum round_phase phase)
{
    switch (phase) {
    case ROUND_WARMUP:
        return "warm-up";
    case ROUND_PLAYING:
        return "playing";
    case ROUND_COUNTDOWN:
        return "countdown";
    case ROUND_OVER:
        return "over";
    case ROUND_MATCH_OVER:
        return "match over";
    }
    return "unknown";
}
