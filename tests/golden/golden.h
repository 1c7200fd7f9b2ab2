// SPDX-License-Identifier: MIT
//
// The golden matches: recorded replays (.dfr) whose every world is pinned by a chain of hashes (.chain) beside them.
// golden_test plays each again and compares; golden_renew records them anew after a wanted change of the rules, which
// then needs a line in CHANGELOG. A new layout of replays alone renews the .dfr and leaves every .chain as it is.
//
// A .chain has a line a second, "TICK HASH": the hash (hash.h) over the world_hash of all ticks so far, low word first.
#ifndef GOLDEN_H
#define GOLDEN_H

#include "base/hash.h"
#include "game/world.h"

/// Ticks between two lines of a .chain.
#define GOLDEN_LINE_TICKS 60

/// One match.
struct golden {
    const char *name;  ///< of its two files
    const char *map;   ///< a shipped map, or "machines": test_map_machines(); null: test_map_random() of `map_seed`,
                       ///< `columns`, `rows`, in breakout test_map_court()
    uint32_t map_seed; ///< of the random map
    int32_t columns, rows;
    uint32_t players; ///< bots; their skills go round: random, easy, normal, hard
    uint32_t ticks;   ///< length
    bool restless;    ///< now and then somebody leaves, joins, watches or changes sides
    bool lazy;        ///< every second bot stands still, so that rounds last
    enum mode mode;   ///< what is played
};

extern const struct golden GOLDENS[];
extern const uint32_t GOLDEN_COUNT;

/// Path of a file of a golden, ".dfr" or ".chain", into `path`.
void golden_path(const struct golden *golden, const char *ending, char *path, size_t path_bytes);

/// Takes the world after a tick into a chain.
void golden_link(struct hash *chain, const struct world *world);

#endif
