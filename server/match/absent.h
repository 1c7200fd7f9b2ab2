// SPDX-License-Identifier: MIT
//
// Who was in the match and is not now: what each had, so that he has it again when he comes back. A place goes by the
// player's identity and which of the players at his client he is. Bounded: whoever has been away longest is forgotten.
#ifndef MATCH_ABSENT_H
#define MATCH_ABSENT_H

#include "game/player/player.h"
#include "net/transport.h"

/// Absent players that are remembered.
#define ABSENT_CAPACITY 256

/// The name of a place. All bytes count.
struct place_name {
    uint8_t identity[NET_IDENTITY_BYTES];
    uint32_t local; ///< 0 to LOCAL_PLAYERS - 1
};

struct absent {
    struct place_name name;
    uint64_t since; ///< counts those who left; 0: nobody
    uint32_t slot;  ///< where he was
    struct player_record record;
};

/// Zero-initialise.
struct absent_table {
    uint64_t left; ///< players so far
    struct absent rows[ABSENT_CAPACITY];
};

/// Whether two names are the same.
bool place_name_equal(const struct place_name *a, const struct place_name *b);
/// Somebody leaves.
void absent_note(struct absent_table *table, const struct place_name *name, uint32_t slot,
                 const struct player_record *record);
/// Somebody comes. True if he was here: then his slot and record; they are forgotten here.
bool absent_take(struct absent_table *table, const struct place_name *name, uint32_t *slot,
                 struct player_record *record);
/// A round begins: of what everybody had, only the team counts still.
void absent_new_round(struct absent_table *table);

#endif
