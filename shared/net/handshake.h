// SPDX-License-Identifier: MIT
//
// How a session begins: HELLO, COOKIE, JOIN, then ACCEPT or DENY. The server keeps nothing of a stranger until a
// cookie has come back from the address it was sent to, and never answers with more bytes than it was asked with. Both
// sides prove themselves: the server by its long-term key, the client by a signature of its own. Pure functions over
// bytes and random keys; sockets, tables and time belong to the caller. All numbers little-endian.
//
//   HELLO 1200                 COOKIE 58                JOIN 512                      ACCEPT 91
//    0  1 kind                  0  1 kind                0  1 kind                     0  1 kind
//    1  4 HANDSHAKE_VERSION     1  8 nonce               1  4 HANDSHAKE_VERSION        1  8 nonce
//    5  8 nonce                 9  1 epoch               5  8 nonce                    9 32 ephemeral key
//   13    zeros                10 16 cookie             13  1 epoch                   41  2 session    } sealed
//                              26 32 server's key       14 16 cookie                  43 32 ticket     }
//   DENY 10, with words 153                             30  4 protocol                75 16 tag
//    0  1 kind                                          34 32 ephemeral key
//    1  8 nonce                                         66 32 identity     }
//    9  1 reason                                        98 64 signature    } sealed
//   10 127 words, sealed                               162  1 secret kind  }
//  137 16 tag                                          163 64 secret       }
//                                                      227    zeros        }
//                                                      496 16 tag
#ifndef NET_HANDSHAKE_H
#define NET_HANDSHAKE_H

#include "identity.h"
#include "net_address.h"
#include "packet_crypto.h"

#define HANDSHAKE_VERSION 0x31304644u // "DF01"

#define HELLO_BYTES  1200
#define COOKIE_BYTES 58
#define JOIN_BYTES   512
#define ACCEPT_BYTES 91
#define DENY_BYTES   10
/// A refusal in the server's own words.
#define DENY_REASON_BYTES (DENY_BYTES + NET_REASON_BYTES - 1 + PACKET_CRYPTO_TAG_BYTES)

#define NONCE_BYTES       8
#define PUBLIC_KEY_BYTES  32           ///< X25519, of a server or a handshake
#define JOIN_SECRET_BYTES 64           ///< a password or ticket, zeros behind it
#define TICKET_S          86400u       ///< a ticket is good for a day
#define COOKIE_EPOCH_NS   30000000000u ///< a cookie is good in its epoch and the next

/// What proves the right to play where a password is asked for.
enum join_secret { SECRET_NONE, SECRET_PASSWORD, SECRET_TICKET };

/// A server's side: the same for all who come.
struct handshake_server {
    uint8_t public_key[PUBLIC_KEY_BYTES], secret_key[32];
    uint8_t cookie_key[32];              ///< random, of this run
    uint8_t password[JOIN_SECRET_BYTES]; ///< zeros: none is asked for
    uint32_t protocol;                   ///< version of the messages above
    uint64_t unix_s;                     ///< the time on the wall, for tickets: they outlive a restart
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

/// Who stands behind a JOIN, once opened.
struct join {
    uint8_t identity[IDENTITY_BYTES];
    uint8_t ephemeral_key[PUBLIC_KEY_BYTES]; ///< names the attempt: a repeated JOIN has the same
    uint8_t shared[32], hash[32];            ///< what handshake_accept_write goes on from
};

/// The server's keys from its seed (32 bytes), with a random cookie key and no password.
void handshake_server_init(struct handshake_server *server, const uint8_t seed[32], uint32_t protocol);
/// Asks for a password of up to JOIN_SECRET_BYTES bytes; empty: for none.
void handshake_server_password(struct handshake_server *server, const char *password);
/// A new attempt of the identity that its seed (32 bytes) makes, with a random nonce and ephemeral key.
void handshake_client_init(struct handshake_client *client, const uint8_t seed[32], uint32_t protocol);

/// Client: writes the HELLO.
void handshake_hello_write(const struct handshake_client *client, uint8_t bytes[HELLO_BYTES]);
/// Server: false if it is no HELLO of this version.
bool handshake_hello_read(const uint8_t *bytes, size_t byte_count, uint8_t nonce[NONCE_BYTES]);

/// Server: answers a HELLO from an address (at most ADDRESS_BYTES_MAX, any unique form).
void handshake_cookie_write(const struct handshake_server *server, const uint8_t nonce[NONCE_BYTES],
                            const uint8_t *address, size_t address_bytes, uint64_t now_ns, uint8_t bytes[COOKIE_BYTES]);
/// Client: false if it does not answer this attempt; else the server's key, not yet proven, is in `client`, and the
/// JOIN in `client->join` is ready to be sent, unless the key is no good.
bool handshake_cookie_read(struct handshake_client *client, const uint8_t *bytes, size_t byte_count);

/// Server, the cheap half: is it a JOIN, and does its cookie come from this address?
bool handshake_join_is_proven(const struct handshake_server *server, const uint8_t *bytes, size_t byte_count,
                              const uint8_t *address, size_t address_bytes, uint64_t now_ns);
/// The ephemeral key of a JOIN that is proven.
const uint8_t *handshake_join_ephemeral_key(const uint8_t *bytes);
/// Server, the dear half, of a JOIN that is proven. False: forged, no answer. Else `denial` is what it must be answered
/// with, DENIAL_NONE if nothing stands against it here.
bool handshake_join_read(const struct handshake_server *server, const uint8_t *bytes, struct join *join,
                         enum denial *denial);

/// Server: accepts; `seal` is the session's end from now on.
void handshake_accept_write(const struct handshake_server *server, const struct join *join,
                            const uint8_t nonce[NONCE_BYTES], uint16_t session, uint8_t bytes[ACCEPT_BYTES],
                            struct packet_crypto *crypto);
/// Client: false if forged. Keeps the ticket as the secret of the next attempt if a password was given.
bool handshake_accept_read(struct handshake_client *client, const uint8_t *bytes, size_t byte_count, uint16_t *session,
                           struct packet_crypto *crypto);

/// Server: refuses. The nonce of a JOIN stands where that of a HELLO does.
void handshake_deny_write(const uint8_t nonce[NONCE_BYTES], enum denial denial, uint8_t bytes[DENY_BYTES]);
/// Server: refuses the sender of a JOIN, with encrypted words. Writes DENY_WORDS_BYTES.
void handshake_deny_write_reason(const struct handshake_server *server, const struct join *join,
                                 const uint8_t *join_bytes, enum denial denial, const char *reason,
                                 uint8_t bytes[DENY_REASON_BYTES]);
/// Client: DENIAL_NONE if it does not answer this attempt. `words`: what the server says; "" if nothing.
enum denial handshake_deny_read(const struct handshake_client *client, const uint8_t *bytes, size_t byte_count,
                                char reason[NET_REASON_BYTES]);
/// What a denial means, as a sentence to a player.
const char *handshake_denial_text(enum denial denial);

/// The nonce of a HELLO or JOIN that was read.
const uint8_t *handshake_nonce(const uint8_t *bytes);

#endif
