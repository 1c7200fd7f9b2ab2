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

#include "error.h"

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

/// Bytes of the parts with a final zero.
#define WEB_ADDRESS_PATH_BYTES      256
#define WEB_ADDRESS_AUTHORITY_BYTES (HOST_BYTES + 8)

/// The address of a web service as people write it: http://HOST[:PORT][/PATH]. Only http: what is sent there is signed
/// and public. Source: RFC 3986.
struct web_address {
    struct host_port place;                      ///< with its port, 80 if none is written
    char authority[WEB_ADDRESS_AUTHORITY_BYTES]; ///< as written, "directory.example.org" or "[::1]:8080"
    char path[WEB_ADDRESS_PATH_BYTES];           ///< without a slash at its end: "" or "/deadfall"
};

/// Parses an address. False with an error that says what is wrong.
bool host_port_parse_web(const char *text, struct web_address *address, struct error *error);

#endif
