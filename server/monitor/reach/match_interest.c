// SPDX-License-Identifier: MIT
#include "match_interest.h"

#include "discovery/server_facts.h"
#include "game/rules/team.h"

// Together 100.
#define PERSON     8u ///< each, up to MANY
#define BOT        1u ///< the same
#define MANY       8u
#define NEARLY_WON 18u
#define TIED       10u

static uint32_t at_most(uint32_t value, uint32_t most)
{
    return value < most ? value : most;
}

uint32_t match_interest(const struct status_snapshot *snapshot)
{
    const struct world *world = &snapshot->world;
    int32_t score, goal = world->rules.score_limit;
    if (snapshot->health.asleep || world->round.paused || snapshot->players + snapshot->bots < 2)
        return 0;
    struct outcome leader = standing_leader(world, &score);
    uint32_t interest = PERSON * at_most(snapshot->players, MANY) + BOT * at_most(snapshot->bots, MANY);
    if (score > 0 && goal > 0)
        interest += NEARLY_WON * at_most((uint32_t)score, (uint32_t)goal) / (uint32_t)goal;
    if (score > 0 && !leader.winner && !leader.team)
        interest += TIED;
    return at_most(interest, SERVER_FACTS_INTEREST_MAX);
}
