// SPDX-License-Identifier: MIT
//
// Takes apart where to connect to, as a person types it: HOST, HOST:PORT, [IPV6]:PORT,
// deadfall://HOST:PORT, each with #FINGERPRINT of the server's key behind it or without; behind that .CERTIFICATE, if
// the server takes browsers, and @HOST:PORT of a directory, if the server can be reached only with its help.
#ifndef APP_ADDRESS_H
#define APP_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/host_port.h"
#include "net/crypto/identity.h"
#include "net/webrtc.h"

/// Port of a server when none is given.
#define ADDRESS_PORT 27440

/// The address of a server.
struct address {
    char host[HOST_BYTES];
    uint16_t port;
    char fingerprint[FINGERPRINT_TEXT_BYTES];        ///< empty: none was given
    char certificate[WEBRTC_FINGERPRINT_TEXT_BYTES]; ///< for browsers; empty: none was given
    char through[HOST_BYTES];                        ///< directory that introduces clients to the server; empty: none
    uint16_t through_port;                           ///< UDP
};

/// Returns whether a text begins as a link does.
bool address_is_link(const char *text);

/// Parses an address. Returns false with an error if the text is none.
bool address_read(struct address *address, const char *text, struct error *error);

/// Writes an address as a link, deadfall://HOST:PORT#FINGERPRINT@DIRECTORY:PORT; nothing if it has no room.
void address_link(const struct address *address, char *text, size_t text_bytes);

#endif
