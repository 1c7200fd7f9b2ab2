// SPDX-License-Identifier: MIT
#include "enet_peers.h"

#include <stdlib.h>

#include "base/clock.h"

bool enet_peers_open(struct enet_peers *peers, uint32_t capacity)
{
    peers->of = calloc(capacity, sizeof *peers->of);
    peers->of_session = calloc(capacity, sizeof *peers->of_session);
    peers->capacity = capacity;
    return peers->of && peers->of_session;
}

void enet_peers_close(struct enet_peers *peers)
{
    free(peers->of);
    free(peers->of_session);
}

static uint32_t now_ms(void)
{
    return (uint32_t)(clock_now_ns() / CLOCK_MS_NS);
}

void enet_peers_hear(struct enet_peers *peers, uint32_t number)
{
    peers->of[number].heard_ms = now_ms();
}

// ENet has no peer of this number any more, so its session ends.
static void end_session(struct enet_peers *peers, uint32_t index)
{
    if (peers->of[index].session.generation != 0)
        secure_socket_end(peers->socket, peers->of[index].session);
    peers->of[index].session.generation = 0;
}

bool enet_peers_connect(struct enet_peers *peers, struct session_id session, uint32_t rtt_ms,
                        uint8_t answer[ENET_ADAPTER_ANSWER_BYTES])
{
    uint32_t index;
    if (!enet_adapter_connect(peers->enet, session, rtt_ms, &index, answer)) {
        secure_socket_end(peers->socket, session);
        return false;
    }
    end_session(peers, index);
    peers->of[index] = (struct enet_peer){.session = session, .heard_ms = now_ms()};
    peers->of_session[session.index] = (uint16_t)index;
    return true;
}

enum enet_adapter_state enet_peers_find(const struct enet_peers *peers, struct session_id session, uint32_t *number)
{
    *number = peers->of_session[session.index];
    struct enet_adapter_peer peer = enet_adapter_peer(peers->enet, *number);
    bool is_its = peer.session.index == session.index && peer.session.generation == session.generation;
    return is_its ? peer.state : ENET_ADAPTER_FREE;
}

bool enet_peers_is_gone(struct enet_peer *peer, const struct enet_adapter_oldest *oldest, uint32_t now_ms)
{
    bool gone = now_ms - peer->heard_ms >= ENET_PEERS_SILENCE_MS;
    for (uint32_t i = 0; i < ENET_ADAPTER_CHANNELS; i++) {
        bool still_waits = oldest->waits[i] && peer->oldest.waits[i] && oldest->number[i] == peer->oldest.number[i];
        if (!still_waits)
            peer->oldest_ms[i] = now_ms;
        gone |= now_ms - peer->oldest_ms[i] >= ENET_PEERS_AGE_MS;
    }
    peer->oldest = *oldest;
    return gone;
}

bool enet_peers_check(struct enet_peers *peers, struct net_event *event)
{
    uint64_t now_ns = clock_now_ns();
    uint32_t ms = (uint32_t)(now_ns / CLOCK_MS_NS);
    for (uint32_t i = 0; i < peers->capacity; i++) {
        struct enet_peer *peer = &peers->of[i];
        if (peer->session.generation == 0)
            continue;
        enum enet_adapter_state state = enet_adapter_peer(peers->enet, i).state;
        if (state == ENET_ADAPTER_FREE) {
            end_session(peers, i);
            continue;
        }
        enet_adapter_bound_retries(peers->enet, i, ms);
        if (state == ENET_ADAPTER_ENDED)
            continue;
        struct enet_adapter_oldest oldest = enet_adapter_oldest(peers->enet, i);
        bool has_session =
            !peers->socket->is_server || session_table_has(&peers->socket->sessions, peer->session, now_ns);
        if (!enet_peers_is_gone(peer, &oldest, ms) && has_session)
            continue;
        enet_adapter_reset(peers->enet, i);
        end_session(peers, i);
        *event = (struct net_event){.kind = NET_DISCONNECTED, .peer = i};
        if (state == ENET_ADAPTER_CONNECTED || state == ENET_ADAPTER_LEAVING)
            return true; // the caller has lost it
    }
    return false;
}

static struct enet_trip *find_trip(struct enet_trips *trips, uint16_t ms)
{
    for (size_t i = 0; i < ENET_PEERS_TRIPS; i++)
        if (trips->sent[i].at_ns != 0 && trips->sent[i].ms == ms)
            return &trips->sent[i];
    return NULL;
}

void enet_peers_sent(struct enet_trips *trips, uint16_t ms, uint64_t now_ns)
{
    if (!find_trip(trips, ms))
        trips->sent[trips->next++ % ENET_PEERS_TRIPS] = (struct enet_trip){ms, now_ns};
}

void enet_peers_acknowledged(struct enet_trips *trips, uint16_t ms, uint64_t arrived_ns)
{
    struct enet_trip *sent = find_trip(trips, ms);
    if (!sent || arrived_ns < sent->at_ns)
        return;
    uint64_t took_us = (arrived_ns - sent->at_ns) / 1000;
    sent->at_ns = 0;
    trips->count++;
    trips->newest_us = took_us < UINT32_MAX ? (uint32_t)took_us : UINT32_MAX;
}
