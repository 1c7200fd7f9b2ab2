// SPDX-License-Identifier: MIT
//
// A client's side of hole punching: asks a directory to let a server expect it, learns where the server is, and says
// what stood in the way if nobody comes through. No socket; time and bytes are arguments.
#ifndef NET_PUNCH_CLIENT_H
#define NET_PUNCH_CLIENT_H

#include "net/datagram.h"
#include "net/webrtc/webrtc_frame.h"
#include "punch_packet.h"

/// Zero-initialised it asks nobody.
struct punch_client {
    bool is_on;
    struct net_address directory; ///< its UDP port
    struct net_address second;    ///< its second port; byte_count 0: not known
    struct net_address seen;      ///< where the directory sees this client
    uint8_t fingerprint[FINGERPRINT_TEXT_BYTES - 1], nonce[8], cookie[8];
    uint64_t due_ns, again_ns; ///< when to ask, and from when on a challenge is answered at once
    bool asks_second;
    bool is_answered, is_introduced, is_opened; ///< by the directory; to the server; the server has reached the client
    bool varies, server_varies;                 ///< the router here, and there, has another port for each destination
};

/// Begins to ask a directory for the server with a fingerprint.
void punch_client_begin(struct punch_client *client, const struct net_address *directory, const char *fingerprint,
                        uint64_t now_ns);
/// Writes the datagram that is due now. Returns its bytes; 0: none.
size_t punch_client_due(struct punch_client *client, uint64_t now_ns, struct net_address *to,
                        uint8_t bytes[PUNCH_PACKET_BYTES_MAX]);
/// Takes a datagram. True if it says where the server is.
bool punch_client_take(struct punch_client *client, const struct datagram *datagram, struct net_address *server);
/// Returns why nobody came through and what to do, as a sentence for the player; "" if no directory was asked.
const char *punch_client_failure(const struct punch_client *client);

/// How to join a server: its key, its certificate for browsers, and the directory that introduces clients to it.
struct punch_client_route {
    char fingerprint[FINGERPRINT_TEXT_BYTES];
    char certificate[WEBRTC_FINGERPRINT_TEXT_BYTES]; ///< empty: none is known
    char host[256];                                  ///< of the directory; empty: the server is reached directly
    uint16_t port;                                   ///< UDP
};

/// Reads KEY[.CERTIFICATE][@HOST:PORT], as it stands behind the # of an invitation. False for anything else.
bool punch_client_read_route(const char *text, struct punch_client_route *route);

#endif
