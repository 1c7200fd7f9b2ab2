// SPDX-License-Identifier: MIT
//
// NAT-PMP (RFC 6886): asks the router of a home to forward a UDP port, by two questions of a few bytes and their
// answers. Anybody in the home can answer in the router's place, so what comes is checked and believed only as far as a
// mapping goes. Waits for the answers: for a thread of its own.
#ifndef MONITOR_NATPMP_H
#define MONITOR_NATPMP_H

#include "net/net_address.h"

/// The port of routers.
#define NATPMP_PORT 5351u
/// How long one answer is waited for: the question is sent four times in it.
#define NATPMP_PATIENCE_NS 2000000000u

/// What is wanted of a router.
struct natpmp_request {
    struct net_address router;
    uint16_t port;    ///< of this machine
    uint16_t outside; ///< that is wanted; the router may choose another one
    uint32_t lease_s; ///< how long; 0: the mapping of `port` ends
};

/// What a router does.
enum natpmp_outcome {
    NATPMP_GRANTED,
    NATPMP_REFUSED, ///< it answers, and does not forward
    NATPMP_ABSENT,  ///< nothing there knows the protocol
};

/// What it forwards.
struct natpmp_mapping {
    struct net_address outside; ///< IPv4 of the internet as the router says, with the port
    uint16_t port;              ///< that port, at least 1
    uint32_t lease_s;           ///< at least 1, and at most what was wanted
};

/// Asks. `mapping` is set if it is granted and was not to end.
enum natpmp_outcome natpmp_ask(const struct natpmp_request *request, struct natpmp_mapping *mapping);

#endif
