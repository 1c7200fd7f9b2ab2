// SPDX-License-Identifier: MIT
//
// The client's end of a session, from the first HELLO on: what to send and when, what an answer means, and whether the
// server is the expected one. A fingerprint that was given with the address must match; without one the server is
// trusted on first use and remembered, unless it asks for no password although one was given. No socket; time and bytes
// are arguments.
#ifndef NET_CLIENT_SESSION_H
#define NET_CLIENT_SESSION_H

#include "crypto/handshake.h"
#include "crypto/identity.h"
#include "crypto/known_servers.h"
#include "transport.h"

enum client_session_state {
    CLIENT_SESSION_HELLO,   ///< sends HELLO
    CLIENT_SESSION_JOIN,    ///< sends JOIN
    CLIENT_SESSION_OPEN,    ///< has keys
    CLIENT_SESSION_REFUSED, ///< see `error`
    CLIENT_SESSION_RESET,   ///< the server has lost the session
};

struct client_session {
    struct handshake_client attempt;
    struct packet_crypto crypto;
    enum client_session_state state;
    struct session_grant grant;
    uint64_t next_ns;                  ///< when to send again
    uint64_t asked_ns;                 ///< when this attempt sent its first HELLO; 0: not yet
    uint64_t joined_ns;                ///< when it sent its first JOIN
    uint64_t round_trip_ns;            ///< how long the server took to answer: the shorter of both times
    uint32_t join_count;               ///< JOINs sent on this cookie
    uint32_t joins_max;                ///< then another attempt begins
    char password[PASSWORD_BYTES + 1]; ///< empty: none
    struct net_ticket *ticket;         ///< the caller's, of earlier sessions; null: keeps none
    char *proven;                      ///< the caller's: gets the fingerprint of a server that has proven it; or null
    uint8_t seed[32];                  ///< of the identity
    char server_name[KNOWN_SERVERS_NAME_BYTES];
    char known_servers_path[512];             ///< empty: keeps no list
    char fingerprint[FINGERPRINT_TEXT_BYTES]; ///< empty: any
    char claimed[FINGERPRINT_TEXT_BYTES];     ///< unless one is given: what a list of servers says; empty: nothing
    struct error unexpected;                  ///< why the server that answered is not the expected one
    uint64_t unexpected_ns;                   ///< when it first answered; 0: never
    struct error error;                       ///< why it was refused
    enum denial denial;                       ///< what the server gave as its reason, if it was the server
};

/// Begins to join; the other texts, the ticket and the seed must be set. The first HELLO is due at `now_ns`.
void client_session_begin(struct client_session *session, uint32_t protocol, const char *password, uint64_t now_ns);
/// Writes the datagram that is due now. Returns its bytes; 0 if none is due.
size_t client_session_due(struct client_session *session, uint64_t now_ns, uint8_t out[HELLO_BYTES]);
/// Takes a datagram from the server. Returns DATAGRAM_DELIVERED for one of the session, DATAGRAM_ANSWERED for a
/// challenge that must be echoed, DATAGRAM_CONSUMED for any other.
enum datagram_outcome client_session_take(struct client_session *session, const struct datagram *datagram,
                                          struct datagram_output *output);

#endif
