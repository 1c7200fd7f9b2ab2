// SPDX-License-Identifier: MIT
//
// A browser as this process knows it: DTLS by GnuTLS over the server's UDP port, and inside it an SCTP association by
// usrsctp with one data channel, number 0, which both sides know without being told. Messages there are neither ordered
// nor sent again. A handshake begins only when its address has returned a cookie, because a sender may be forged; the
// question for it is shorter than the packet that it answers, and leaves no state (RFC 6347, 4.2.1).
#ifndef WEBRTC_WEB_PEER_H
#define WEBRTC_WEB_PEER_H

#include <gnutls/dtls.h>

#include "net/webrtc/webrtc_frame.h"

struct socket; // of usrsctp

/// Where frames for the server go.
struct web_output {
    void (*emit)(void *context, const struct webrtc_frame *frame);
    void *context;
};

struct web_peer {
    struct net_address address;
    struct web_output output;
    gnutls_session_t dtls; ///< null: this place is free
    struct socket *sctp;   ///< null: the handshake is not done
    struct web_peer *next; ///< in a list of web_peers.h
    bool is_over;          ///< the browser has left, or did what it may not
    uint64_t begun_ms;
    uint64_t heard_ms;   ///< last genuine record
    uint64_t retry_ms;   ///< when the handshake has to be continued without a packet
    uint64_t arrived_ns; ///< of the packet
    struct {
        const uint8_t *bytes; ///< null: taken
        size_t byte_count;
    } packet;
};

/// Starts usrsctp; once, before everything else.
void web_peer_start(void);
/// What a handshake begins with.
struct web_peer_begin {
    const struct webrtc_frame *packet; ///< the first one
    const gnutls_datum_t *cookie_key;
    const struct web_output *output;
    gnutls_dtls_prestate_st state; ///< the caller leaves it zero
};

/// Returns whether a packet begins a handshake with a right cookie; if it has none, it is asked for one.
bool web_peer_begins(struct web_peer_begin *begin);
/// Begins the handshake with the address of a packet that web_peer_begins(). False without memory.
bool web_peer_open(struct web_peer *peer, struct web_peer_begin *begin, gnutls_certificate_credentials_t own,
                   uint64_t now_ms);
/// Ends it and frees its place.
void web_peer_close(struct web_peer *peer);
/// Takes a DTLS packet from its address.
void web_peer_take(struct web_peer *peer, const struct webrtc_frame *packet, uint64_t now_ms);
/// Sends a message through its data channel; it is lost if that is not open.
void web_peer_send(struct web_peer *peer, const uint8_t *bytes, size_t byte_count);
/// Does what is due, such as sending a lost part of the handshake again.
void web_peer_update(struct web_peer *peer, uint64_t now_ms);

#endif
