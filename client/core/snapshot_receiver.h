// SPDX-License-Identifier: MIT
//
// Snapshots as they come: their parts are put together, and of each whole one the told world is made, also of one that
// later ones overtook. Knows which is the newest, which one to acknowledge, and what is missing. Owned by the client,
// which makes of a newest world what follows from it.
#ifndef CORE_SNAPSHOT_RECEIVER_H
#define CORE_SNAPSHOT_RECEIVER_H

#include "snapshot_history.h"

/// Zero-initialise, but for the first two; then snapshot_receiver_begin().
struct snapshot_receiver {
    struct snapshot_history *told; ///< where worlds are held; null: a light client's, that only counts
    const struct map *map;         ///< of the match; unused without told
    bool begun;                    ///< the first world is here
    tick newest;                   ///< newest snapshot seen; 0: none
    tick acknowledge;              ///< baseline to ask for; 0: a full snapshot
    uint64_t taken;                ///< bit n: the snapshot of tick newest - n came, too
    tick apart;                    ///< ticks from one snapshot to the next
    struct snapshot_receiver_counts {
        uint32_t taken;   ///< decoded (light: complete)
        uint32_t lost;    ///< that have not come, or could not be decoded
        uint32_t desyncs; ///< of those: the world's hash was not the announced one
    } counts;             ///< since the start
    struct snapshot_assembly assembly;
};

/// What has become of a part.
enum snapshot_receiver_result {
    SNAPSHOT_RECEIVER_WAITS,    ///< no newer snapshot is complete
    SNAPSHOT_RECEIVER_NEWEST,   ///< `assembly` holds a newer one whole, and its world is held
    SNAPSHOT_RECEIVER_UNUSABLE, ///< the same, but its world could not be had: a full one is asked for
};

/// Another match begins: forgets all but the counts. `rate`: snapshots a second; 0: one each tick.
void snapshot_receiver_begin(struct snapshot_receiver *intake, uint32_t rate);
/// Takes a part of the present match.
enum snapshot_receiver_result snapshot_receiver_take(struct snapshot_receiver *intake, const struct snapshot_head *head,
                                                     const uint8_t *bytes, size_t byte_count);

#endif
