// SPDX-License-Identifier: MIT
//
// Finds the outages of one client: times in which it should get snapshots and gets none, because the server, the line
// or the connection is gone. Time in which the load test itself did not run does not count, so that it blames nobody
// else for its own stalls.
#ifndef BOTS_OUTAGE_H
#define BOTS_OUTAGE_H

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

#endif
