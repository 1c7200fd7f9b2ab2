// SPDX-License-Identifier: MIT
#include "web_peers.h"

#include <usrsctp.h>

#include "base/hash.h"
#include "net/household.h"
#include "stun.h"

#define OF_HOUSEHOLD_MAX (WEB_PEERS_CAPACITY / 4)
#define STUN_FIRST_MAX   3

bool web_peers_init(struct web_peers *peers, const struct certificate *certificate, const struct web_output *output,
                    uint64_t now_ms)
{
    *peers = (struct web_peers){.output = *output, .own = certificate->credentials, .updated_ms = now_ms};
    for (size_t i = 0; i < WEB_PEERS_CAPACITY; i++)
        peers->peers[i].output = *output;
    web_peer_start();
    return gnutls_key_generate(&peers->cookie_key, GNUTLS_COOKIE_KEY_SIZE) == 0;
}

static struct web_peer **bucket_of(struct web_peers *peers, const struct net_address *address)
{
    uint32_t hash = hash_crc32(address->bytes, address->byte_count);
    return &peers->buckets[hash % WEB_PEERS_BUCKETS];
}

// Returns what points to the peer of an address; to null if it has none.
static struct web_peer **find_link(struct web_peers *peers, const struct net_address *address)
{
    struct web_peer **link = bucket_of(peers, address);
    while (*link && !net_address_equals(&(*link)->address, address))
        link = &(*link)->next;
    return link;
}

static struct web_peer *find(struct web_peers *peers, const struct net_address *address)
{
    return *find_link(peers, address);
}

static void answer_check(struct web_peers *peers, const struct webrtc_frame *check)
{
    uint8_t answer[STUN_ANSWER_BYTES_MAX];
    size_t byte_count = stun_answer(&check->address, check->payload, check->byte_count, answer);
    if (byte_count > 0)
        peers->output.emit(peers->output.context,
                           &(struct webrtc_frame){WEBRTC_PACKET, check->address, 0, answer, byte_count});
}

static void end(struct web_peers *peers, struct web_peer *peer)
{
    *find_link(peers, &peer->address) = peer->next;
    web_peer_close(peer);
    peers->count--;
}

// Returns the place that a newcomer may have; null if there is none.
static struct web_peer *find_place(struct web_peers *peers, const struct net_address *address)
{
    struct web_peer *unused = NULL, *oldest = NULL, *oldest_there = NULL;
    uint64_t household = household_of(address);
    uint32_t there = 0;
    for (struct web_peer *peer = peers->peers; peer < peers->peers + WEB_PEERS_CAPACITY; peer++) {
        bool is_of_household = peer->dtls && household_of(&peer->address) == household;
        bool gives_way = peer->dtls && !peer->sctp;
        there += is_of_household;
        if (!peer->dtls)
            unused = peer;
        if (gives_way && (!oldest || peer->begun_ms < oldest->begun_ms))
            oldest = peer;
        if (gives_way && is_of_household && (!oldest_there || peer->begun_ms < oldest_there->begun_ms))
            oldest_there = peer;
    }
    struct web_peer *place = there >= OF_HOUSEHOLD_MAX ? oldest_there : unused ? unused : oldest;
    if (place && place->dtls)
        end(peers, place);
    return place;
}

static struct web_peer *open_peer(struct web_peers *peers, const struct webrtc_frame *packet, uint64_t now_ms)
{
    struct web_peer_begin begin = {.packet = packet, .cookie_key = &peers->cookie_key, .output = &peers->output};
    struct web_peer *place = web_peer_begins(&begin) ? find_place(peers, &packet->address) : NULL;
    if (!place || !web_peer_open(place, &begin, peers->own, now_ms))
        return NULL;
    struct web_peer **bucket = bucket_of(peers, &place->address);
    place->next = *bucket;
    *bucket = place;
    peers->count++;
    return place;
}

static void take_dtls(struct web_peers *peers, const struct webrtc_frame *packet, uint64_t now_ms)
{
    struct web_peer *peer = find(peers, &packet->address);
    if (!peer)
        peer = open_peer(peers, packet, now_ms);
    if (!peer)
        return;
    web_peer_take(peer, packet, now_ms);
    if (peer->is_over)
        end(peers, peer);
}

void web_peers_take(struct web_peers *peers, const struct webrtc_frame *frame, uint64_t now_ms)
{
    struct web_peer *peer = frame->kind == WEBRTC_MESSAGE ? find(peers, &frame->address) : NULL;
    if (peer)
        web_peer_send(peer, frame->payload, frame->byte_count);
    if (frame->kind != WEBRTC_PACKET)
        return;
    if (frame->payload[0] <= STUN_FIRST_MAX)
        answer_check(peers, frame);
    else
        take_dtls(peers, frame, now_ms);
}

void web_peers_update(struct web_peers *peers, uint64_t now_ms)
{
    usrsctp_handle_timers((uint32_t)(now_ms - peers->updated_ms));
    peers->updated_ms = now_ms;
    for (size_t i = 0; i < WEB_PEERS_CAPACITY && peers->count > 0; i++) {
        struct web_peer *peer = &peers->peers[i];
        if (peer->dtls)
            web_peer_update(peer, now_ms);
        if (peer->dtls && peer->is_over)
            end(peers, peer);
    }
}
