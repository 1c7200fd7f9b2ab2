// SPDX-License-Identifier: MIT
//
// Takes apart where something listens, as a person or a program writes it: HOST, HOST:PORT, [IPV6] or [IPV6]:PORT. What
// a host may be (a name, numbers alone) and which ports are good is for the caller to say.
#ifndef BASE_HOST_PORT_H
#define BASE_HOST_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sockaddr_storage;

/// Bytes of a host at most, with its final zero.
#define HOST_BYTES 256

/// A place, taken apart.
struct host_port {
    char host[HOST_BYTES]; ///< never empty, without brackets
    bool is_bracketed;     ///< written as [IPV6]
    bool has_port;
    uint16_t port; ///< 0 if none is written
};

/// Reads a number from 0 to 65535, of digits alone. False for anything else.
bool host_port_parse_port(const char *text, uint16_t *port);

/// Takes a place apart, out of the first `byte_count` bytes of `text` (SIZE_MAX: all). A host without brackets that has
/// several colons is an IPv6 address without a port. False if it is none of the forms, the host is empty or longer than
/// has room, or the port is none; a port of 0 is taken.
bool host_port_parse(const char *text, size_t byte_count, struct host_port *place);

/// Reads an address of numbers alone, as a socket takes it: "127.0.0.1:9100" or "[::1]:9100". Asks no name server.
/// False for anything else.
bool host_port_parse_numeric(const char *text, struct sockaddr_storage *address);

/// Returns whether a text is such an address.
bool host_port_is_numeric(const char *text);

#endif
