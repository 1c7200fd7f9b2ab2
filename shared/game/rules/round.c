// SPDX-License-Identifier: MIT
#include "round.h"

#include "game/tuning.h"
#include "mode.h"
#include "sync/world.h"

uint32_t round_countdown_ticks(const struct world *world)
{
    uint32_t age_ticks = world->tick - world->round.since_tick;
    return round_is_frozen(world) && age_ticks < TUNING.countdown_ticks ? TUNING.countdown_ticks - age_ticks : 0;
}

bool round_spawns(const struct world *world)
{
    if (mode_of(world)->alone) // the match begins with the first tick, so nobody appears twice
        return world->round.phase != ROUND_WARMUP;
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
    return world->round.paused == PAUSE_ORDERED ? "paused" : round_phase_name((enum round_phase)world->round.phase);
}

void round_pause_step(struct world *world)
{
    world->round.paused_ticks++;
    world->round.since_tick++;
    world->round.match_since_tick++;
    for (uint32_t t = 0; t < REPLICATION_TABLE_COUNT; t++) {
        const struct replication_table *table = &REPLICATION_TABLES[t];
        if (table->world_offset <= offsetof(struct world, events)) // events keep the tick in which they happened
            continue;
        uint32_t *word = replication_table_words(table, world);
        for (uint32_t n = replication_table_used(table, world); n > 0; n--)
            for (uint32_t f = 0; f < table->field_count; f++, word++)
                *word += table->fields[f].kind == REPLICATION_TICK && *word != 0; // 0 means never and does not move
    }
}

bool round_set_paused(struct world *world, uint32_t paused)
{
    if (paused >= PAUSES || (paused == PAUSE_NONE) == (world->round.paused == PAUSE_NONE))
        return false;
    world->round.paused = paused;
    return true;
}
