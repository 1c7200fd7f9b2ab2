// SPDX-License-Identifier: MIT
//
// Which datagrams of browsers reach deadfall-webrtc, and which of its frames a server believes. The process parses what
// strangers send and may be taken over, so the server itself asks each address for a cookie (RFC 6347, 4.2.1) and keeps
// the addresses that have returned one: only these have a place, and frames of all others are dropped. What goes to an
// address is paid for as in path.h until its handshake is done, since a cookie can be returned again by somebody else.
// If all places are taken, one without a session of the game gives way. No socket; time and bytes are arguments; the
// size is fixed.
#ifndef NET_WEBRTC_FILTER_H
#define NET_WEBRTC_FILTER_H

#include "datagram.h"
#include "path.h"
#include "rate_limit.h"

#define WEBRTC_FILTER_PLACES    512
#define WEBRTC_FILTER_BUCKETS   1024
#define WEBRTC_FILTER_STRANGERS 4096
/// For so long the datagrams of a browser add up, ns: a question and its answer on a slow line.
#define WEBRTC_FILTER_CREDIT_NS 500000000u

/// An address that has returned a cookie.
struct webrtc_place {
    struct net_address address; ///< byte_count 0: this place is free
    struct webrtc_place *next;  ///< in a list of its bucket
    uint64_t household;
    uint64_t begun_ns;
    uint64_t heard_ns;         ///< last datagram
    uint64_t session_ns;       ///< last genuine datagram of a session; 0: none, or it has gone to another place
    struct session_id session; ///< which
    struct path_credit credit; ///< while it is not open
    bool is_open;              ///< its handshake is done
};

/// An address without a place that has sent STUN lately.
struct webrtc_stranger {
    struct net_address address; ///< byte_count 0: none
    struct path_credit credit;
    uint64_t heard_ns;
    uint64_t checked_ns; ///< when a check of it was answered last; 0: never
};

struct webrtc_filter {
    uint8_t key[NET_ADDRESS_COOKIE_KEY_BYTES]; ///< of cookies and buckets
    struct rate_limit_table handshakes;
    struct webrtc_place places[WEBRTC_FILTER_PLACES];
    struct webrtc_place *buckets[WEBRTC_FILTER_BUCKETS];
    struct webrtc_stranger strangers[WEBRTC_FILTER_STRANGERS];
    struct net_address left; ///< had the place that went to the datagram taken last; byte_count 0: nobody
    uint64_t gave_way;       ///< places that went to newcomers
    uint64_t gave_way_of;    ///< the household of the last one; 0: none
    uint64_t refused;        ///< frames of the process that named an address without a place, or with too little credit
};

/// Begins without addresses, with a random key.
void webrtc_filter_init(struct webrtc_filter *filter);
/// Takes a datagram that is STUN or DTLS (webrtc.h). DATAGRAM_DELIVERED: it is for the process; if somebody has `left`,
/// that is to be told before.
enum datagram_outcome webrtc_filter_take(struct webrtc_filter *filter, const struct datagram *datagram,
                                         struct datagram_output *output);
/// Charges a packet that the process wants to send to an address. False, and counted as refused, if it may not go
/// there.
bool webrtc_filter_lets_out(struct webrtc_filter *filter, const struct datagram *packet, const struct net_address *to);
/// Takes note that the process has finished the handshake with an address. One without a place counts as refused.
void webrtc_filter_open(struct webrtc_filter *filter, const struct net_address *address, uint64_t now_ns);
/// Takes note that the process has forgotten an address.
void webrtc_filter_forget(struct webrtc_filter *filter, const struct net_address *address, uint64_t now_ns);
/// Returns whether the server believes a message that the process brings from an address; counts it as refused if not.
bool webrtc_filter_lets_in(struct webrtc_filter *filter, const struct net_address *from, uint64_t now_ns);
/// Takes note that a session has sent a genuine datagram from an address. It keeps this place and no other.
void webrtc_filter_keep(struct webrtc_filter *filter, const struct net_address *from, struct session_id session,
                        uint64_t now_ns);

#endif
