// SPDX-License-Identifier: MIT
//
// Measures how long a stall lasts on after its end: the time until a client's inputs are again acknowledged as fast as
// before. A stall of the server, the line or the client is what leaves no input acknowledged for a tenth of a second.
#ifndef BOTS_RECOVERY_H
#define BOTS_RECOVERY_H

#include <stdbool.h>
#include <stdint.h>

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
bool recovery_ack(struct recovery *recovery, uint32_t ack_us, uint64_t now_us, uint64_t *took_us);

#endif
