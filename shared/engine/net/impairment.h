// SPDX-License-Identifier: MIT
//
// How a bad network treats datagrams, and how people write it: "delay=50ms,loss=5%". The network simulator applies it
// to real sockets, the memory network of the tests to its packets.
#ifndef NET_IMPAIRMENT_H
#define NET_IMPAIRMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

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

#endif
