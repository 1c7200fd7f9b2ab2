// SPDX-License-Identifier: MIT
#include "disconnected_players.h"

#include <string.h>

bool seat_key_equal(const struct seat_key *a, const struct seat_key *b)
{
    return a->local == b->local && memcmp(a->identity, b->identity, sizeof a->identity) == 0;
}

static struct disconnected_player *find(struct disconnected_players *table, const struct seat_key *name)
{
    for (uint32_t i = 0; i < DISCONNECTED_PLAYERS_CAPACITY; i++)
        if (table->rows[i].since != 0 && seat_key_equal(&table->rows[i].name, name))
            return &table->rows[i];
    return NULL;
}

static struct disconnected_player *longest_away(struct disconnected_players *table)
{
    struct disconnected_player *longest = &table->rows[0];
    for (uint32_t i = 1; i < DISCONNECTED_PLAYERS_CAPACITY; i++)
        if (table->rows[i].since < longest->since)
            longest = &table->rows[i];
    return longest;
}

void disconnected_players_add(struct disconnected_players *table, const struct seat_key *name, uint32_t slot,
                              const struct player_record *record)
{
    struct disconnected_player *known = find(table, name), *row = known ? known : longest_away(table);
    *row = (struct disconnected_player){.name = *name, .since = ++table->left, .slot = slot, .record = *record};
}

bool disconnected_players_take(struct disconnected_players *table, const struct seat_key *name, uint32_t *slot,
                               struct player_record *record)
{
    struct disconnected_player *row = find(table, name);
    if (!row)
        return false;
    *slot = row->slot;
    *record = row->record;
    row->since = 0;
    return true;
}

void disconnected_players_new_round(struct disconnected_players *table)
{
    for (uint32_t i = 0; i < DISCONNECTED_PLAYERS_CAPACITY; i++)
        table->rows[i].record = (struct player_record){.team = table->rows[i].record.team};
}
