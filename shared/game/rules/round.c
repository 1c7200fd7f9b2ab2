// SPDX-License-Identifier: MIT
#include "round.h"

#include "game/tuning.h"
#include "mode.h"

uint32_t round_countdown_ticks(const struct world *world)
{
    uint32_t age_ticks = world->tick - world->round.since_tick;
    return round_is_frozen(world) && age_ticks < TUNING.countdown_ticks ? TUNING.countdown_ticks - age_ticks : 0;
}

bool round_spawns(const struct world *world)
{
    return !mode_of(world)->one_life || world->round.phase == ROUND_WARMUP || world->round.phase == ROUND_COUNTDOWN;
}

bool round_match_is_over(const struct world *world, tick *since_tick)
{
    *since_tick = world->round.since_tick;
    return world->round.phase == ROUND_MATCH_OVER;
}

const char *round_phase_name(enum round_phase phase)
{
    switch (phase) {
    case ROUND_WARMUP:
        return "warm-up";
    case ROUND_COUNTDOWN:
        return "countdown";
    case ROUND_PLAYING:
        return "playing";
    case ROUND_OVER:
        return "over";
    case ROUND_MATCH_OVER:
        return "match over";
    }
    return "unknown";
}

const char *round_state_name(const struct world *world)
{
    return world->round.paused ? "paused" : round_phase_name((enum round_phase)world->round.phase);
}
