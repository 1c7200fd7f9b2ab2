// SPDX-License-Identifier: MIT
//
// Assigns the slots of the world to clients and fills them up with bots. It writes the commands that bring the world up
// to date; it never touches the world itself. Names from clients are cleaned here.
#ifndef MATCH_ROSTER_H
#define MATCH_ROSTER_H

#include <stdbool.h>
#include <string.h>

#include "net/transport.h"
#include "sync/world.h"
#include "wire/replay.h"

/// Identifies a player across connections, matches and restarts. All bytes count.
struct seat_key {
    uint8_t identity[IDENTITY_BYTES]; ///< the account
    uint32_t local;                   ///< 0 to LOCAL_PLAYERS - 1
};

/// Returns whether two keys are the same.
static inline bool roster_key_equal(const struct seat_key *a, const struct seat_key *b)
{
    return a->local == b->local && memcmp(a->identity, b->identity, sizeof a->identity) == 0;
}

/// What a seat is.
enum seat_kind {
    SEAT_FREE,
    SEAT_BOT,
    SEAT_RESERVED, ///< a client that is still loading the map
    SEAT_PLAYER,
};

struct seat {
    enum seat_kind kind;
    uint32_t occupant;       ///< counts the players who have had this seat
    uint32_t occupant_shown; ///< the one that the world has; 0: none
    uint32_t name[PLAYER_NAME_BYTES / 4];
    uint32_t wanted[PLAYER_NAME_BYTES / 4]; ///< the name that they asked for, clean
    uint32_t colour;
    uint8_t hat;                 ///< enum hat
    bool has_key;                ///< false: the player cannot be recognised later
    struct seat_key key;         ///< of the player
    uint64_t entered_ticks;      ///< ticks of the match's statistics when the player entered
    struct player_record record; ///< of a client: what its player comes back with
};

/// Says which names are kept for players who are not here: null functions keep none.
struct roster_names {
    /// Returns whether a name is kept for others than the player with this key (null: a bot).
    bool (*is_kept)(void *context, const struct seat_key *key, const char *name);
    void *context;
};

/// Players that are remembered.
#define DISCONNECTED_PLAYERS_CAPACITY 256

struct disconnected_player {
    struct seat_key key;
    uint64_t order; ///< number of this leave, from 1; 0: the row is free
    uint32_t slot;  ///< where they were
    struct player_record record;
};

/// Players who have left the match, and what each of them had, so that they get it back when they return. The player
/// who left first is forgotten first. Zero-initialise.
struct disconnected_players {
    uint64_t leave_count;
    struct disconnected_player rows[DISCONNECTED_PLAYERS_CAPACITY];
};

/// Zero-initialise, set the seat count.
struct roster {
    uint32_t seat_count; ///< 1 to PLAYER_CAPACITY
    struct roster_names names;
    struct seat seats[PLAYER_CAPACITY];
    struct disconnected_players disconnected; ///< players who may come back
};

/// No seat.
#define ROSTER_FULL UINT32_MAX

/// Reserves a seat for a client: the one that it had before if no other client has it, else a free one, else a bot's.
/// The bot with the wanted colour leaves. Cleans the name. `key` is what the player is recognised by later; null: they
/// are not. Returns ROSTER_FULL if there is no seat.
uint32_t roster_reserve(struct roster *roster, const struct seat_key *key, const uint32_t *name, uint32_t colour);
/// Returns the slot of the client with this key; ROSTER_FULL: none.
uint32_t roster_find(const struct roster *roster, const struct seat_key *key);
/// Returns whether the name that the player of a seat asked for is kept for somebody else.
bool roster_name_is_kept(const struct roster *roster, uint32_t slot);
/// Gives a player another name if theirs is kept for somebody else by now, or the one that they asked for if it is kept
/// for them and nobody has it any more. They join the world again with what they have. `players`: of the world, by
/// slot. Returns whether the name has changed.
bool roster_rename(struct roster *roster, uint32_t slot, const struct player *players);
/// Lets the client of a reserved seat play. Does nothing for a player who has replaced their own connection.
void roster_enter(struct roster *roster, uint32_t slot);
/// Frees a seat and remembers what its client had. `players`: of the world, by slot.
void roster_leave(struct roster *roster, uint32_t slot, const struct player *players);
/// Begins another match, whose world is empty: everyone in a seat joins it and keeps only their team.
void roster_new_match(struct roster *roster);
/// Begins a round: nobody comes back with the points of an older one.
void roster_new_round(struct roster *roster);
/// Seats the players of a restored world as if they had never left; `seats` has their keys.
void roster_restore(struct roster *roster, const struct world *world, const struct replay_seat *seats,
                    uint32_t seat_count);
/// Lists the seats of players with a key, rising by slot. Returns their count, at most PLAYER_CAPACITY.
uint32_t roster_seats(const struct roster *roster, struct replay_seat *seats);
/// Writes the hats of all seats, by slot (PLAYER_CAPACITY of enum hat).
void roster_hats(const struct roster *roster, uint8_t *hats);
/// Adds or removes bots until `fill_to` seats are taken.
void roster_fill(struct roster *roster, uint32_t fill_to);
/// Returns the number of seats of a kind.
uint32_t roster_count(const struct roster *roster, enum seat_kind kind);
/// Writes the commands (at most `capacity`) that bring the world up to date with the seats, and takes them as done.
/// What does not fit comes next time. Returns how many.
uint32_t roster_commands(struct roster *roster, struct command *commands, uint32_t capacity);

/// Returns true if there are no such commands, because the world is up to date.
bool roster_is_shown(const struct roster *roster);

/// Remembers a player who leaves.
void roster_disconnected_add(struct disconnected_players *table, const struct seat_key *key, uint32_t slot,
                             const struct player_record *record);

/// Returns true if the player is remembered.
bool roster_disconnected_has(const struct disconnected_players *table, const struct seat_key *key);

/// Returns true if the player is remembered, with their slot and record, and forgets them here.
bool roster_disconnected_take(struct disconnected_players *table, const struct seat_key *key, uint32_t *slot,
                              struct player_record *record);

#endif
