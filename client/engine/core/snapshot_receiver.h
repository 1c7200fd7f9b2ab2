// SPDX-License-Identifier: MIT
//
// Receives snapshots: puts their parts together and inserts the world of each whole one into the history, also of one
// that newer ones overtook. Knows the newest snapshot, which one to acknowledge, how many are missing, and how many
// should repeat an input so that losses and detours like the last ones cost nothing. Owned by the client, which acts on
// a new world.
#ifndef CORE_SNAPSHOT_RECEIVER_H
#define CORE_SNAPSHOT_RECEIVER_H

#include "snapshot_history.h"

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
