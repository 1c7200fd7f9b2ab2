// SPDX-License-Identifier: MIT
//
// Who was in the match and is not now: what each had, so that he has it again when he comes back. A place goes by the
// player's identity and which of the players at his client he is. Bounded: whoever has been away longest is forgotten.
#ifndef MATCH_DISCONNECTED_PLAYERS_H
#define MATCH_DISCONNECTED_PLAYERS_H

#include "game/player/player.h"
#include "net/transport.h"

/// Absent players that are remembered.
#define DISCONNECTED_PLAYERS_CAPACITY 256

/// The name of a place. All bytes count.
struct seat_key {
    uint8_t identity[NET_IDENTITY_BYTES];
    uint32_t local; ///< 0 to LOCAL_PLAYERS - 1
};

struct disconnected_player {
    struct seat_key name;
    uint64_t since; ///< counts those who left; 0: nobody
    uint32_t slot;  ///< where he was
    struct player_record record;
};

/// Zero-initialise.
struct disconnected_players {
    uint64_t left; ///< players so far
    struct disconnected_player rows[DISCONNECTED_PLAYERS_CAPACITY];
};

/// Whether two names are the same.
bool seat_key_equal(const struct seat_key *a, const struct seat_key *b);
/// Somebody leaves.
void disconnected_players_add(struct disconnected_players *table, const struct seat_key *name, uint32_t slot,
                              const struct player_record *record);
/// Somebody comes. True if he was here: then his slot and record; they are forgotten here.
bool disconnected_players_take(struct disconnected_players *table, const struct seat_key *name, uint32_t *slot,
                               struct player_record *record);
/// A round begins: of what everybody had, only the team counts still.
void disconnected_players_new_round(struct disconnected_players *table);

#endif
