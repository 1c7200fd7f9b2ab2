// SPDX-License-Identifier: MIT
//
// The virtual line between the processes of a scene: datagrams to loopback addresses wait in the page until they
// arrive. The postman, a process of the scene with a raw socket, puts each into its receiver's socket, with its
// sender's address. What has been sent arrives even if its sender has died.
#pragma once

#include <netinet/in.h>
#include <stdatomic.h>
#include <stdint.h>

enum { LINE_DATAGRAMS = 4096, LINE_BYTES = 1500 };

struct line_datagram {
    uint64_t due_ns, number;      ///< those that are due at the same time arrive in the order in which they were sent
    struct sockaddr_in6 from, to; ///< or a sockaddr_in
    uint16_t size;
    uint8_t bytes[LINE_BYTES];
};

struct line {
    _Atomic uint64_t delay_ns, jitter_ns;
    _Atomic uint32_t loss_ppm, duplicate_ppm, late_ppm; ///< late: overtaken by what was sent up to late_ns after it
    _Atomic uint64_t late_ns;
    _Atomic uint32_t port; ///< only datagrams to or from this port; 0: all
    _Atomic int is_on;
    int postman; ///< 1 + its slot
    uint64_t random, number;
    uint64_t sent, lost, duplicated, overtaken;
    uint32_t count;
    uint16_t heap[LINE_DATAGRAMS], free[LINE_DATAGRAMS]; ///< of datagrams; the next to arrive is the first of the heap
    struct line_datagram datagrams[LINE_DATAGRAMS];
};
