// SPDX-License-Identifier: MIT
//
// The golden matches: recorded replays (.dfr) beside chains of hashes (.chain) that pin every world. golden_test plays
// them and compares; golden_renew records them again after a deliberate change of the rules, which then needs a line in
// CHANGELOG. If only the layout of replays changes, the .dfr files change and every .chain stays the same.
//
// A .chain has a line a second, "TICK HASH": the hash (hash.h) over the world_hash of all ticks so far, low word first.
#ifndef GOLDEN_H
#define GOLDEN_H

#include "base/hash.h"
#include "sync/world.h"

/// Ticks between two lines of a .chain.
#define GOLDEN_LINE_TICKS 60

/// One match.
struct golden {
    const char *name;  ///< of its two files
    const char *map;   ///< a shipped map, or "machines": test_map_machines(); null: test_map_random() of `map_seed`,
                       ///< `columns`, `rows`, in breakout test_map_court()
    uint32_t map_seed; ///< of the random map
    int32_t columns, rows;
    uint32_t players;  ///< bots; their skills in turn: random, easy, normal, hard
    uint32_t ticks;    ///< length
    bool restless;     ///< at times a player leaves, joins, spectates or changes teams
    bool lazy;         ///< every second bot stands still, so that rounds last
    enum mode mode;    ///< the mode of the match
    uint32_t variants; ///< of the match: bits, 1 << enum variant
    uint32_t event; ///< enum event_kind that it has to have: it is played with one seed after the other until it does
};

extern const struct golden GOLDENS[];
extern const uint32_t GOLDEN_COUNT;

/// Writes the path of a file of a golden match, ".dfr" or ".chain", to `path`.
void golden_path(const struct golden *golden, const char *ending, char *path, size_t path_bytes);

/// Adds the world after a tick to a chain.
void golden_link(struct hash *chain, const struct world *world);

#endif
