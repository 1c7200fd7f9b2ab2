// SPDX-License-Identifier: MIT
//
// How a session begins: HELLO, COOKIE, JOIN, then ACCEPT or DENY. The server keeps no state of a stranger until a
// cookie has come back from the address it was sent to, and no answer is longer than its request. Both sides prove
// their identity: the server with its long-term key, the client with a signature. Pure functions over bytes and random
// keys; sockets, tables and time belong to the caller. All numbers are little-endian.
//
//   HELLO 1200                 COOKIE 58                JOIN 512                      ACCEPT 91
//    0  1 kind                  0  1 kind                0  1 kind                     0  1 kind
//    1  4 HANDSHAKE_VERSION     1  8 nonce               1  4 HANDSHAKE_VERSION        1  8 nonce
//    5  8 nonce                 9  1 epoch               5  8 nonce                    9 32 ephemeral key
//   13    zeros                10 16 cookie             13  1 epoch                   41  2 session    } encrypted
//                              26 32 server's key       14 16 cookie                  43 32 ticket     }
//   DENY 10, with reason 153                            30  4 protocol                75 16 tag
//    0  1 kind                                          34 32 ephemeral key
//    1  8 nonce                                         66 32 identity     }
//    9  1 denial                                        98 64 signature    } encrypted
//   10 127 reason, encrypted                           162  1 secret kind  }
//  137 16 tag                                          163 64 secret       }
//                                                      227    zeros        }
//                                                      496 16 tag
#ifndef NET_HANDSHAKE_H
#define NET_HANDSHAKE_H

#include "datagram.h"
#include "identity.h"
#include "packet_crypto.h"

#define HANDSHAKE_VERSION 0x31304644u // "DF01"

#define HELLO_BYTES  1200
#define COOKIE_BYTES 58
#define JOIN_BYTES   512
#define ACCEPT_BYTES 91
#define DENY_BYTES   10
/// A DENY with a reason in the server's words.
#define DENY_REASON_BYTES (DENY_BYTES + NET_REASON_BYTES - 1 + PACKET_CRYPTO_TAG_BYTES)

#define NONCE_BYTES       8
#define PUBLIC_KEY_BYTES  32           ///< X25519, of a server or a handshake
#define JOIN_SECRET_BYTES 64           ///< a password or ticket, zeros behind it
#define TICKET_S          86400u       ///< a ticket is good for a day
#define COOKIE_EPOCH_NS   30000000000u ///< a cookie is good in its epoch and the next

/// What a client proves its right to play with, on a server with a password.
enum join_secret { SECRET_NONE, SECRET_PASSWORD, SECRET_TICKET };

/// A server's side: the same for all clients.
struct handshake_server {
    uint8_t public_key[PUBLIC_KEY_BYTES], secret_key[32];
    uint8_t cookie_key[32];              ///< random, of this run
    uint8_t password[JOIN_SECRET_BYTES]; ///< zeros: none is needed
    uint32_t protocol;                   ///< version of the messages that follow
    uint64_t unix_s;                     ///< wall clock, for tickets: they outlive a restart
};

/// A client's side, of one attempt.
struct handshake_client {
    uint8_t identity[IDENTITY_BYTES], identity_secret[64];
    uint8_t nonce[NONCE_BYTES], ephemeral_key[PUBLIC_KEY_BYTES], ephemeral_secret[32];
    uint8_t server_key[PUBLIC_KEY_BYTES]; ///< from its COOKIE
    uint32_t protocol;
    enum join_secret secret_kind;
    uint8_t secret[JOIN_SECRET_BYTES];
    uint8_t join[JOIN_BYTES]; ///< as last written
};

/// Who has sent a JOIN, once it is decrypted.
struct join {
    uint8_t identity[IDENTITY_BYTES];
    uint8_t ephemeral_key[PUBLIC_KEY_BYTES]; ///< names the attempt: a repeated JOIN has the same
    uint8_t shared[32], hash[32];            ///< for handshake_accept_write()
};

/// Computes the server's keys from its seed (32 bytes), with a random cookie key and no password.
void handshake_server_init(struct handshake_server *server, const uint8_t seed[32], uint32_t protocol);
/// Sets the password that clients need, up to JOIN_SECRET_BYTES bytes; empty: none.
void handshake_server_password(struct handshake_server *server, const char *password);
/// Begins an attempt with the identity of a seed (32 bytes), a random nonce and a random ephemeral key.
void handshake_client_init(struct handshake_client *client, const uint8_t seed[32], uint32_t protocol);

/// Client: writes the HELLO.
void handshake_hello_write(const struct handshake_client *client, uint8_t bytes[HELLO_BYTES]);
/// Server: returns whether it is a HELLO of this version.
bool handshake_hello_is_valid(const uint8_t *bytes, size_t byte_count);

/// Server: writes the answer to a HELLO that is valid.
void handshake_cookie_write(const struct handshake_server *server, const struct datagram *hello,
                            uint8_t bytes[COOKIE_BYTES]);
/// Client: reads a COOKIE. False if it does not answer this attempt or its key is bad; otherwise `client` has the
/// server's key, which is not proven yet, and the JOIN to send.
bool handshake_cookie_read(struct handshake_client *client, const uint8_t *bytes, size_t byte_count);

/// Server, the cheap half: returns whether it is a JOIN with the cookie of its sender's address.
bool handshake_join_is_proven(const struct handshake_server *server, const struct datagram *join);
/// Returns the ephemeral key of a JOIN that is proven.
const uint8_t *handshake_join_ephemeral_key(const uint8_t *bytes);
/// Server, the expensive half: reads a JOIN that is proven. False if it is forged and gets no answer. Otherwise
/// `denial` is the reason to refuse it, or DENIAL_NONE.
bool handshake_join_read(const struct handshake_server *server, const uint8_t *bytes, struct join *join,
                         enum denial *denial);

/// Server: accepts a JOIN. From now on `crypto` is the server's end of the session.
void handshake_accept_write(const struct handshake_server *server, const struct join *join,
                            const uint8_t nonce[NONCE_BYTES], uint16_t session, uint8_t bytes[ACCEPT_BYTES],
                            struct packet_crypto *crypto);
/// Client: reads an ACCEPT. False if it is forged. Keeps its ticket as the secret of the next attempt.
bool handshake_accept_read(struct handshake_client *client, const uint8_t *bytes, size_t byte_count, uint16_t *session,
                           struct packet_crypto *crypto);

/// Server: refuses an attempt without a reason.
void handshake_deny_write(const uint8_t nonce[NONCE_BYTES], enum denial denial, uint8_t bytes[DENY_BYTES]);
/// Server: refuses the sender of a JOIN, with an encrypted reason.
void handshake_deny_write_reason(const struct handshake_server *server, const struct join *join,
                                 const uint8_t *join_bytes, enum denial denial, const char *reason,
                                 uint8_t bytes[DENY_REASON_BYTES]);
/// Client: reads a DENY and its reason, "" if it has none. DENIAL_NONE if it does not answer this attempt.
enum denial handshake_deny_read(const struct handshake_client *client, const uint8_t *bytes, size_t byte_count,
                                char reason[NET_REASON_BYTES]);
/// Returns a sentence for the player that says what a denial means and what to do.
const char *handshake_denial_text(enum denial denial);

/// Returns the nonce of a HELLO that is valid or a JOIN that is proven; both have it in the same place.
const uint8_t *handshake_nonce(const uint8_t *bytes);

#endif
