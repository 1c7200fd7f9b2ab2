// SPDX-License-Identifier: MIT
//
// How a session begins: HELLO, COOKIE, JOIN, then ACCEPT or DENY. The server keeps no state of a stranger until a
// cookie has come back from the address it was sent to, and no answer is longer than its request. The pattern is
// Noise_KXpsk2_25519_ChaChaPoly_BLAKE2b with the server as its initiator; PROTOCOL.md describes every byte, and
// docs/security.md argues what it proves. Pure functions over bytes and random keys; sockets, tables and time belong to
// the caller. All numbers are little-endian.
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

#define NONCE_BYTES               8
#define PUBLIC_KEY_BYTES          32 ///< X25519, of a server or a handshake
#define PASSWORD_BYTES            64 ///< longest password
#define SESSION_RESET_TOKEN_BYTES 16
#define COOKIE_EPOCH_NS           30000000000u ///< a cookie is good in its epoch and the next
#define TICKET_S                  86400u       ///< a ticket is good for a day, and until the next midnight (UTC)

/// What a client needs to know about its session, beside its keys.
struct session_grant {
    struct session_id session;
    uint8_t reset_token[SESSION_RESET_TOKEN_BYTES];
};

/// A client's side, of one attempt.
struct handshake_client {
    uint8_t identity[IDENTITY_BYTES];
    uint8_t static_key[PUBLIC_KEY_BYTES], static_secret[32]; ///< the identity's, as X25519
    uint8_t nonce[NONCE_BYTES], ephemeral_key[PUBLIC_KEY_BYTES], ephemeral_secret[32], password_secret[CPACE_BYTES];
    uint8_t server_key[PUBLIC_KEY_BYTES]; ///< from its COOKIE
    uint32_t protocol;
    bool needs_password;              ///< of the server, as its COOKIE says
    bool has_ticket;                  ///< proves it instead of the password, if the server needs one
    uint8_t ticket[NET_TICKET_BYTES]; ///< after an ACCEPT: for the next attempt
    char password[PASSWORD_BYTES];    ///< zeros behind it
    uint8_t join[JOIN_BYTES];         ///< as last written
    uint8_t refusal_key[32];          ///< of a DENY that answers it
    struct noise noise;               ///< after it
};

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
    bool has_share; ///< of CPace: it may bring a password
    struct noise noise;
};

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
/// Returns whether the server has lost this session.
bool handshake_reset_claims(const struct session_grant *grant, const uint8_t *bytes, size_t byte_count);
/// Returns a sentence for the player that says what a denial means and what to do.
const char *handshake_denial_text(enum denial denial);

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
/// reason to refuse it, or DENIAL_NONE; only with DENIAL_NONE is the identity known. With DENIAL_PASSWORD it brings no
/// ticket, and its password has not been tried.
bool handshake_join_read(const struct handshake_server *server, const uint8_t *bytes, struct join *join,
                         enum denial *denial);
/// Tries the password of such a JOIN. False if it is wrong or there is none; otherwise the identity is known.
bool handshake_join_try(const struct handshake_server *server, const uint8_t *bytes, struct join *join);
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
/// Computes the grant of a session from the server's secret key (32 bytes) and the household that has it.
struct session_grant handshake_grant(const uint8_t secret_key[32], struct session_id session, uint64_t household);
/// Writes the answer to a datagram of a session that it does not know.
void handshake_reset_write(const struct session_grant *grant, uint8_t bytes[SESSION_RESET_BYTES]);

#endif
