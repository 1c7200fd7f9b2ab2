// SPDX-License-Identifier: MIT
//
// Parses where something listens, as people and programs write it: HOST, HOST:PORT, [IPV6] or [IPV6]:PORT. The caller
// decides which hosts (names, only numbers) and which ports are valid.
#ifndef BASE_HOST_PORT_H
#define BASE_HOST_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/ip_address.h"

/// Longest host, bytes with the final zero.
#define HOST_BYTES 256

/// Host and port.
struct host_port {
    char host[HOST_BYTES]; ///< never empty, without brackets, letters of names and numbers alone
    bool is_bracketed;     ///< written as [IPV6]
    bool has_port;
    uint16_t port; ///< 0 if none is written
};

/// Reads a number from 0 to 65535, in digits only. False for anything else.
bool host_port_parse_port(const char *text, uint16_t *port);

/// Parses the first `byte_count` bytes of `text` (SIZE_MAX: all). A host without brackets that has several colons is an
/// IPv6 address without a port. False if the text has none of the forms, or the host is empty, too long or has anything
/// but letters, digits and -._:% in it, or the port is no port; 0 is allowed.
bool host_port_parse(const char *text, size_t byte_count, struct host_port *place);

/// Reads a numeric address: "127.0.0.1:9100" or "[::1]:9100". Asks no name server. False for
/// anything else.
bool host_port_parse_numeric(const char *text, struct net_address *address);

/// Returns whether a text is a numeric address with a port.
bool host_port_is_numeric(const char *text);

#endif
