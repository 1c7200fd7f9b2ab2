// SPDX-License-Identifier: MIT
//
// How long a peer lives that is silent, or that does not acknowledge. ENet gives up when an answer is overdue: after
// two seconds on a fast line, and while an outage of three seconds lasts; but any acknowledgement makes it wait again.
// So its timeout is out of reach, and these limits decide. Pure functions over numbers; times are milliseconds that
// wrap.
#ifndef NET_PEER_LIVENESS_H
#define NET_PEER_LIVENESS_H

#include <stdbool.h>
#include <stdint.h>

/// A peer from which nothing at all has come for so long is gone, ms.
#define PEER_LIVENESS_SILENCE_MS 3500u
/// So is one that has not acknowledged a command for so long, ms.
#define PEER_LIVENESS_AGE_MS 7000u
/// Channels that number their commands: two with messages, and the peer's own.
#define PEER_LIVENESS_CHANNELS 3

/// For each channel, the oldest reliable command that was sent and is not acknowledged.
struct peer_liveness_oldest {
    bool waits[PEER_LIVENESS_CHANNELS]; ///< false: all are acknowledged
    uint16_t number[PEER_LIVENESS_CHANNELS];
};

struct peer_liveness {
    uint32_t heard_ms; ///< when something last came from the peer
    struct peer_liveness_oldest oldest;
    uint32_t oldest_ms[PEER_LIVENESS_CHANNELS]; ///< since when it has been the oldest
};

/// Notes a command that waits, if it is older than what is noted of its channel. Numbers wrap.
void peer_liveness_note(struct peer_liveness_oldest *oldest, uint32_t channel, uint16_t number);

/// Returns whether a peer is gone. To be asked all the time, with the oldest commands as they are now.
bool peer_liveness_is_lost(struct peer_liveness *liveness, const struct peer_liveness_oldest *oldest, uint32_t now_ms);

#endif
