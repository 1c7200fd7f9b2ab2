// SPDX-License-Identifier: MIT
//
// Where a session's client is, and how many bytes may go there. A session follows its client to another address at
// once, but an address gets at most three times the bytes that have come from it until it has echoed a random token
// (RFC 9000, sections 8.2 and 9.3). So a client with a forged sender cannot turn the server against somebody else. An
// address is IP and port. No socket; time and bytes are arguments.
#ifndef NET_PATH_H
#define NET_PATH_H

#include "datagram.h"

#define PATH_TOKEN_BYTES   8
#define PATH_MESSAGE_BYTES (1 + PATH_TOKEN_BYTES)
/// How long a client has to echo a token, ns; then its session goes back to the address that is proven.
#define PATH_NS_MAX 3000000000u
/// Time between two challenges, ns.
#define PATH_CHALLENGE_NS 100000000u
/// Bytes to an address for each byte from it, until it is proven.
#define PATH_FACTOR 3u
/// For so long bytes of a session's new address add up, ns.
#define PATH_CREDIT_NS 100000000u

/// First byte of a path message. No datagram of ENet begins so: bit 6 would say that it is compressed.
enum path_message { PATH_CHALLENGE = 0x40, PATH_RESPONSE = 0x41 };

/// What may still go to an address that is not proven. What was saved up is lost after a moment, so that little
/// datagrams pay for no burst.
struct path_credit {
    uint32_t byte_count;
    uint64_t since_ns; ///< when the first of the datagrams came that paid for them
};

struct path {
    struct net_address proven; ///< has echoed a token; at first the sender of the JOIN, whose token is the cookie
    struct net_address now;    ///< where the client is
    uint8_t token[PATH_TOKEN_BYTES];
    struct path_credit credit;
    uint64_t challenged_ns; ///< when the next challenge may go
    uint64_t end_ns;        ///< when the time for the echo is over
};

/// Adds what a datagram pays for. Datagrams add up for `life_ns`; twice as long after the first of them, what they have
/// paid for expires.
void path_credit_add(struct path_credit *credit, size_t byte_count, uint64_t life_ns, uint64_t now_ns);
/// Charges so many bytes. False if they are not paid for.
bool path_credit_take(struct path_credit *credit, size_t byte_count, uint64_t life_ns, uint64_t now_ns);

/// Begins at an address that is proven.
void path_init(struct path *path, const struct net_address *proven);
/// Takes note of a genuine datagram. `newest`: the client is where it came from.
void path_receive(struct path *path, const struct datagram *datagram, bool newest);
/// Finds where to send so many bytes, and charges them. False if the address has not sent enough.
bool path_spend(struct path *path, size_t byte_count, uint64_t now_ns, struct net_address *to);
/// Writes the challenge that is due. False if none is.
bool path_challenge(struct path *path, uint64_t now_ns, uint8_t message[PATH_MESSAGE_BYTES]);
/// Takes a decrypted datagram of the client. True if it was a response, and not for ENet; the right one from the right
/// address proves the address.
bool path_take_response(struct path *path, const struct net_address *from, const uint8_t *bytes, size_t byte_count);

/// Client: turns a challenge into its response. False if it is not a challenge.
bool path_answer(uint8_t *bytes, size_t byte_count);

#endif
