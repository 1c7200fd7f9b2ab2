// SPDX-License-Identifier: MIT
//
// The address of a web service as people write it: http://HOST[:PORT][/PATH]. Only http: what is sent there is signed
// and public. Source: RFC 3986.
#ifndef DISCOVERY_WEB_ADDRESS_H
#define DISCOVERY_WEB_ADDRESS_H

#include "base/error.h"
#include "base/host_port.h"

/// Bytes of the parts with a final zero.
#define WEB_ADDRESS_PATH_BYTES      256
#define WEB_ADDRESS_AUTHORITY_BYTES (HOST_BYTES + 8)

struct web_address {
    struct host_port place;                      ///< with its port, 80 if none is written
    char authority[WEB_ADDRESS_AUTHORITY_BYTES]; ///< as written, "directory.example.org" or "[::1]:8080"
    char path[WEB_ADDRESS_PATH_BYTES];           ///< without a slash at its end: "" or "/deadfall"
};

/// Parses an address. False with an error that says what is wrong.
bool web_address_parse(const char *text, struct web_address *address, struct error *error);

#endif
