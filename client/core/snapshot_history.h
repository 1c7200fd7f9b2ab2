// SPDX-License-Identifier: MIT
//
// The worlds that the server told, by tick: each is made from one that was told before and what a snapshot says, and is
// held only if its hash is the announced one. They are the baselines of later snapshots, the truth that predictions are
// compared with, and what an interpolated view shows. Knows nothing of connections.
#ifndef CORE_SNAPSHOT_HISTORY_H
#define CORE_SNAPSHOT_HISTORY_H

#include "wire/input_log.h"
#include "wire/snapshot.h"

/// Ticks for which told worlds are held.
#define SNAPSHOT_HISTORY_TICKS INPUT_LOG_TICKS

/// The told worlds. About 6 MB; snapshot_history_begin() before use.
struct snapshot_history {
    struct world fresh;                          ///< of the map and rules: the baseline of tick 0
    struct world worlds[SNAPSHOT_HISTORY_TICKS]; ///< the world of tick t at t % SNAPSHOT_HISTORY_TICKS; tick 0: none
};

/// What became of a snapshot.
enum snapshot_history_result {
    SNAPSHOT_HISTORY_INSERTED,    ///< its world is held now
    SNAPSHOT_HISTORY_UNDECODABLE, ///< its baseline is not held, or its bytes are malformed; ask for a full one
    SNAPSHOT_HISTORY_DESYNC,      ///< decoded, but its hash is not the announced one: must never be; ask for a full one
};

/// Forgets every told world.
void snapshot_history_clear(struct snapshot_history *told);

/// Makes the fresh world of a match.
void snapshot_history_begin(struct snapshot_history *told, const struct map *map, const struct rules *rules);

/// The told world of a tick; null if it is not held. Tick 0 is never held.
const struct world *snapshot_history_at(const struct snapshot_history *told, tick number);

/// Makes and holds the world of a snapshot from its whole body. Snapshots may come in any order, as long as their ticks
/// are less than SNAPSHOT_HISTORY_TICKS apart.
enum snapshot_history_result snapshot_history_insert(struct snapshot_history *told, const struct map *map,
                                                     const struct snapshot_head *head, const uint8_t *body,
                                                     size_t byte_count);

#endif
