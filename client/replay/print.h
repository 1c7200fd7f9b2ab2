// SPDX-License-Identifier: MIT
//
// What the replay tool prints, as text or as JSON. Names are hostile input: as text, what is no printable character in
// them becomes U+FFFD.
#ifndef REPLAY_PRINT_H
#define REPLAY_PRINT_H

#include "roll_check.h"
#include "wire/replay.h"

/// What a replay contains, found by reading it to its end.
struct print_summary {
    tick last_tick;
    uint32_t players;                          ///< in the first world
    uint32_t joins;                            ///< of players after it
    uint32_t names_count;                      ///< entries of `names`
    uint32_t names[64][PLAYER_NAME_BYTES / 4]; ///< of the first players
    enum replay_fault end;                     ///< REPLAY_END, or the fault that ends it
    enum roll_check_proof proof;               ///< of its dice
};

/// Adds the name of a player, once.
void print_summary_add(struct print_summary *summary, const uint32_t *name);

/// Prints map, mode, ticks, players, duration and what is known about the dice.
void print_info(const struct replay_reader *reader, const struct print_summary *summary, bool json);

/// Prints a tick and its hash.
void print_hash(tick tick, uint64_t hash, bool json);

/// Prints an event: its kind, how somebody died, and all its fields.
void print_event(const struct event *event, bool json);

/// Prints a whole world, field by field; fields that are zero are left out.
void print_world(const struct world *world, bool json);

/// Prints a difference that a verification found.
void print_difference(tick tick, const char *difference, bool json);

/// What a verification found.
struct print_verification {
    uint32_t ticks, hashes, keyframes, differences;
    uint32_t rolls, wrong_rolls; ///< of the dice
    bool rolls_are_proven;       ///< each is what the secret says
    const char *proof;           ///< what is known about the secret, for people
};

/// Prints the figures of a verification.
void print_verified(const struct print_verification *found, bool json);

#endif
