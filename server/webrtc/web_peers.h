// SPDX-License-Identifier: MIT
//
// The browsers of this process: DTLS by GnuTLS over the server's UDP port, and inside it an SCTP association by usrsctp
// with one data channel, number 0, which both sides know without being told. Messages there are neither ordered nor
// sent again. The server has asked who begins a handshake for a cookie, and says who gives way when all places are
// taken (net/webrtc_filter.h). A flight of a handshake is sent again only when the browser repeats its own: an address
// that is silent gets nothing. Alerts that are not encrypted are dropped, because anybody may have sent them (RFC 6347,
// 4.1.2.7).
// A browser knows the server by its certificate: a page compares the SHA-256 with the one in the link, so it needs no
// authority and no end. It has a P-256 key of its own, because browsers accept no Ed25519 here. The server keeps both
// beside its key, so links stay valid; their bytes mean nothing to it.
#ifndef WEBRTC_WEB_PEERS_H
#define WEBRTC_WEB_PEERS_H

#include <gnutls/dtls.h>

#include "net/webrtc.h"
#include "net/webrtc_filter.h"

#define WEB_PEERS_CAPACITY WEBRTC_FILTER_PLACES
#define WEB_PEERS_BUCKETS  1024

struct socket; // of usrsctp

/// Records of a flight of a handshake. They travel in one datagram, because a browser that gets only some of them no
/// longer repeats its own.
struct web_flight {
    uint8_t bytes[WEBRTC_PAYLOAD_BYTES_MAX];
    size_t byte_count;
};

/// Where frames for the server go.
struct web_output {
    void (*emit)(void *context, const struct webrtc_frame *frame);
    void *context;
};

struct web_peer {
    struct net_address address;
    struct web_output output;
    struct web_flight *flight; ///< of all
    gnutls_session_t dtls;     ///< null: this place is free
    struct socket *sctp;       ///< null: the handshake is not done
    struct web_peer *next;     ///< in a list of its bucket
    bool is_over;              ///< the browser has left, or did what it may not
    uint64_t begun_ms;
    uint64_t heard_ms;   ///< last genuine record
    uint64_t arrived_ns; ///< of the packet
    struct {
        const uint8_t *bytes; ///< null: taken
        size_t byte_count;
    } packet;
};

struct web_certificate {
    gnutls_certificate_credentials_t credentials;
    uint8_t ready[WEBRTC_PAYLOAD_BYTES_MAX]; ///< fingerprint, then what to keep: the payload of WEBRTC_READY
    size_t ready_bytes;
};

struct web_peers {
    struct web_peer peers[WEB_PEERS_CAPACITY];
    struct web_peer *buckets[WEB_PEERS_BUCKETS]; ///< by address; each begins a list
    struct web_output output;
    struct web_flight flight;
    gnutls_certificate_credentials_t own;
    uint32_t count;
    uint64_t updated_ms;
};

/// Takes what was kept, or makes a new key and certificate if that is empty or not usable. False without memory or
/// random numbers.
bool web_peers_certify(struct web_certificate *certificate, const uint8_t *kept, size_t byte_count);
/// Begins without browsers.
void web_peers_init(struct web_peers *peers, const struct web_certificate *certificate, const struct web_output *output,
                    uint64_t now_ms);
/// Takes a packet or a message from the server.
void web_peers_take(struct web_peers *peers, const struct webrtc_frame *frame, uint64_t now_ms);
/// Does what is due, and frees the places of those who have left. To be called every few milliseconds.
void web_peers_update(struct web_peers *peers, uint64_t now_ms);

#endif
