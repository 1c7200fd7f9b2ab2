// SPDX-License-Identifier: MIT
//
// The worlds that the server told, by tick: each is made from one that was told before and what a snapshot says, and is
// held only if its hash is the announced one. They are the baselines of later snapshots, the truth that predictions are
// compared with, and what an interpolated view shows. Knows nothing of connections.
#ifndef CLIENT_TOLD_H
#define CLIENT_TOLD_H

#include "wire/moves.h"
#include "wire/snapshot.h"

/// Ticks for which told worlds are held.
#define TOLD_TICKS MOVES_TICKS

/// The told worlds. About 6 MB; told_begin() before use.
struct told {
    struct world fresh;              ///< of the map and rules: the baseline of tick 0
    struct world worlds[TOLD_TICKS]; ///< the world of tick t at t % TOLD_TICKS; tick 0: none
};

/// What became of a snapshot.
enum told_answer {
    TOLD_HELD,        ///< its world is held now
    TOLD_UNDECODABLE, ///< its baseline is not held, or its bytes are malformed; ask for a full one
    TOLD_DESYNC,      ///< decoded, but its hash is not the announced one: must never be; ask for a full one
};

/// Forgets every told world.
void told_forget(struct told *told);

/// Makes the fresh world of a match.
void told_begin(struct told *told, const struct map *map, const struct rules *rules);

/// The told world of a tick; null if it is not held. Tick 0 is never held.
const struct world *told_at(const struct told *told, tick number);

/// Makes and holds the world of a snapshot from its whole body. Snapshots may come in any order, as long as their ticks
/// are less than TOLD_TICKS apart.
enum told_answer told_take(struct told *told, const struct map *map, const struct snapshot_head *head,
                           const uint8_t *body, size_t byte_count);

#endif
