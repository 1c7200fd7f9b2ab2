// SPDX-License-Identifier: MIT
//
// What Agones' sidecar says about this game server and about its list of players, read from JSON. The list has a value
// for each player, "slot-N", which this server adds and removes; every other value is the reservation of a matchmaker,
// which the next player who arrives takes up and which is forgotten after a minute. The list is compared with the match
// again and again, so it is right in the end whatever was refused or lost. Pure: time is an argument.
// Source: agones.dev, proto/sdk/sdk.proto and proto/sdk/beta/beta.proto.
#ifndef MONITOR_GAME_SERVER_H
#define MONITOR_GAME_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "game/state.h"

/// How long a reservation is kept, and an allocated server without players waits for the first, ms.
#define GAME_SERVER_VISIT_MS 60000u
/// The sidecar adds a value again that was removed in the same batch of changes: so long a removed one stays false, ms.
#define GAME_SERVER_REMOVED_MS 5000u
/// Removed values that are remembered.
#define GAME_SERVER_REMOVED_CAPACITY 32
/// Bytes of a value of the list with its final zero. Longer ones are left to those who have added them.
#define GAME_SERVER_VALUE_BYTES 100

/// The game server. Texts that do not fit, or that could break out of a line or a label, are empty.
struct game_server {
    char state[24];         ///< "Ready", "Allocated", "Shutdown" and others
    char address[160];      ///< "192.0.2.7:7123" or "[2001:db8::7]:7123"; empty: not known yet
    char allocated[48];     ///< when it was allocated last; empty: never
    uint32_t health_period; ///< s; 0: none is named
};

/// A value of the list.
struct game_server_value {
    char text[GAME_SERVER_VALUE_BYTES];
    uint64_t seen_ms; ///< when it was first seen
};

/// The list of players. Zero-initialise.
struct game_server_list {
    bool known;        ///< read since something could have changed it
    uint32_t capacity; ///< of the list
    uint32_t count;
    struct game_server_value values[PLAYER_CAPACITY];
    bool plays[PLAYER_CAPACITY];                                    ///< by slot, as seen last
    uint32_t arrivals;                                              ///< players who have not taken up a reservation yet
    uint32_t removals;                                              ///< reservations removed so far
    struct game_server_value removed[GAME_SERVER_REMOVED_CAPACITY]; ///< the last of them, and when
};

/// A change that brings the list closer to the match.
struct game_server_change {
    enum { GAME_SERVER_ADD, GAME_SERVER_REMOVE, GAME_SERVER_CAPACITY } kind;
    char value[GAME_SERVER_VALUE_BYTES];
    uint32_t capacity;
};

/// What the list should show.
struct game_server_wanted {
    const bool *plays;    ///< by slot, PLAYER_CAPACITY
    uint32_t players_max; ///< the capacity, unless the server drains
    bool drains;          ///< no room, and nothing is reserved
};

/// Reads a game server. False if the text is none; then nothing changes.
bool game_server_read(struct game_server *server, const char *text);
/// Reads an event of the watch stream, which has a game server in it. False likewise.
bool game_server_read_event(struct game_server *server, const char *line);

/// Reads the list. False if the text is none; then nothing changes.
bool game_server_list_read(struct game_server_list *list, const char *text, uint64_t now_ms);
/// Notes who has arrived.
void game_server_list_observe(struct game_server_list *list, const bool *plays);
/// Finds the next change. False if there is nothing to change.
bool game_server_list_next(const struct game_server_list *list, const struct game_server_wanted *wanted,
                           uint64_t now_ms, struct game_server_change *change);
/// Applies a change that the sidecar has accepted.
void game_server_list_apply(struct game_server_list *list, const struct game_server_change *change, uint64_t now_ms);

#endif
