// SPDX-License-Identifier: MIT
//
// Measures round trips in microseconds: ENet counts in milliseconds, and stamps each datagram that wants an
// acknowledgement with the one in which it was sent. Here each of these has the time at which its datagram really left.
// A round trip ends when the kernel gets the acknowledgement, so it does not depend on how often a program looks.
#ifndef NET_ROUND_TRIP_H
#define NET_ROUND_TRIP_H

#include <stdbool.h>
#include <stdint.h>

/// Datagrams of which the times are kept: two seconds of a busy connection.
#define ROUND_TRIP_CAPACITY 32u

/// Zero-initialise.
struct round_trip {
    uint64_t count;     ///< measured so far
    uint32_t newest_us; ///< the newest of them
    uint32_t next;      ///< place of the next in `sent`
    struct round_trip_sent {
        uint16_t ms;    ///< of ENet's clock, modulo 2^16
        uint64_t at_ns; ///< 0: none
    } sent[ROUND_TRIP_CAPACITY];
};

/// Notes that a datagram with this time stamp leaves. If several have the same, the first counts.
void round_trip_send(struct round_trip *trips, uint16_t ms, uint64_t now_ns);
/// Takes an acknowledgement of a datagram with this time stamp; the first one counts.
void round_trip_acknowledge(struct round_trip *trips, uint16_t ms, uint64_t arrived_ns);

#endif
