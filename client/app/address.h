// SPDX-License-Identifier: MIT
//
// Takes apart where to connect to, as a person types it: HOST, HOST:PORT, [IPV6]:PORT,
// deadfall://HOST:PORT, each with #FINGERPRINT of the server's key behind it or without.
#ifndef APP_ADDRESS_H
#define APP_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/host_port.h"
#include "net/crypto/identity.h"

/// Port of a server when none is given.
#define ADDRESS_PORT 27440

/// The address of a server.
struct address {
    char host[HOST_BYTES];
    uint16_t port;
    char fingerprint[FINGERPRINT_TEXT_BYTES]; ///< empty: none was given
};

/// Parses an address. Returns false with an error if the text is none.
bool address_read(struct address *address, const char *text, struct error *error);

#endif
