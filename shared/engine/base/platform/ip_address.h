// SPDX-License-Identifier: MIT
//
// Addresses of IPv4 and IPv6 with a port: as bytes, as numbers in text, by the name of a host, and as the system's
// sockets take them.
#ifndef PLATFORM_IP_ADDRESS_H
#define PLATFORM_IP_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sockaddr_storage;

#define ADDRESS_BYTES_MAX  22 ///< IPv6, port, scope
#define ADDRESS_BYTES_IPV4 6
#define ADDRESS_CHANNEL    22 ///< index of the byte that says whether datagrams travel in a WebRTC data channel

/// Bytes of a number such as 2001:db8::1 as text, with the final zero.
#define IP_ADDRESS_NUMBER_BYTES 46

/// 4 or 16 bytes of address, 2 of port, and 4 of scope for IPv6; in network byte order, the scope as the kernel has it.
struct net_address {
    uint8_t bytes[ADDRESS_CHANNEL + 1]; ///< the last one: 0: plain UDP, 1: a data channel (see net/webrtc.h)
    uint8_t byte_count;                 ///< without that one
};

enum ip_address_family { IP_ADDRESS_ANY, IP_ADDRESS_IPV4, IP_ADDRESS_IPV6 };

/// Finds the address of a host name or number; may ask a name server, and wait for it. False if there is none.
bool ip_address_find(struct net_address *address, const char *host, uint16_t port, enum ip_address_family family);
/// The same for a number alone, in any notation; asks no name server.
bool ip_address_parse(struct net_address *address, const char *host, uint16_t port);
/// Reads a number in the usual notation, such as 192.0.2.7 or 2001:db8::1. Returns its bytes, 4 or 16; 0: it is none.
size_t ip_address_read_number(const char *text, uint8_t bytes[16]);
/// Writes such a number.
void ip_address_write_number(const uint8_t *bytes, bool is_ipv6, char text[IP_ADDRESS_NUMBER_BYTES]);

/// Returns whether an address is this machine's own loopback.
bool ip_address_is_loopback(const struct net_address *address);
/// Returns whether an address is one of the internet: not of a home, a carrier's shared line, a link or loopback.
bool ip_address_is_public(const struct net_address *address);

/// Takes over an address of the system, of IPv4 or IPv6.
struct net_address ip_address_of_socket(const struct sockaddr_storage *system);
/// Writes an address as the system takes it. Returns its bytes there.
uint32_t ip_address_to_socket(const struct net_address *address, struct sockaddr_storage *system);

#endif
