// SPDX-License-Identifier: MIT
#include "round_clock.h"

#include "game/rules/round.h"
#include "game/tuning.h"

static uint32_t left_of(const struct world *world, uint32_t ticks)
{
    uint32_t passed = world->tick - world->round.since_tick;
    return ticks > passed ? ticks - passed : 0;
}

static uint32_t seconds(uint32_t ticks)
{
    return ticks / TICKS_PER_SECOND + (ticks % TICKS_PER_SECOND != 0);
}

uint32_t round_clock_display_s(const struct world *world)
{
    uint32_t limit = world->rules.time_limit_ticks;
    return seconds(limit ? left_of(world, limit) : world->tick - world->round.since_tick);
}

uint32_t round_clock_countdown_s(const struct world *world)
{
    uint32_t left = 0;
    // A warm-up that waits for players starts again in each tick.
    if (world->round.phase == ROUND_WARMUP && world->round.since_tick != world->tick)
        left = left_of(world, TUNING.warmup_ticks);
    if (world->round.phase == ROUND_COUNTDOWN)
        left = round_countdown_ticks(world);
    if (world->round.phase == ROUND_PLAYING && world->rules.time_limit_ticks)
        left = left_of(world, world->rules.time_limit_ticks);
    return seconds(left) <= ROUND_CLOCK_COUNTDOWN_S ? seconds(left) : 0;
}
