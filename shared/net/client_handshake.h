// SPDX-License-Identifier: MIT
//
// The client's end of a session, from the first HELLO on: what to send when, what an answer means, and whether the
// server is the one that was meant. A fingerprint given with the address must match; without one the server is
// believed at first sight and remembered. No socket; time and bytes are arguments.
#ifndef NET_CLIENT_HANDSHAKE_H
#define NET_CLIENT_HANDSHAKE_H

#include "handshake.h"
#include "identity.h"
#include "transport.h"

enum client_handshake_state {
    CLIENT_HANDSHAKE_HELLO,   ///< sends HELLO
    CLIENT_HANDSHAKE_JOIN,    ///< sends JOIN
    CLIENT_HANDSHAKE_OPEN,    ///< has keys
    CLIENT_HANDSHAKE_REFUSED, ///< see `error`
};

struct client_handshake {
    struct handshake_client attempt;
    struct packet_crypto crypto;
    enum client_handshake_state state;
    uint16_t session;
    uint64_t next_ns;                         ///< when to send again
    uint32_t join_count;                      ///< JOINs sent on this cookie
    char password[JOIN_SECRET_BYTES + 1];     ///< empty: none
    struct net_ticket *ticket;                ///< the caller's, of earlier sessions; null: keeps none
    uint8_t seed[32];                         ///< of the identity
    char server_name[300];                    ///< "host:port", as the list knows it
    char known_servers_path[512];             ///< path of the list of known servers; empty: keeps none
    char fingerprint[FINGERPRINT_TEXT_BYTES]; ///< empty: any
    struct error error;                       ///< why it was refused
    enum denial denial;                       ///< what the server gave as its reason, if it was the server
};

/// Begins; the texts, ticket and seed must be set. `now_ns`: the first HELLO is due.
void client_handshake_begin(struct client_handshake *handshake, uint32_t protocol, const char *password,
                            uint64_t now_ns);
/// Writes what is due to be sent into `out` (HELLO_BYTES). 0: nothing.
size_t client_handshake_due(struct client_handshake *handshake, uint64_t now_ns, uint8_t out[HELLO_BYTES]);
/// Takes a datagram from the server: DATAGRAM_DELIVERED, or DATAGRAM_CONSUMED for all else.
enum datagram_outcome client_handshake_take(struct client_handshake *handshake, const struct datagram *datagram,
                                            struct datagram_output *output);

#endif
