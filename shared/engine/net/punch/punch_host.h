// SPDX-License-Identifier: MIT
//
// A server's side of hole punching: keeps its router open towards the directories that list it, and sends something to
// each client that one of them says is coming, so that the router lets the client in. It believes only a directory that
// it announces itself to, at that directory's address and under a key that nobody else has, and each expectation once.
// No socket; time and bytes are arguments.
#ifndef NET_PUNCH_HOST_H
#define NET_PUNCH_HOST_H

#include "net/datagram.h"
#include "net/rate_limit.h"
#include "punch_packet.h"

/// Directories, over IPv4 and IPv6 each for itself.
#define PUNCH_HOST_DIRECTORIES_MAX 16
/// Clients that are expected at a time.
#define PUNCH_HOST_CLIENTS_MAX 64
/// How often the server registers, ns: routers forget after 30 s at the earliest.
#define PUNCH_HOST_PERIOD_NS 15000000000u

/// A directory that introduces clients.
struct punch_host_directory {
    struct net_address address; ///< of its UDP port
    uint8_t key[PUNCH_PACKET_KEY_BYTES];
};

/// Zero-initialise it: it has no directories then.
struct punch_host {
    uint8_t fingerprint[FINGERPRINT_TEXT_BYTES - 1], nonce[8];
    uint32_t count;
    struct punch_host_row {
        struct punch_host_directory directory;
        struct net_address second; ///< its second port; byte_count 0: not known
        struct net_address seen;   ///< where the directory sees the server
        uint8_t cookie[8];
        bool asks_second, varies;
        uint32_t unanswered;
        uint64_t due_ns, again_ns; ///< when to register, and from when on a challenge is answered at once
        uint64_t number;           ///< of the last expectation
    } rows[PUNCH_HOST_DIRECTORIES_MAX];
    struct punch_host_client {
        struct net_address to;
        uint8_t nonce[8];
        uint32_t left; ///< datagrams
        uint64_t due_ns;
    } clients[PUNCH_HOST_CLIENTS_MAX];
    struct rate_limit expectations;
    uint64_t expected, refused; ///< clients; what was forged, repeated or too much
};

/// Begins with the fingerprint of the server's key.
void punch_host_init(struct punch_host *host, const char *fingerprint);
/// Sets the directories, at most PUNCH_HOST_DIRECTORIES_MAX. Those that stay keep what is known of them.
void punch_host_set(struct punch_host *host, const struct punch_host_directory *directories, uint32_t count,
                    uint64_t now_ns);
/// Writes the datagram that is due now. Returns its bytes; 0: none. Call until it returns 0.
size_t punch_host_due(struct punch_host *host, uint64_t now_ns, struct net_address *to,
                      uint8_t bytes[PUNCH_PACKET_BYTES_MAX]);
/// Takes a datagram. DATAGRAM_REJECTED if it is from no directory, or forged.
enum datagram_outcome punch_host_take(struct punch_host *host, const struct datagram *datagram);

#endif
