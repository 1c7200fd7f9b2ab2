// SPDX-License-Identifier: MIT
//
// The server's side of the handshake: cookies, the keys of an epoch, tickets, and what a JOIN gets as its answer. Pure
// functions over bytes and random keys; handshake.h has the datagrams.
#ifndef NET_HANDSHAKE_SERVER_H
#define NET_HANDSHAKE_SERVER_H

#include "handshake.h"

#define TICKET_S        86400u       ///< a ticket is good for a day, and until the next midnight (UTC)
#define COOKIE_EPOCH_NS 30000000000u ///< a cookie is good in its epoch and the next

/// What a server draws for an epoch and forgets after the next: with it, nobody can read its joins any more.
struct handshake_epoch {
    uint64_t number; ///< UINT64_MAX: none
    uint8_t ephemeral_key[PUBLIC_KEY_BYTES], ephemeral_secret[32];
    uint8_t password_share[CPACE_BYTES], password_secret[CPACE_BYTES]; ///< share of zeros: no password is needed
};

/// A server's side: the same for all clients.
struct handshake_server {
    uint8_t public_key[PUBLIC_KEY_BYTES], secret_key[32];
    uint8_t cookie_key[32];           ///< random, of this run
    char password[PASSWORD_BYTES];    ///< zeros: none is needed
    struct handshake_epoch epochs[2]; ///< of even and of odd number: this one and the one before
    uint64_t epoch;                   ///< number of this one
    uint32_t protocol;                ///< version of the messages that follow
    uint64_t unix_s;                  ///< wall clock, for tickets: they outlive a restart
};

/// Who has sent a JOIN, once it is decrypted.
struct join {
    uint8_t identity[IDENTITY_BYTES];
    uint8_t static_key[PUBLIC_KEY_BYTES];
    uint8_t ephemeral_key[PUBLIC_KEY_BYTES]; ///< names the attempt: a repeated JOIN has the same
    uint8_t refusal_key[32];
    struct noise noise;
};

/// Computes the server's keys from its seed (32 bytes), with a random cookie key and no password.
void handshake_server_init(struct handshake_server *server, const uint8_t seed[32], uint32_t protocol);
/// Sets the password that clients need, up to PASSWORD_BYTES bytes; empty: none.
void handshake_server_password(struct handshake_server *server, const char *password);
/// Sets the time. Draws the keys of an epoch that begins, and wipes those of the last but one. To be called before
/// each datagram is taken, and from time to time.
void handshake_server_renew(struct handshake_server *server, uint64_t now_ns);
/// Returns whether it is a HELLO of this version.
bool handshake_hello_is_valid(const uint8_t *bytes, size_t byte_count);
/// Writes the answer to a HELLO that is valid.
void handshake_cookie_write(const struct handshake_server *server, const struct datagram *hello,
                            uint8_t bytes[COOKIE_BYTES]);
/// The cheap half: returns whether it is a JOIN with the cookie of its sender's address.
bool handshake_join_is_proven(const struct handshake_server *server, const struct datagram *join);
/// Returns the ephemeral key of a JOIN that is proven.
const uint8_t *handshake_join_ephemeral_key(const uint8_t *bytes);
/// The expensive half: reads a JOIN that is proven. False if it is forged and gets no answer. Otherwise `denial` is the
/// reason to refuse it, or DENIAL_NONE; only with DENIAL_NONE is the identity known.
bool handshake_join_read(const struct handshake_server *server, const uint8_t *bytes, struct join *join,
                         enum denial *denial);
/// Accepts a JOIN and wipes its keys. From now on `crypto` is the server's end of the session.
void handshake_accept_write(const struct handshake_server *server, struct join *join, const uint8_t nonce[NONCE_BYTES],
                            const struct session_grant *grant, uint8_t bytes[ACCEPT_BYTES],
                            struct packet_crypto *crypto);
/// Refuses a JOIN with a reason in the server's words ("": none), so that only its sender can read it, and wipes its
/// keys.
void handshake_deny_write(struct join *join, const uint8_t nonce[NONCE_BYTES], enum denial denial, const char *reason,
                          uint8_t bytes[DENY_BYTES]);
/// Returns the nonce of a HELLO that is valid or a JOIN that is proven; both have it in the same place.
const uint8_t *handshake_nonce(const uint8_t *bytes);

#endif
