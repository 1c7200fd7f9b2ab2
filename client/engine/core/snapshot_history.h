// SPDX-License-Identifier: MIT
//
// The worlds that a client has received, by tick. Each is made from an earlier one and a snapshot, and is kept, with
// those stepped between the two, only if its hash is the announced one. They are the baselines of later snapshots, what
// predictions are compared with, and what an interpolated view shows. Knows nothing of connections.
#ifndef CORE_SNAPSHOT_HISTORY_H
#define CORE_SNAPSHOT_HISTORY_H

#include "wire/input_log.h"
#include "wire/snapshot.h"

/// Ticks for which worlds are kept.
#define SNAPSHOT_HISTORY_TICKS INPUT_LOG_TICKS

/// About 6 MB. Call snapshot_history_begin() before use.
struct snapshot_history {
    struct world initial;                        ///< of the map and rules: the baseline of tick 0
    struct event_log events;                     ///< of all ticks up to the newest world
    struct world worlds[SNAPSHOT_HISTORY_TICKS]; ///< the world of tick t at t % SNAPSHOT_HISTORY_TICKS; tick 0: none
};

/// What became of a snapshot, or of a part of one.
enum snapshot_result {
    SNAPSHOT_INCOMPLETE,  ///< the part completes no snapshot that is newer than the newest
    SNAPSHOT_INSERTED,    ///< its world is in the history
    SNAPSHOT_UNDECODABLE, ///< its baseline is gone or its bytes are malformed; ask for a full one
    SNAPSHOT_DESYNC,      ///< decoded, but its hash is not the announced one. A bug; ask for a full one
};

/// Forgets every received world.
void snapshot_history_clear(struct snapshot_history *history);

/// Makes the initial world of a match.
void snapshot_history_begin(struct snapshot_history *history, const struct map *map, const struct rules *rules);

/// Returns the world of a tick; null if it is not kept. Tick 0 is never kept.
const struct world *snapshot_history_at(const struct snapshot_history *history, tick number);

/// Makes and keeps the world of a snapshot from its whole body. Snapshots may come in any order, as long as their ticks
/// are less than SNAPSHOT_HISTORY_TICKS apart. Never returns SNAPSHOT_INCOMPLETE.
enum snapshot_result snapshot_history_insert(struct snapshot_history *history, const struct map *map,
                                             const struct snapshot_head *head, const uint8_t *body, size_t byte_count);

#endif
