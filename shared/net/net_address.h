// SPDX-License-Identifier: MIT
//
// Where a datagram comes from, as bytes and as text. Knows no socket.
#ifndef NET_NET_ADDRESS_H
#define NET_NET_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "transport.h"

#define ADDRESS_BYTES_MAX  22 ///< IPv6, port, scope
#define ADDRESS_BYTES_IPV4 6

/// 4 or 16 bytes of address, 2 of port, of IPv6 4 of scope; as the kernel orders them.
struct net_address {
    uint8_t bytes[ADDRESS_BYTES_MAX];
    uint8_t byte_count;
};

/// How many of its first bytes name a household, which shares its buckets: an IPv4 address, or a /56 of IPv6.
static inline size_t net_address_household_bytes(const struct net_address *address)
{
    return address->byte_count > ADDRESS_BYTES_IPV4 ? 7 : 4;
}

/// Whether an address is this machine's own loopback.
bool net_address_is_loopback(const struct net_address *address);
/// Writes "192.0.2.7:31337" or "[2001:db8::1]:31337".
void net_address_text(const struct net_address *address, char text[NET_ADDRESS_TEXT_BYTES]);

#endif
