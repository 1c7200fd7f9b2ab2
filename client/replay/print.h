// SPDX-License-Identifier: MIT
//
// What the replay tool says on stdout, as text for people or as JSON. Names come from strangers: what is not plain text
// in them is printed as '?'.
#ifndef REPLAY_PRINT_H
#define REPLAY_PRINT_H

#include "wire/replay.h"

/// What a replay holds, found by reading it to its end.
struct print_summary {
    tick last_tick;
    uint32_t players;                          ///< in the first world
    uint32_t joins;                            ///< of players after it
    uint32_t names_count;                      ///< entries of `names`
    uint32_t names[64][PLAYER_NAME_BYTES / 4]; ///< of those who were there, the first of them
    enum replay_fault end;                     ///< REPLAY_END, or the fault that ends it
};

/// Remembers a player of the replay.
void print_summary_add(struct print_summary *summary, const uint32_t *name);

/// Map, mode, ticks, players, duration.
void print_info(const struct replay_reader *reader, const struct print_summary *summary, bool json);

/// A tick and its hash.
void print_hash(tick tick, uint64_t hash, bool json);

/// A whole world, field by field; fields that are zero are left out.
void print_world(const struct world *world, bool json);

/// A difference that a verification found.
void print_difference(tick tick, const char *difference, bool json);

/// How a verification went.
void print_verified(uint32_t ticks, uint32_t hashes, uint32_t keyframes, uint32_t differences, bool json);

#endif
