// SPDX-License-Identifier: MIT
//
// The snapshots that a client receives: their parts are put together, and each whole one makes a world, also one that
// newer ones overtook. Each world is made from an earlier one and a snapshot, and is kept, with those stepped between
// the two, only if its hash is the announced one. They are the baselines of later snapshots, what predictions are
// compared with, and what an interpolated view shows. Owned by the client, which acts on a new world.
#ifndef CORE_SNAPSHOTS_H
#define CORE_SNAPSHOTS_H

#include "wire/input_log.h"
#include "wire/snapshot.h"

// --- the worlds by tick

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

// --- the receiver: knows the newest snapshot, which one to acknowledge, how many are missing, and how many should
// repeat an input so that losses and detours like the last ones cost nothing

/// Zero-initialise, but for the first two; then snapshot_receiver_begin().
struct snapshot_receiver {
    struct snapshot_history *history; ///< null for a light client, which only counts
    const struct map *map;            ///< of the match; unused without a history
    bool has_world;                   ///< the first world is here
    tick newest;                      ///< newest snapshot seen; 0: none
    tick acknowledge;                 ///< baseline to ask for; 0: a full snapshot
    uint64_t received;                ///< bit n: the snapshot of tick newest - n has come too
    tick interval_ticks;              ///< from one snapshot to the next
    tick span_tick;                   ///< when the present span began
    uint32_t steps, steps_before; ///< the most snapshots from the newest to the next that came: in this span, before
    struct snapshot_receiver_counts {
        uint32_t received; ///< decoded (light: complete)
        uint32_t lost;     ///< have not come, or could not be decoded
        uint32_t desyncs;  ///< of the lost: the world's hash was not the announced one
    } counts;              ///< since the start
    struct snapshot_assembly assembly;
};

/// Begins another match: forgets everything but the counts. `rate`: snapshots a second; 0: one each tick.
void snapshot_receiver_begin(struct snapshot_receiver *receiver, uint32_t rate);
/// Takes a part of the present match. Unless the result is SNAPSHOT_INCOMPLETE, `assembly` holds a newer snapshot
/// whole.
enum snapshot_result snapshot_receiver_take(struct snapshot_receiver *receiver, const struct snapshot_head *head,
                                            const uint8_t *bytes, size_t byte_count);

/// Returns how many snapshots should have the inputs of each tick, for struct input_message.
uint32_t snapshot_receiver_repeats(const struct snapshot_receiver *receiver);

#endif
