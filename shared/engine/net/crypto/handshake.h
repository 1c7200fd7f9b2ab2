// SPDX-License-Identifier: MIT
//
// How a session begins: HELLO, COOKIE, JOIN, then ACCEPT or DENY. The server keeps no state of a stranger until a
// cookie has come back from the address it was sent to, and no answer is longer than its request. The pattern is
// Noise_KXpsk2_25519_ChaChaPoly_BLAKE2b with the server as its initiator; PROTOCOL.md describes every byte, and
// docs/security.md argues what it proves. Here is what both sides share, and the client's; handshake_server.h has the
// server's. Pure functions over bytes and random keys; sockets, tables and time belong to the caller. All numbers are
// little-endian.
//
//   HELLO 1200                 COOKIE 122               JOIN 194                      ACCEPT 109
//    0  1 kind                  0  1 kind                0  1 kind                     0  1 kind
//    1  4 HANDSHAKE_VERSION     1  8 nonce               1  4 HANDSHAKE_VERSION        1  8 nonce
//    5  8 nonce                 9  1 epoch               5  8 nonce                    9 32 ephemeral key G
//   13    zeros                10 16 cookie             13  1 epoch                   41  4 session    } encrypted
//                              26 32 key S              14 16 cookie                  45 32 ticket     }
//   DENY 177                   58 32 ephemeral key F    30  4 protocol                77 16 reset      }
//    0   1 kind                90 32 password share P   34 32 password share Q        93 16 tag
//    1   8 nonce                                        66 32 ephemeral key E
//    9  24 random                                       98 32 static key } encrypted
//   33   1 denial  } encrypted                         130 16 tag
//   34 127 reason  }                                   146 32 identity   } encrypted
//  161  16 tag                                         178 16 tag
//
// A server that has lost its sessions says so to their clients (after RFC 9000, 10.3): RESET 21 has the kind, the index
// and generation of the session, two bytes each, and 16 bytes of a token. Each ACCEPT brings this token, which only the
// server can make, from its lasting key, the name of the session, and the household that joined. So it needs no memory,
// and nobody else can do the same.
#ifndef NET_HANDSHAKE_H
#define NET_HANDSHAKE_H

#include "cpace.h"
#include "identity.h"
#include "net/datagram.h"
#include "net/transport.h"
#include "noise.h"
#include "packet_crypto.h"

#define HANDSHAKE_VERSION 0x32304644u // "DF02"

#define HELLO_BYTES         1200
#define COOKIE_BYTES        122
#define JOIN_BYTES          194
#define ACCEPT_BYTES        109
#define DENY_BYTES          177
#define SESSION_RESET_BYTES 21 ///< fewer than any datagram that it answers

/// Offsets in the datagrams.
enum handshake_offset {
    HANDSHAKE_AT_VERSION = 1,
    HANDSHAKE_AT_NONCE = 5,          ///< of HELLO and JOIN
    HANDSHAKE_AT_ANSWERED_NONCE = 1, ///< of the answers
    COOKIE_AT_EPOCH = 9,
    COOKIE_AT_KEY = 26,
    COOKIE_AT_EPHEMERAL = 58,
    COOKIE_AT_SHARE = 90,
    JOIN_AT_EPOCH = 13,
    JOIN_AT_PROTOCOL = 30,
    JOIN_AT_SHARE = 34,
    JOIN_AT_EPHEMERAL = 66,
    JOIN_AT_STATIC = 98,
    JOIN_AT_IDENTITY = 146,
    ACCEPT_AT_EPHEMERAL = 9,
    ACCEPT_AT_ENCRYPTED = 41,
    ACCEPT_AT_TICKET = 4, // of what is encrypted
    ACCEPT_AT_RESET = 36,
    DENY_AT_RANDOM = 9,
    DENY_AT_ENCRYPTED = 33,
};

#define NONCE_BYTES               8
#define PUBLIC_KEY_BYTES          32 ///< X25519, of a server or a handshake
#define PASSWORD_BYTES            64 ///< longest password
#define SESSION_RESET_TOKEN_BYTES 16
/// The epoch and the cookie, which a JOIN returns unchanged.
#define EPOCH_BYTES 17
/// What is encrypted in an ACCEPT: session, ticket and reset token.
#define ACCEPT_PLAIN_BYTES (4 + NET_TICKET_BYTES + SESSION_RESET_TOKEN_BYTES)
/// What is encrypted in a DENY: the denial, and its reason without the final zero.
#define DENY_PLAIN_BYTES NET_REASON_BYTES

/// What a client needs to know about its session, beside its keys.
struct session_grant {
    struct session_id session;
    uint8_t reset_token[SESSION_RESET_TOKEN_BYTES];
};

/// The public keys of a COOKIE.
struct handshake_keys {
    const uint8_t *static_key, *ephemeral_key;
    const uint8_t *password_share; ///< zeros: no password is needed
};

/// A client's side, of one attempt.
struct handshake_client {
    uint8_t identity[IDENTITY_BYTES];
    uint8_t static_key[PUBLIC_KEY_BYTES], static_secret[32]; ///< the identity's, as X25519
    uint8_t nonce[NONCE_BYTES], ephemeral_key[PUBLIC_KEY_BYTES], ephemeral_secret[32], password_secret[CPACE_BYTES];
    uint8_t server_key[PUBLIC_KEY_BYTES]; ///< from its COOKIE
    uint32_t protocol;
    bool has_ticket;                  ///< proves it instead of the password, if the server needs one
    uint8_t ticket[NET_TICKET_BYTES]; ///< after an ACCEPT: for the next attempt
    char password[PASSWORD_BYTES];    ///< zeros behind it
    uint8_t join[JOIN_BYTES];         ///< as last written
    uint8_t refusal_key[32];          ///< of a DENY that answers it
    struct noise noise;               ///< after it
};

/// Both sides of CPace agree on the password, on the server, and on its epoch.
struct cpace handshake_password_exchange(const char *password, const struct handshake_keys *server);
/// Both sides: begins the pattern, up to the token "e" of its second message, with the beginning of a JOIN.
void handshake_begin_pattern(struct noise *noise, const uint8_t *join, const struct handshake_keys *server);
/// Both sides: computes the key of a refusal, which is for this very JOIN, every bit of it, and knows nothing of
/// passwords.
void handshake_refusal_key(const struct noise *before_psk, const uint8_t *join, uint8_t key[32]);

/// Begins an attempt with the identity of a seed (32 bytes), a random nonce and random ephemeral keys.
void handshake_client_init(struct handshake_client *client, const uint8_t seed[32], uint32_t protocol);
/// Writes the HELLO.
void handshake_hello_write(const struct handshake_client *client, uint8_t bytes[HELLO_BYTES]);
/// Reads a COOKIE. False if it does not answer this attempt or its keys are bad; otherwise `client` has the server's
/// key, which is not proven yet, and the JOIN to send.
bool handshake_cookie_read(struct handshake_client *client, const uint8_t *bytes, size_t byte_count);
/// Reads an ACCEPT. False if it is forged. Keeps its ticket for the next attempt, and wipes the keys of this one.
bool handshake_accept_read(struct handshake_client *client, const uint8_t *bytes, size_t byte_count,
                           struct session_grant *grant, struct packet_crypto *crypto);
/// Reads a DENY and its reason, "" if it has none. DENIAL_NONE if it is forged or does not answer this JOIN.
enum denial handshake_deny_read(const struct handshake_client *client, const uint8_t *bytes, size_t byte_count,
                                char reason[NET_REASON_BYTES]);
/// Server: computes the grant of a session from the server's secret key (32 bytes) and the household that has it.
struct session_grant handshake_grant(const uint8_t secret_key[32], struct session_id session, uint64_t household);
/// Server: writes the answer to a datagram of a session that it does not know.
void handshake_reset_write(const struct session_grant *grant, uint8_t bytes[SESSION_RESET_BYTES]);
/// Client: returns whether the server has lost this session.
bool handshake_reset_claims(const struct session_grant *grant, const uint8_t *bytes, size_t byte_count);
/// Returns a sentence for the player that says what a denial means and what to do.
const char *handshake_denial_text(enum denial denial);

#endif
