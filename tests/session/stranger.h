// SPDX-License-Identifier: MIT
//
// A client that was written to lie: it joins as the protocol says, with its own few commands of ENet, and then does
// what its kind of lie is, from its own address or in the name of a victim. For tests in the virtual time of
// virtual_udp.h. It knows PROTOCOL.md and ENet's format, and nothing of the server's code.
#ifndef SESSION_STRANGER_H
#define SESSION_STRANGER_H

#include "net/client_session.h"

enum lie {
    LIE_HELLO,       ///< sends HELLOs in a victim's name
    LIE_QUERY,       ///< sends A2S queries in a victim's name
    LIE_UNKNOWN,     ///< sends datagrams of sessions that nobody has, in a victim's name and in its own
    LIE_CHECK,       ///< sends STUN checks in a victim's name
    LIE_DTLS,        ///< the same, and ClientHellos with cookies that it makes up
    LIE_REPLAY,      ///< returns the DTLS cookie of its own address, again and again, and never finishes
    LIE_FORGED_JOIN, ///< sends noise in place of JOINs, behind cookies of its own
    LIE_JOIN_AS,     ///< sends its JOINs in a victim's name
    LIE_HALF_OPEN,   ///< joins, again and again, and never uses a session
    LIE_NO_ENET,     ///< joins, and sends no bytes of ENet that connect
    LIE_SILENT,      ///< connects and says nothing more
    LIE_MUTE,        ///< connects, plays, and acknowledges nothing
    LIE_ANY,         ///< connects and acknowledges what was never sent
    LIE_ROAM,        ///< connects, then sends in a victim's name and acknowledges what it cannot have seen
    LIE_BOUNCE,      ///< the same to and fro between victims and its own address
    LIE_RESTART,     ///< connects, and begins again at once, with another identity and port
    LIE_FILL,        ///< the same, but plays a moment before
    LIE_NONE,        ///< an honest one, to test this test
    LIES,
};

/// Ports of one stranger.
#define STRANGER_PORTS 10000

/// Tells the test that a datagram goes to the server in the name of an address, which has `echoed` what was sent to it
/// if it is the stranger's own.
typedef void stranger_sender(const struct net_address *from, bool echoed, const uint8_t *bytes, size_t byte_count);

/// What a stranger is made of.
struct stranger {
    enum lie lie;
    stranger_sender *send;
    uint32_t household; ///< of its own addresses
    uint32_t port;      ///< lowest of its own addresses; it uses up to STRANGER_PORTS
    uint32_t victim;    ///< household of its victim
    uint32_t per_step;  ///< datagrams that it sends in a step, at most
    bool is_deaf;       ///< to resets: it uses its session on
    uint64_t random;
    struct net_address own;
    struct client_session session;
    bool has_echoed;   ///< its own address has returned a cookie to the server that runs
    bool is_connected; ///< something of the server's ENet has come
    uint8_t cookie[8]; ///< of DTLS
    bool has_cookie;
    uint16_t sequence, acknowledged, messages;
    uint32_t steps;           ///< since it was made
    uint32_t connections;     ///< how often the server's ENet has let it in
    uint32_t connected_steps; ///< since the last of them
};

/// Begins at an address of its household. Lie, sender, households, rate and random state must be set.
void stranger_begin(struct stranger *stranger);
/// Takes a datagram that the server has sent to its own address.
void stranger_take(struct stranger *stranger, const uint8_t *bytes, size_t byte_count);
/// Sends what it sends in a step of 1/60 s.
void stranger_step(struct stranger *stranger);

#endif
