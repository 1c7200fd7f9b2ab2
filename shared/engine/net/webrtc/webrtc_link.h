// SPDX-License-Identifier: MIT
//
// One end of the socket pair between a server and its WebRTC process. The server gives the process the STUN and DTLS
// datagrams of browsers, and gets from it what their data channels carry: ordinary encrypted datagrams of the game,
// from the address of the browser. A system call costs more than a frame, so frames travel together. Never waits: what
// does not fit into the socket pair is lost, as on a network.
#ifndef NET_WEBRTC_LINK_H
#define NET_WEBRTC_LINK_H

#include "webrtc_frame.h"

/// Most bytes of frames that travel together.
#define WEBRTC_BATCH_BYTES 65536

/// Frames on their way, one after another.
struct webrtc_batch {
    size_t byte_count;
    size_t at;       ///< where the next one to be taken begins
    unsigned frames; ///< to be sent
    uint8_t bytes[WEBRTC_BATCH_BYTES];
};

struct webrtc_link {
    int file;           ///< -1: no process; datagrams for it are dropped
    bool has_ended;     ///< the other side has
    uint64_t heard_ns;  ///< when the process was given a datagram last; 0: never
    uint64_t forwarded; ///< datagrams that were given to it
    uint64_t dropped;   ///< frames that the other side did not take, and messages of it with a malformed one
    struct webrtc_batch in, out;
};

/// Gives the other side a frame with the next webrtc_link_flush(), or before if there is no room for more.
void webrtc_link_give(struct webrtc_link *link, const struct webrtc_frame *frame);
/// Gives the process a datagram that webrtc_frame_claims(), in the same way.
void webrtc_link_forward(struct webrtc_link *link, const struct net_address *from, uint64_t arrived_ns,
                         const uint8_t *bytes, size_t byte_count);
/// Gives the process a message for the data channel of an address, in the same way.
void webrtc_link_send(struct webrtc_link *link, const struct net_address *to, const uint8_t *bytes, size_t byte_count);
/// Sends what was given.
void webrtc_link_flush(struct webrtc_link *link);
/// Takes the next packet or message of the other side, valid until the next call. False if there is none.
bool webrtc_link_receive(struct webrtc_link *link, struct webrtc_frame *frame);

#endif
