// SPDX-License-Identifier: MIT
//
// Where a datagram comes from or goes to, over IPv4 or IPv6: as bytes, as text, and as the kernel takes it. Opens no
// socket.
#ifndef NET_NET_ADDRESS_H
#define NET_NET_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "transport.h"

struct sockaddr_storage;

#define ADDRESS_BYTES_MAX  22 ///< IPv6, port, scope
#define ADDRESS_BYTES_IPV4 6

/// 4 or 16 bytes of address, 2 of port, and 4 of scope for IPv6; in network byte order, the scope as the kernel has it.
struct net_address {
    uint8_t bytes[ADDRESS_BYTES_MAX];
    uint8_t byte_count;
};

/// Returns whether an address is this machine's own loopback.
bool net_address_is_loopback(const struct net_address *address);
/// Returns whether two addresses are the same, with their ports.
bool net_address_equals(const struct net_address *address, const struct net_address *other);
/// Writes "192.0.2.7:31337" or "[2001:db8::1]:31337".
void net_address_text(const struct net_address *address, char text[NET_ADDRESS_TEXT_BYTES]);

/// Finds the address of a host name or number; may ask a name server, and wait for it. False if there is none.
bool net_address_find(struct net_address *address, const char *host, uint16_t port);
/// The same for addresses of IPv4 (`ipv6` false) or IPv6 alone.
bool net_address_find_family(struct net_address *address, const char *host, uint16_t port, bool ipv6);
/// The same for a number alone, in any notation; asks no name server.
bool net_address_parse(struct net_address *address, const char *host, uint16_t port);
/// Takes over an address of the kernel, AF_INET or AF_INET6.
struct net_address net_address_of_socket(const struct sockaddr_storage *kernel);
/// Writes an address as the kernel takes it. Returns its bytes there.
uint32_t net_address_to_socket(const struct net_address *address, struct sockaddr_storage *kernel);

#endif
