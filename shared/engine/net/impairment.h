// SPDX-License-Identifier: MIT
//
// How a bad network treats datagrams, how people write it ("delay=50ms,loss=5%"), and a line that does it: delivers
// datagrams late, twice, out of order or never. Real sockets have one for each direction. Seeded; time is an argument.
#ifndef NET_IMPAIRMENT_H
#define NET_IMPAIRMENT_H

#include "base/error.h"
#include "datagram.h"

/// How a network misbehaves. All zero: perfect.
struct impairment {
    uint32_t delay_us;        ///< each way
    uint32_t jitter_us;       ///< uniform, added, 0 to this
    uint32_t loss_ppm;        ///< chance of a loss, parts per million
    uint32_t duplicate_ppm;   ///< chance of a second copy
    uint32_t reorder_ppm;     ///< chance of another 100 ms of delay
    uint32_t rate_bits_per_s; ///< of real sockets, each way; 0: no limit
};

/// Reads "delay=50ms,jitter=10ms,loss=5%,dup=2%,reorder=2%,rate=128kbit": every part optional, times in us, ms or s,
/// chances in per cent with up to four decimals, rates in bit, kbit or mbit a second. False with an error for
/// anything else.
bool impairment_parse(const char *text, struct impairment *impairment, struct error *error);

#define IMPAIRMENT_LINE_CAPACITY 1024

struct delayed_datagram {
    uint64_t due_ns; ///< 0: free
    uint64_t order;  ///< breaks ties in time: as sent
    struct net_address address;
    uint16_t byte_count;
    uint8_t bytes[DATAGRAM_BYTES_MAX];
};

struct impairment_line {
    struct impairment impairment;
    uint64_t random, order;
    uint64_t busy_until_ns; ///< earlier datagrams still occupy the line
    uint64_t arrived_ns;    ///< when the datagram that was received last has arrived
    uint32_t count;
    struct delayed_datagram delayed[IMPAIRMENT_LINE_CAPACITY];
};

/// Sends a datagram.
void impairment_line_push(struct impairment_line *line, uint64_t now_ns, const struct net_address *address,
                          const uint8_t *bytes, size_t byte_count);
/// Receives the earliest datagram that has arrived. Returns its bytes; 0 if there is none yet.
size_t impairment_line_pop(struct impairment_line *line, uint64_t now_ns, struct net_address *address,
                           uint8_t bytes[DATAGRAM_BYTES_MAX]);
/// Returns when the next datagram arrives, ns; UINT64_MAX if there is none.
uint64_t impairment_line_due_ns(const struct impairment_line *line);

#endif
