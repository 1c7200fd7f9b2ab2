// SPDX-License-Identifier: MIT
//
// Players on their way between the tick and the thread of the records, which looks them up so that each can be told
// what the server has on record about them: two bounded queues. Knows no threads; records.c holds its lock around each
// call.
#ifndef RECORDS_RECORDS_OWN_H
#define RECORDS_RECORDS_OWN_H

#include "records_database.h"

/// Players who wait to be looked up; more are not.
#define RECORDS_ASKED_CAPACITY 256
/// Players who have been looked up and wait to be sent; the oldest make room.
#define RECORDS_FOUND_CAPACITY 512

/// Zero-initialise.
struct records_own {
    uint32_t asked_put, asked_got;
    struct seat_key asked[RECORDS_ASKED_CAPACITY]; ///< a ring
    uint32_t found_put, found_got;
    struct records_player found[RECORDS_FOUND_CAPACITY]; ///< a ring
};

/// Adds a player to be looked up. False if too many wait.
bool records_own_ask(struct records_own *own, const struct seat_key *key);
/// Takes the player who has waited for longest. False if there is none.
bool records_own_take_asked(struct records_own *own, struct seat_key *key);

/// Adds a player of the database, to be sent.
void records_own_put_found(struct records_own *own, const struct records_player *player);
/// Takes the oldest. False if there is none.
bool records_own_take_found(struct records_own *own, struct records_player *player);

#endif
