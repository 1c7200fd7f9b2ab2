// SPDX-License-Identifier: MIT
//
// What a server and its WebRTC process say to each other: frames, of which a message of the socket pair between them
// has one or more. The process is not trusted, because it parses what strangers send, so the server checks each frame
// like a datagram.
#ifndef NET_WEBRTC_FRAME_H
#define NET_WEBRTC_FRAME_H

#include "net/net_address.h"

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
};

struct webrtc_frame {
    enum webrtc_frame_kind kind;
    struct net_address address; ///< of a packet or a message
    uint64_t arrived_ns;        ///< when the packet came; of a message from the process: the packet that completed it
    const uint8_t *payload;
    size_t byte_count;
};

/// Writes a frame whose payload fits. Returns its bytes.
size_t webrtc_frame_write(const struct webrtc_frame *frame, uint8_t bytes[WEBRTC_FRAME_BYTES_MAX]);
/// Reads the frame with which bytes begin; its payload is inside them. Returns its bytes; 0 if it is none.
size_t webrtc_frame_read(struct webrtc_frame *frame, const uint8_t *bytes, size_t byte_count);

/// Returns whether a datagram is STUN or DTLS, by RFC 7983: no other datagram of the game begins so.
bool webrtc_frame_claims(const uint8_t *bytes, size_t byte_count);

/// Returns whether a text is the fingerprint of a certificate as links have it.
bool webrtc_frame_is_fingerprint(const char *text);

#endif
