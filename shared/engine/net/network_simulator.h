// SPDX-License-Identifier: MIT
//
// Simulates a bad network for one direction of a socket: delivers datagrams late, twice, out of order or never, as an
// impairment says. Seeded; time is an argument. A datagram that does not fit is lost, as in a router.
#ifndef NET_NETWORK_SIMULATOR_H
#define NET_NETWORK_SIMULATOR_H

#include "datagram.h"
#include "impairment.h"

#define NETWORK_SIMULATOR_CAPACITY 1024

struct delayed_datagram {
    uint64_t due_ns; ///< 0: free
    uint64_t order;  ///< breaks ties in time: as sent
    struct net_address address;
    uint16_t byte_count;
    uint8_t bytes[DATAGRAM_BYTES_MAX];
};

struct network_simulator {
    struct impairment impairment;
    uint64_t random, order;
    uint64_t busy_until_ns; ///< earlier datagrams still occupy the line
    uint64_t arrived_ns;    ///< when the datagram that was received last has arrived
    uint32_t count;
    struct delayed_datagram delayed[NETWORK_SIMULATOR_CAPACITY];
};

/// Sends a datagram.
void network_simulator_push(struct network_simulator *simulator, uint64_t now_ns, const struct net_address *address,
                            const uint8_t *bytes, size_t byte_count);
/// Receives the earliest datagram that has arrived. Returns its bytes; 0 if there is none yet.
size_t network_simulator_pop(struct network_simulator *simulator, uint64_t now_ns, struct net_address *address,
                             uint8_t bytes[DATAGRAM_BYTES_MAX]);
/// Returns when the next datagram arrives, ns; UINT64_MAX if there is none.
uint64_t network_simulator_due_ns(const struct network_simulator *simulator);

#endif
