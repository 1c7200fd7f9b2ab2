// SPDX-License-Identifier: MIT
//
// A datagram that has arrived, and what to do with it. The session table, the client's handshake and the A2S queries
// each take a struct datagram and return a datagram_outcome; the secure socket acts on it.
#ifndef NET_DATAGRAM_H
#define NET_DATAGRAM_H

#include "net_address.h"

/// Largest encrypted datagram, bytes; larger ones are neither sent nor taken.
#define DATAGRAM_BYTES_MAX 1232

/// First byte of each of our datagrams. 0xff stays free: A2S queries begin with it.
enum datagram_kind {
    DATAGRAM_HELLO = 1,
    DATAGRAM_COOKIE = 2,
    DATAGRAM_JOIN = 3,
    DATAGRAM_ACCEPT = 4,
    DATAGRAM_DENY = 5,
    DATAGRAM_ENCRYPTED = 6,
    DATAGRAM_RESET = 7,
};

/// First byte of decrypted bytes that are a message beside ENet. No datagram of ENet begins so: bit 6 would say that it
/// is compressed. Path messages have two others (path.h).
#define DATAGRAM_MESSAGE 0x42

/// A datagram that has arrived.
struct datagram {
    struct net_address from;
    uint64_t now_ns; ///< when it arrived; never goes back
    const uint8_t *bytes;
    size_t byte_count;
};

/// What to do with a datagram.
enum datagram_outcome {
    DATAGRAM_REJECTED,  ///< dropped and counted
    DATAGRAM_CONSUMED,  ///< nothing more to do
    DATAGRAM_ANSWERED,  ///< send the output back
    DATAGRAM_DELIVERED, ///< the output is a message or for ENet, from `session`
};

/// The name of a session in its datagrams, and the virtual address by which ENet knows it. An index is used again with
/// another generation, which is random, so that the sessions of a server are not taken for those before a restart.
struct session_id {
    uint16_t index;
    uint16_t generation; ///< never 0
};

/// What goes with DATAGRAM_ANSWERED and DATAGRAM_DELIVERED.
struct datagram_output {
    uint8_t *bytes; ///< of the caller, DATAGRAM_BYTES_MAX
    size_t byte_count;
    struct session_id session; ///< of DATAGRAM_DELIVERED
};

#endif
