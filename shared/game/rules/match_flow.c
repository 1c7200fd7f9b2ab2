// SPDX-License-Identifier: MIT
#include "rules.h"

#include <string.h>

#include "game/entities/entities.h"
#include "game/entities/entity_list.h"
#include "game/player/player.h"
#include "mode.h"
#include "standing.h"
#include "team.h"

static void enter(struct world *world, enum round_phase phase, struct outcome outcome)
{
    world->round.phase = phase;
    world->round.since_tick = world->tick;
    world->round.winner = outcome.winner;
    world->round.winner_team = outcome.team;
    event_push(world, EVENT_ROUND, 0, 0, outcome.winner != 0 ? outcome.winner - 1 : EVENT_NOBODY, EVENT_NOBODY, phase);
}

static void warm_up(struct step *step)
{
    sudden_death_reset(step);
    enter(step->world, ROUND_WARMUP, (struct outcome){0});
}

// Places everybody at a spawn, and puts all entities back.
static void begin(struct step *step)
{
    struct world *world = step->world;
    for (uint32_t slot = 0; slot < world->player_slots; slot++)
        if (player_plays(&world->players[slot]))
            player_lay_down(step, slot, world->tick);
    entity_list_begin_round(step);
    team_balance(world);
    enter(world, ROUND_COUNTDOWN, (struct outcome){0});
}

static void play(struct world *world)
{
    enter(world, ROUND_PLAYING, (struct outcome){0});
    if (world->round.number == 0)
        world->round.match_since_tick = world->tick;
}

// In a mode of rounds, the mode decides each round, which gives a point, and limits count at the end of a round. In the
// other modes there are only limits.
static void judge(struct step *step)
{
    struct world *world = step->world;
    const struct mode_play *mode = mode_of(world);
    struct outcome outcome = {0};
    int32_t score;
    if (mode->count != NULL)
        mode->count(step);
    if (mode->decided != NULL) {
        if (!mode->decided(step, &outcome))
            return;
        if (outcome.winner != 0)
            mode_add_score(world, outcome.winner - 1, 1);
        mode_add_team_score(world, outcome.team, 1);
    }
    struct outcome leader = standing_leader(world, &score);
    bool is_won = world->rules.score_limit > 0 && score >= world->rules.score_limit;
    bool is_late = world->rules.time_limit_ticks > 0 &&
                   world->tick - world->round.match_since_tick >= world->rules.time_limit_ticks;
    if (is_won || is_late)
        enter(world, ROUND_MATCH_OVER, leader);
    else if (mode->decided != NULL)
        enter(world, ROUND_OVER, outcome);
}

void match_flow_step(struct step *step)
{
    struct world *world = step->world;
    uint32_t age_ticks = world->tick - world->round.since_tick;
    if (world->round.phase == ROUND_WARMUP)
        team_balance(world);
    const struct mode_play *mode = mode_of(world);
    bool ready = mode->teams ? team_size(world, 1) > 0 && team_size(world, 2) > 0
                             : team_size(world, 0) >= (mode->alone ? 1 : TUNING.round_players);
    switch ((enum round_phase)world->round.phase) {
    case ROUND_WARMUP:
        if (!ready)
            world->round.since_tick = world->tick;
        if (!ready || (!mode->alone && age_ticks < TUNING.warmup_ticks))
            return;
        world->round.number = 0;
        memset(world->round.team_scores, 0, sizeof world->round.team_scores);
        for (uint32_t slot = 0; slot < world->player_slots; slot++)
            player_reset_statistics(world, slot);
        begin(step);
        if (mode->alone)
            play(world);
        return;
    case ROUND_COUNTDOWN:
        if (!ready)
            warm_up(step);
        else if (age_ticks >= TUNING.countdown_ticks)
            play(world);
        return;
    case ROUND_PLAYING:
        if (!ready)
            warm_up(step);
        else
            judge(step);
        return;
    case ROUND_OVER:
        if (age_ticks < TUNING.round_over_ticks)
            return;
        world->round.number++;
        if (ready)
            begin(step);
        else
            warm_up(step);
        return;
    case ROUND_MATCH_OVER:
        if (age_ticks < TUNING.over_ticks)
            return;
        world->round.matches++;
        warm_up(step);
        return;
    }
}
