// SPDX-License-Identifier: MIT
//
// What a server and its WebRTC process say to each other: frames over a socket pair. The server gives the process the
// STUN and DTLS datagrams of browsers, and gets from it what their data channels carry: ordinary encrypted datagrams of
// the game, from the address of the browser. The process is not trusted, because it parses what strangers send, so the
// server checks each frame like a datagram (webrtc_filter.h). A system call costs more than a frame, so frames travel
// together. Never waits: what does not fit into the socket pair is lost, as on a network.
#ifndef NET_WEBRTC_H
#define NET_WEBRTC_H

#include "net_address.h"

/// Largest payload, bytes: a datagram on a wire of Ethernet.
#define WEBRTC_PAYLOAD_BYTES_MAX 1500
/// Kind, length of the address, address, time, and length of the payload.
#define WEBRTC_HEAD_BYTES (2 + ADDRESS_BYTES_MAX + 8 + 2)
/// Largest frame, bytes.
#define WEBRTC_FRAME_BYTES_MAX (WEBRTC_HEAD_BYTES + WEBRTC_PAYLOAD_BYTES_MAX)
/// Bytes of the SHA-256 of the certificate, by which a page knows the server.
#define WEBRTC_FINGERPRINT_BYTES 32
/// Letters of it in base64url, with the final zero.
#define WEBRTC_FINGERPRINT_TEXT_BYTES 44

enum webrtc_frame_kind {
    WEBRTC_CREDENTIALS = 1, ///< to the process, first: its key and certificate; empty: it makes them
    WEBRTC_READY,           ///< from the process: the fingerprint, and what to give it at the next start
    WEBRTC_PACKET,          ///< STUN or DTLS as it came from the address, or as it goes there
    WEBRTC_MESSAGE,         ///< a message of the address's data channel, either way
    WEBRTC_FORGET,          ///< either way: the address has no place any more
    WEBRTC_OPEN,            ///< from the process: the handshake with the address is done
};

struct webrtc_frame {
    enum webrtc_frame_kind kind;
    struct net_address address; ///< of all but the first two kinds
    uint64_t arrived_ns;        ///< when the packet came; of a message from the process: the packet that completed it
    const uint8_t *payload;
    size_t byte_count;
};

/// Writes a frame; its payload must fit. Returns its bytes.
size_t webrtc_frame_write(const struct webrtc_frame *frame, uint8_t bytes[WEBRTC_FRAME_BYTES_MAX]);
/// Reads the frame with which bytes begin; its payload is inside them. Returns its bytes; 0 if it is none.
size_t webrtc_frame_read(struct webrtc_frame *frame, const uint8_t *bytes, size_t byte_count);

/// Returns whether a datagram is STUN or DTLS, by RFC 7983: no other datagram of the game begins so.
bool webrtc_frame_claims(const uint8_t *bytes, size_t byte_count);

/// Returns whether a text is the fingerprint of a certificate as links have it.
bool webrtc_frame_is_fingerprint(const char *text);

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
/// Tells the process, in the same way, that an address has no place any more.
void webrtc_link_forget(struct webrtc_link *link, const struct net_address *address);
/// Gives the process a message for the data channel of an address, in the same way.
void webrtc_link_send(struct webrtc_link *link, const struct net_address *to, const uint8_t *bytes, size_t byte_count);
/// Sends what was given.
void webrtc_link_flush(struct webrtc_link *link);
/// Takes the next frame of the other side, valid until the next call; drops WEBRTC_CREDENTIALS and WEBRTC_READY, which
/// come only at the start. False if there is none.
bool webrtc_link_receive(struct webrtc_link *link, struct webrtc_frame *frame);

#endif
