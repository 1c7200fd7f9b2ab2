// SPDX-License-Identifier: MIT
//
// All browsers of this process. A browser gets a place when its address has returned a cookie. If all are taken, or a
// quarter by one household, the oldest handshake there gives way; if there is none, nobody new gets in.
#ifndef WEBRTC_WEB_PEERS_H
#define WEBRTC_WEB_PEERS_H

#include "certificate.h"
#include "web_peer.h"

#define WEB_PEERS_CAPACITY 512
#define WEB_PEERS_BUCKETS  1024

struct web_peers {
    struct web_peer peers[WEB_PEERS_CAPACITY];
    struct web_peer *buckets[WEB_PEERS_BUCKETS]; ///< by address; each begins a list
    struct web_output output;
    gnutls_certificate_credentials_t own;
    gnutls_datum_t cookie_key;
    uint32_t count;
    uint64_t updated_ms;
};

/// Begins without browsers. False without random numbers.
bool web_peers_init(struct web_peers *peers, const struct certificate *certificate, const struct web_output *output,
                    uint64_t now_ms);
/// Takes a packet or a message from the server.
void web_peers_take(struct web_peers *peers, const struct webrtc_frame *frame, uint64_t now_ms);
/// Does what is due, and frees the places of those who have left. To be called every few milliseconds.
void web_peers_update(struct web_peers *peers, uint64_t now_ms);

#endif
