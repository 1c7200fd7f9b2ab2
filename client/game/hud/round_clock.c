// SPDX-License-Identifier: MIT
#include "hud.h"

#include "game/entities/entities.h"
#include "game/tuning.h"

static uint32_t passed_ticks(const struct view *view)
{
    int32_t passed = (int32_t)(view->world->tick - view->confirmed->round.since_tick);
    return passed > 0 ? (uint32_t)passed : 0;
}

static uint32_t left_of(const struct view *view, uint32_t ticks)
{
    return ticks > passed_ticks(view) ? ticks - passed_ticks(view) : 0;
}

static uint32_t seconds(uint32_t ticks)
{
    return ticks / TICKS_PER_SECOND + (ticks % TICKS_PER_SECOND != 0);
}

uint32_t round_clock_display_s(const struct view *view)
{
    uint32_t limit = view->confirmed->rules.time_limit_ticks;
    return seconds(limit ? left_of(view, limit) : passed_ticks(view));
}

uint32_t round_clock_countdown_s(const struct view *view)
{
    const struct world *world = view->confirmed;
    uint32_t left = 0;
    // A warm-up that waits for players starts again in each tick.
    if (world->round.phase == ROUND_WARMUP && world->round.since_tick != world->tick)
        left = left_of(view, TUNING.warmup_ticks);
    if (world->round.phase == ROUND_COUNTDOWN)
        left = left_of(view, TUNING.countdown_ticks);
    if (world->round.phase == ROUND_PLAYING && world->rules.time_limit_ticks)
        left = left_of(view, world->rules.time_limit_ticks);
    return seconds(left) <= ROUND_CLOCK_COUNTDOWN_S ? seconds(left) : 0;
}

uint32_t round_clock_sudden_death_s(const struct view *view)
{
    const struct world *world = view->confirmed;
    if (world->round.phase != ROUND_PLAYING || !sudden_death_walls((enum mode)world->rules.mode))
        return 0;
    if (world->round.sudden_death_ticks)
        return seconds(TUNING.sudden_death_closing_ticks - world->round.sudden_death_ticks);
    uint32_t left_s = seconds(left_of(view, TUNING.sudden_death_after_ticks));
    return left_s <= ROUND_CLOCK_SUDDEN_DEATH_S ? left_s : 0;
}
