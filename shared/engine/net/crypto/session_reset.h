// SPDX-License-Identifier: MIT
//
// How a server that has lost its sessions says so to their clients (after RFC 9000, 10.3). Each accept brings a token
// that only this server can make, from its lasting key, the name of the session, and the household that joined. A
// server that receives a datagram of a session that it does not know answers with the token, so it needs no memory, and
// nobody else can do the same. Pure functions over bytes.
//
//     0  1  kind, DATAGRAM_RESET
//     1  2  index of the session, little-endian
//     3  2  its generation, little-endian
//     5 16  token
#ifndef NET_SESSION_RESET_H
#define NET_SESSION_RESET_H

#include "net/datagram.h"

#define SESSION_RESET_TOKEN_BYTES 16
/// Bytes of the datagram: fewer than any that it answers.
#define SESSION_RESET_BYTES 21

/// What a client needs to know about its session, beside its keys.
struct session_grant {
    struct session_id session;
    uint8_t reset_token[SESSION_RESET_TOKEN_BYTES];
};

/// Server: computes the grant of a session from the server's secret key (32 bytes) and the household that has it.
struct session_grant session_reset_grant(const uint8_t secret_key[32], struct session_id session, uint64_t household);
/// Server: writes the answer to a datagram of a session that it does not know.
void session_reset_write(const struct session_grant *grant, uint8_t bytes[SESSION_RESET_BYTES]);
/// Client: returns whether the server has lost this session.
bool session_reset_claims(const struct session_grant *grant, const uint8_t *bytes, size_t byte_count);

#endif
