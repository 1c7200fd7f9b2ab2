// SPDX-License-Identifier: MIT
//
// What all bots together measure, in an interval or over a whole run.
#ifndef BOTS_SAMPLE_H
#define BOTS_SAMPLE_H

#include "base/histogram.h"
#include "wire/message.h"

/// Figures, added up over bots.
struct sample {
    struct histogram connect_us, rtt_us, input_ack_us, snapshot_gap_us, prediction_error_subpx;
    uint64_t play_us;        ///< sum of the bots' time in the match
    uint64_t verify_play_us; ///< the same, of whole clients only
    uint64_t snapshots, snapshots_lost, bytes_down, bytes_up, inputs, inputs_missed, corrections, resimulated_ticks;
    uint64_t desyncs;
    uint64_t disconnects[DENY_REASONS]; ///< by reason; DENY_NONE: the connection was lost or never came
    uint64_t expelled;                  ///< times that an abusive bot was removed or lost its connection
    uint64_t flood_messages;            ///< sent by floods, beyond what a client sends
};

/// Adds a sample to a sum.
void sample_add(struct sample *sum, const struct sample *sample);

/// Returns the name of a row of `disconnects`: "lost", "full" and so on.
const char *sample_reason_name(uint32_t reason);

#endif
