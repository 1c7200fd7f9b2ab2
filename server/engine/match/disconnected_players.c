// SPDX-License-Identifier: MIT
#include "disconnected_players.h"

#include "sync/game.h"

#define NOBODY DISCONNECTED_PLAYERS_CAPACITY

static uint32_t find(const struct disconnected_players *table, const struct seat_key *key)
{
    uint32_t row = 0;
    while (row < NOBODY && (table->rows[row].order == 0 || !seat_key_equal(&table->rows[row].key, key)))
        row++;
    return row;
}

bool disconnected_players_has(const struct disconnected_players *table, const struct seat_key *key)
{
    return find(table, key) != NOBODY;
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
    uint32_t known = find(table, key);
    struct disconnected_player *row = known != NOBODY ? &table->rows[known] : earliest(table);
    *row = (struct disconnected_player){.key = *key, .order = ++table->leave_count, .slot = slot, .record = *record};
}

bool disconnected_players_take(struct disconnected_players *table, const struct seat_key *key, uint32_t *slot,
                               struct player_record *record)
{
    uint32_t known = find(table, key);
    if (known == NOBODY)
        return false;
    struct disconnected_player *row = &table->rows[known];
    *slot = row->slot;
    *record = row->record;
    row->order = 0;
    return true;
}

void disconnected_players_new_round(struct disconnected_players *table)
{
    for (uint32_t i = 0; i < DISCONNECTED_PLAYERS_CAPACITY; i++)
        game_record_new_round(&table->rows[i].record);
}
