// SPDX-License-Identifier: MIT
#include "pause.h"

#include "game/replication.h"

// 0 is never, and stays so.
static void age(const struct replication_table *table, struct world *world)
{
    uint32_t *word = replication_table_words(table, world);
    for (uint32_t n = replication_table_used(table, world); n > 0; n--)
        for (uint32_t f = 0; f < table->field_count; f++, word++)
            *word += table->fields[f].kind == FIELD_TICK && *word != 0;
}

void pause_step(struct world *world)
{
    world->round.paused_ticks++;
    world->round.since_tick++;
    world->round.match_since_tick++;
    for (uint32_t t = 0; t < REPLICATION_TABLE_COUNT; t++)
        if (REPLICATION_TABLES[t].world_offset > offsetof(struct world, events)) // events tell when they happened
            age(&REPLICATION_TABLES[t], world);
}

bool pause_set(struct world *world, uint32_t paused)
{
    if (paused > 1 || paused == world->round.paused)
        return false;
    world->round.paused = paused;
    return true;
}
