// SPDX-License-Identifier: MIT
//
// STUN as an ICE-lite server needs it (RFC 8489, RFC 8445): takes the connectivity checks of browsers and says from
// where they came. The password of a check is our half of its user name, which the page chooses: a check proves nothing
// but that its sender speaks ICE. So an answer is never longer than its check, and no state is kept.
#ifndef WEBRTC_STUN_H
#define WEBRTC_STUN_H

#include "net/net_address.h"

/// Largest answer, bytes.
#define STUN_ANSWER_BYTES_MAX 80

/// Answers a connectivity check from an address. Returns the bytes of the answer; 0 if it is no valid check, or if the
/// answer would be longer than it.
size_t stun_answer(const struct net_address *from, const uint8_t *check, size_t byte_count,
                   uint8_t answer[STUN_ANSWER_BYTES_MAX]);

#endif
