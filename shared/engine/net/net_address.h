// SPDX-License-Identifier: MIT
//
// Where a datagram comes from or goes to, over IPv4 or IPv6: what it means, as
// text, and by the name of a host. Opens no socket.
#ifndef NET_NET_ADDRESS_H
#define NET_NET_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/platform/ip_address.h"
#include "transport.h"

/// Returns whether datagrams reach an address through a WebRTC data channel.
bool net_address_has_channel(const struct net_address *address);
/// Returns whether two addresses are the same, with their ports, and reached in the same way.
bool net_address_equals(const struct net_address *address, const struct net_address *other);
/// Returns an address with another port.
struct net_address net_address_with_port(const struct net_address *address, uint16_t port);
/// Writes "192.0.2.7:31337" or "[2001:db8::1]:31337".
void net_address_text(const struct net_address *address, char text[NET_ADDRESS_TEXT_BYTES]);

/// Finds the address of a host name or number; may ask a name server, and wait for it. False if there is none.
bool net_address_find(struct net_address *address, const char *host, uint16_t port);
/// The same for addresses of IPv4 (`ipv6` false) or IPv6 alone.
bool net_address_find_family(struct net_address *address, const char *host, uint16_t port, bool ipv6);
/// The same for a number alone, in any notation; asks no name server.
bool net_address_parse(struct net_address *address, const char *host, uint16_t port);

#endif
