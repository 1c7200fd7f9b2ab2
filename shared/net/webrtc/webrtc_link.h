// SPDX-License-Identifier: MIT
//
// A server's end of the socket pair to its WebRTC process. The UDP socket gives it the STUN and DTLS datagrams of
// browsers, and gets from it what their data channels carry: ordinary encrypted datagrams of the game, from the address
// of the browser. Never waits: what does not fit into the socket pair is lost, as on a network.
#ifndef NET_WEBRTC_LINK_H
#define NET_WEBRTC_LINK_H

#include "webrtc_frame.h"

struct webrtc_link {
    int file;           ///< -1: no process; datagrams for it are dropped
    bool has_ended;     ///< the process has
    uint64_t heard_ns;  ///< when it was given a datagram last; 0: never
    uint64_t forwarded; ///< datagrams that were given to it
    uint64_t dropped;   ///< datagrams and messages that it did not take, or that are malformed
    uint8_t bytes[WEBRTC_FRAME_BYTES_MAX];
};

/// Gives it a datagram that webrtc_frame_claims().
void webrtc_link_forward(struct webrtc_link *link, const struct net_address *from, uint64_t arrived_ns,
                         const uint8_t *bytes, size_t byte_count);
/// Gives it a message for the data channel of an address.
void webrtc_link_send(struct webrtc_link *link, const struct net_address *to, const uint8_t *bytes, size_t byte_count);
/// Takes the next packet or message from it, valid until the next call. False if there is none.
bool webrtc_link_receive(struct webrtc_link *link, struct webrtc_frame *frame);

#endif
