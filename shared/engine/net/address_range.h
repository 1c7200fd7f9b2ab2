// SPDX-License-Identifier: MIT
//
// Addresses with the same first bits, as an operator writes them: an address, or ADDRESS/BITS. For bans and for
// households that have no limits. IPv4 addresses are kept in their IPv6 form, ::ffff:192.0.2.7, so that both compare
// equal.
#ifndef NET_ADDRESS_RANGE_H
#define NET_ADDRESS_RANGE_H

#include <stdbool.h>
#include <stdint.h>

/// Bits in front of an IPv4 address.
#define ADDRESS_RANGE_BITS_IPV4 96
/// All bits of an address.
#define ADDRESS_RANGE_BITS_MAX 128
/// The bits of IPv6 that a home has in common, which is what most providers give it (RIPE-690).
#define ADDRESS_RANGE_BITS_HOME 56
/// Bytes of a range as text, with its final zero: "192.0.2.0/24", "2001:db8::/56".
#define ADDRESS_RANGE_TEXT_BYTES 64

struct net_address;

struct address_range {
    uint8_t prefix[16]; ///< bits beyond `bits` are zero
    uint32_t bits;      ///< 0 to ADDRESS_RANGE_BITS_MAX
};

/// Reads ADDRESS or ADDRESS/BITS. An address without bits means that of IPv4 alone, and the home of one of IPv6. False
/// for anything else.
bool address_range_parse(const char *text, struct address_range *range);
/// Reads an address alone, with all of its bits. False for anything else.
bool address_range_parse_address(const char *text, struct address_range *range);
/// Returns the range of one address.
struct address_range address_range_of(const struct net_address *address);
/// Writes the shortest text that parses to the same range.
void address_range_text(const struct address_range *range, char text[ADDRESS_RANGE_TEXT_BYTES]);
/// Returns whether all addresses are of IPv4.
bool address_range_is_ipv4(const struct address_range *range);
/// Returns whether a range has all addresses of another. Ranges of IPv6 have none of IPv4, not even ::/0.
bool address_range_contains(const struct address_range *range, const struct address_range *other);

#endif
