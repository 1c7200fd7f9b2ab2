// SPDX-License-Identifier: MIT
//
// Players who have left the match, and what each of them had, so that they get it back when they return. The table is
// bounded; the player who left first is forgotten first.
#ifndef MATCH_DISCONNECTED_PLAYERS_H
#define MATCH_DISCONNECTED_PLAYERS_H

#include "seat_key.h"
#include "sync/world.h"

/// Players that are remembered.
#define DISCONNECTED_PLAYERS_CAPACITY 256

struct disconnected_player {
    struct seat_key key;
    uint64_t order; ///< number of this leave, from 1; 0: the row is free
    uint32_t slot;  ///< where they were
    struct player_record record;
};

/// Zero-initialise.
struct disconnected_players {
    uint64_t leave_count;
    struct disconnected_player rows[DISCONNECTED_PLAYERS_CAPACITY];
};

/// Remembers a player who leaves.
void disconnected_players_add(struct disconnected_players *table, const struct seat_key *key, uint32_t slot,
                              const struct player_record *record);

/// Returns true if the player is remembered.
bool disconnected_players_has(const struct disconnected_players *table, const struct seat_key *key);

/// Returns true if the player is remembered, with their slot and record, and forgets them here.
bool disconnected_players_take(struct disconnected_players *table, const struct seat_key *key, uint32_t *slot,
                               struct player_record *record);

/// Begins a round: clears all records except their teams.
void disconnected_players_new_round(struct disconnected_players *table);

#endif
