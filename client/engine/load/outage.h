// SPDX-License-Identifier: MIT
//
// What interrupts a client. An outage: it should get snapshots and gets none, because the server, the line or the
// connection is gone. Time in which the load test itself did not run does not count, so that it blames nobody else for
// its own stalls. And how long a stall lasts on after its end: the time until inputs are again acknowledged as fast as
// before. A stall of the server, the line or the client is what leaves no input acknowledged for a tenth of a second.
#ifndef LOAD_OUTAGE_H
#define LOAD_OUTAGE_H

#include <stdbool.h>
#include <stdint.h>

/// Without a snapshot for so long, a client has an outage; at low snapshot rates, for OUTAGE_INTERVALS_MIN of them.
#define OUTAGE_US_MIN        200000u
#define OUTAGE_INTERVALS_MIN 6u
/// Of the time between two pulses at most so much counts: the rest is a stall of the load test itself.
#define OUTAGE_PULSE_US_MAX 25000u

/// Zero-initialise.
struct outage {
    bool is_open;
    uint64_t silent_us; ///< since the newest snapshot
    uint64_t pulsed_us; ///< the last pulse; 0: none yet
};

/// One pulse of a client.
struct outage_pulse {
    bool heard;             ///< a snapshot has come since the last pulse
    bool expects;           ///< snapshots should come
    uint32_t snapshot_rate; ///< a second
    uint64_t now_us;
};

/// Takes a pulse. True when an outage is over: `*lasted_us` is how long it was.
bool outage_pulse(struct outage *outage, const struct outage_pulse *pulse, uint64_t *lasted_us);
/// Ends an outage because its client leaves or the run ends. False if there was none.
bool outage_end(struct outage *outage, uint64_t *lasted_us);

/// A client that has not recovered after so long has another delay from then on.
#define RECOVERY_US_MAX 10000000u

/// Zero-initialise.
struct recovery {
    uint32_t usual_us;   ///< what an acknowledgement takes, averaged over about 32; 0: none yet
    uint32_t recent_us;  ///< since the stall, averaged over about 4
    uint64_t acked_us;   ///< when the newest came
    uint64_t resumed_us; ///< when the first after a stall came; 0: recovered
};

/// Takes an acknowledgement, which took `ack_us`. Returns true when the client has recovered from a stall, or never
/// will: `took_us`, up to RECOVERY_US_MAX, after its end.
bool outage_recovery_ack(struct recovery *recovery, uint32_t ack_us, uint64_t now_us, uint64_t *took_us);

#endif
