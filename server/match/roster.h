// SPDX-License-Identifier: MIT
//
// Who sits where: the slots of the world, given to clients and filled up with bots. It says which commands make the
// world follow; it never touches the world itself. Names are cleaned here, for they come from anyone.
#ifndef MATCH_ROSTER_H
#define MATCH_ROSTER_H

#include "disconnected_players.h"
#include "game/world.h"
#include "wire/replay.h"

/// What a seat is.
enum seat_kind {
    SEAT_FREE,
    SEAT_BOT,
    SEAT_RESERVED, ///< a client that is still loading the map
    SEAT_PLAYER,
};

struct seat {
    enum seat_kind kind;
    uint32_t occupant;       ///< counts who has been given this seat
    uint32_t occupant_shown; ///< which of them the world has; 0: none
    uint32_t name[PLAYER_NAME_BYTES / 4];
    uint32_t colour;
    uint8_t hat;                 ///< enum hat
    bool has_key;                ///< a client whose place has a name
    struct seat_key key;         ///< that name
    struct player_record record; ///< of a client: what he comes back with
};

/// Zero-initialise, set the seat count.
struct roster {
    uint32_t seat_count; ///< 1 to PLAYER_CAPACITY
    struct seat seats[PLAYER_CAPACITY];
    struct disconnected_players disconnected; ///< who may come back
};

/// No seat.
#define ROSTER_FULL UINT32_MAX

/// Reserves a seat for a client: that which he had before if nobody else plays there, else a free one, else a bot's.
/// Cleans the name. `place`: by which he is known again; null: he is not. ROSTER_FULL if there is none.
uint32_t roster_reserve(struct roster *roster, const struct seat_key *key, const uint32_t *name, uint32_t colour);
/// The seat of the client who has this place. ROSTER_FULL if nobody has it.
uint32_t roster_find(const struct roster *roster, const struct seat_key *key);
/// The client of a reserved seat begins to play. Whoever took his own place over plays already: nothing happens.
void roster_enter(struct roster *roster, uint32_t slot);
/// A seat becomes free. What its client had is remembered. `players`: of the world, by slot.
void roster_leave(struct roster *roster, uint32_t slot, const struct player *players);
/// Another match begins, in which nobody is shown yet: all who sit here join it with nothing but their team.
void roster_new_match(struct roster *roster);
/// A round begins: nobody comes back with points of an older one.
void roster_new_round(struct roster *roster);
/// Seats those whom a resumed world shows, as if they had never left; `seats` says whose the players' are.
void roster_restore(struct roster *roster, const struct world *world, const struct replay_seat *seats,
                    uint32_t seat_count);
/// Whose seats are taken by players with a key, rising by slot. Returns how many, at most PLAYER_CAPACITY.
uint32_t roster_seats(const struct roster *roster, struct replay_seat *seats);
/// What everybody in a seat wears, by slot (PLAYER_CAPACITY of enum hat).
void roster_hats(const struct roster *roster, uint8_t *hats);
/// Adds or removes bots until `fill_to` seats are taken, by whomever.
void roster_fill(struct roster *roster, uint32_t fill_to);
/// Seats of a kind.
uint32_t roster_count(const struct roster *roster, enum seat_kind kind);
/// Writes the commands (at most `capacity`) that make the world show who sits here, and takes them as done. What does
/// not fit comes next time. Returns how many.
uint32_t roster_commands(struct roster *roster, struct command *commands, uint32_t capacity);

/// True if there are no such commands: the world shows who sits here.
bool roster_is_shown(const struct roster *roster);

#endif
