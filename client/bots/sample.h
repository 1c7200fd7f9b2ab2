// SPDX-License-Identifier: MIT
//
// What is measured of all bots together, in an interval or over a whole run. Two of them can be added.
#ifndef BOTS_SAMPLE_H
#define BOTS_SAMPLE_H

#include "base/histogram.h"
#include "wire/message.h"

struct sample {
    struct histogram connect_us, rtt_us, input_ack_us, snapshot_gap_us, prediction_error_subpx;
    uint64_t play_us;        ///< bots' time in the match, added up
    uint64_t verify_play_us; ///< the same of the whole clients
    uint64_t snapshots, snapshots_lost, bytes_down, bytes_up, inputs, inputs_missed, corrections, resimulated_ticks;
    uint64_t desyncs;
    uint64_t disconnects[DENY_REASONS]; ///< by reason; DENY_NONE: the connection was lost or never came
    uint64_t expelled;                  ///< times that a burden was sent away or lost its connection
    uint64_t flood_messages;            ///< of floods, beyond what a client sends
};

/// Adds up two samples.
void sample_add(struct sample *sum, const struct sample *sample);

/// "lost", "full" and so on: the names of `disconnects`.
const char *sample_reason_name(uint32_t reason);

#endif
