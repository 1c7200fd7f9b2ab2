// SPDX-License-Identifier: MIT
#include "disconnected_players.h"

static struct disconnected_player *find(struct disconnected_players *table, const struct seat_key *key)
{
    for (uint32_t i = 0; i < DISCONNECTED_PLAYERS_CAPACITY; i++)
        if (table->rows[i].order != 0 && seat_key_equal(&table->rows[i].key, key))
            return &table->rows[i];
    return NULL;
}

static struct disconnected_player *earliest(struct disconnected_players *table)
{
    struct disconnected_player *first = &table->rows[0];
    for (uint32_t i = 1; i < DISCONNECTED_PLAYERS_CAPACITY; i++)
        if (table->rows[i].order < first->order)
            first = &table->rows[i];
    return first;
}

void disconnected_players_add(struct disconnected_players *table, const struct seat_key *key, uint32_t slot,
                              const struct player_record *record)
{
    struct disconnected_player *known = find(table, key), *row = known ? known : earliest(table);
    *row = (struct disconnected_player){.key = *key, .order = ++table->leave_count, .slot = slot, .record = *record};
}

bool disconnected_players_take(struct disconnected_players *table, const struct seat_key *key, uint32_t *slot,
                               struct player_record *record)
{
    struct disconnected_player *row = find(table, key);
    if (!row)
        return false;
    *slot = row->slot;
    *record = row->record;
    row->order = 0;
    return true;
}

void disconnected_players_new_round(struct disconnected_players *table)
{
    for (uint32_t i = 0; i < DISCONNECTED_PLAYERS_CAPACITY; i++)
        table->rows[i].record = (struct player_record){.team = table->rows[i].record.team};
}
