// SPDX-License-Identifier: MIT
//
// The seats of one client. Up to four people play at one machine, over one connection and with one prediction: each has
// a local number, a seat at the server, and inputs of their own. Both ends, the wire and the view count in these.
#ifndef SYNC_LOCAL_SEATS_H
#define SYNC_LOCAL_SEATS_H

#include <string.h>

#include "world.h"

/// Players of one client, who share its connection and its key: key and number together name a place.
#define LOCAL_PLAYERS 4

/// Where the players of a client sit. Zero-initialise: nowhere.
struct local_seats {
    uint32_t of[LOCAL_PLAYERS]; ///< by local number: slot + 1; 0: none
};

/// What they hold in a tick, by local number.
struct local_inputs {
    struct player_input of[LOCAL_PLAYERS];
};

/// Returns the local number of the player in a slot; LOCAL_PLAYERS: it is none of them.
static inline uint32_t local_seats_find(const struct local_seats *seats, uint32_t slot)
{
    uint32_t number = 0;
    while (number < LOCAL_PLAYERS && (seats->of[number] == 0 || seats->of[number] - 1 != slot))
        number++;
    return number;
}

/// Returns whether the player in a slot is one of them.
static inline bool local_seats_have(const struct local_seats *seats, uint32_t slot)
{
    return local_seats_find(seats, slot) < LOCAL_PLAYERS;
}

/// Returns the slot of the first one, by local number; PLAYER_CAPACITY: there is none.
static inline uint32_t local_seats_first(const struct local_seats *seats)
{
    for (uint32_t number = 0; number < LOCAL_PLAYERS; number++)
        if (seats->of[number])
            return seats->of[number] - 1;
    return PLAYER_CAPACITY;
}

/// Returns how many there are.
static inline uint32_t local_seats_count(const struct local_seats *seats)
{
    uint32_t count = 0;
    for (uint32_t number = 0; number < LOCAL_PLAYERS; number++)
        count += seats->of[number] != 0;
    return count;
}

/// Returns whether all hold the same.
static inline bool local_seats_hold_same(const struct local_inputs *a, const struct local_inputs *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

#endif
