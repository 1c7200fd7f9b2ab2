// SPDX-License-Identifier: MIT
//
// The certificate by which a browser knows the server: a page compares its SHA-256 with the one in the link, so it
// needs no authority and no end. It has a P-256 key of its own, because browsers accept no Ed25519 here. The server
// keeps both beside its key, so links stay valid; their bytes mean nothing to it.
#ifndef WEBRTC_CERTIFICATE_H
#define WEBRTC_CERTIFICATE_H

#include <gnutls/gnutls.h>
#include <stdbool.h>

#include "net/webrtc.h"

struct certificate {
    gnutls_certificate_credentials_t credentials;
    uint8_t ready[WEBRTC_PAYLOAD_BYTES_MAX]; ///< fingerprint, then what to keep: the payload of WEBRTC_READY
    size_t ready_bytes;
};

/// Takes what was kept, or makes a new key and certificate if that is empty or not usable. False without memory or
/// random numbers.
bool certificate_open(struct certificate *certificate, const uint8_t *kept, size_t byte_count);

#endif
