// SPDX-License-Identifier: MIT
//
// Where a datagram comes from or goes to, over IPv4 or IPv6 (ip_address.h finds hosts); ranges of addresses with the
// same first bits, as an operator writes them; and a cookie that proves that somebody receives at an address: it is
// sent there, and comes back. Opens no socket.
#ifndef NET_NET_ADDRESS_H
#define NET_NET_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/platform/ip_address.h"

#define NET_ADDRESS_TEXT_BYTES 64

/// Returns whether datagrams reach an address through a WebRTC data channel.
bool net_address_has_channel(const struct net_address *address);
/// Returns whether two addresses are the same, with their ports, and reached in the same way.
bool net_address_equals(const struct net_address *address, const struct net_address *other);
/// Returns an address with another port.
struct net_address net_address_with_port(const struct net_address *address, uint16_t port);
/// Bytes of an address in a datagram.
#define NET_ADDRESS_PLACE_BYTES 19
/// Writes an address and its port as datagrams have them, behind the number of their bytes and with zeros after them;
/// the scope of an IPv6 address is left out.
void net_address_write_place(const struct net_address *address, uint8_t place[NET_ADDRESS_PLACE_BYTES]);
/// Writes "192.0.2.7:31337" or "[2001:db8::1]:31337".
void net_address_text(const struct net_address *address, char text[NET_ADDRESS_TEXT_BYTES]);

/// Bits in front of an IPv4 address.
#define ADDRESS_RANGE_BITS_IPV4 96
/// All bits of an address.
#define ADDRESS_RANGE_BITS_MAX 128
/// The bits of IPv6 that a home has in common, which is what most providers give it (RIPE-690).
#define ADDRESS_RANGE_BITS_HOME 56
/// Bytes of a range as text, with its final zero: "192.0.2.0/24", "2001:db8::/56".
#define ADDRESS_RANGE_TEXT_BYTES 64

/// Addresses with the same first bits. Those of IPv4 are kept in their IPv6 form, ::ffff:192.0.2.7, so that both
/// compare equal.
struct address_range {
    uint8_t prefix[16]; ///< bits beyond `bits` are zero
    uint32_t bits;      ///< 0 to ADDRESS_RANGE_BITS_MAX
};

/// Reads ADDRESS or ADDRESS/BITS. An address without bits means that of IPv4 alone, and the home of one of IPv6. False
/// for anything else.
bool net_address_range_parse(const char *text, struct address_range *range);
/// Reads an address alone, with all of its bits. False for anything else.
bool net_address_range_parse_address(const char *text, struct address_range *range);
/// Returns the range of one address.
struct address_range net_address_range_of(const struct net_address *address);
/// Writes the shortest text that parses to the same range.
void net_address_range_text(const struct address_range *range, char text[ADDRESS_RANGE_TEXT_BYTES]);
/// Returns whether all addresses are of IPv4.
bool net_address_range_is_ipv4(const struct address_range *range);
/// Returns whether a range has all addresses of another. Ranges of IPv6 have none of IPv4, not even ::/0.
bool net_address_range_contains(const struct address_range *range, const struct address_range *other);

#define NET_ADDRESS_COOKIE_KEY_BYTES 16
/// Length of an epoch, ns. A cookie is valid in its epoch and the next.
#define NET_ADDRESS_COOKIE_EPOCH_NS 30000000000u

/// Returns the cookie of an address now, all of its 64 bits random to who does not know the key. It follows from the
/// address, the time and the key, so nothing is kept for strangers.
uint64_t net_address_cookie(const uint8_t key[NET_ADDRESS_COOKIE_KEY_BYTES], const struct net_address *from,
                            uint64_t now_ns);
/// Returns whether a cookie is that of the address, in this epoch or the one before.
bool net_address_cookie_is_met(const uint8_t key[NET_ADDRESS_COOKIE_KEY_BYTES], const struct net_address *from,
                               uint64_t now_ns, uint64_t cookie);

#endif
