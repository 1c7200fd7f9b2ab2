// SPDX-License-Identifier: MIT
//
// Each link (one client and the server) has two lanes in each direction. What is sent becomes a packet in a heap
// ordered by arrival. A lost reliable packet tries again after a timeout, and one that overtook waits at the end of its
// lane until its turn. All chance comes from one generator, so the same calls give the same network.
#include "memory_network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "sim_packet.h"

#define MILLION       1000000u
#define REORDER_US    100000u
#define RETRY_US_MIN  30000u
#define DEAD_AFTER_US 4000000u // of silence: the connection is lost, as with ENet

struct lane {
    uint32_t sent, delivered;   // reliable packets
    struct sim_packet *waiting; // arrived before their turn, by number
};

enum link_state { LINK_NEW, LINK_OPEN, LINK_CLOSING, LINK_CLOSED };

// One end of a link; the server is the same end of all.
struct end {
    struct transport transport;
    struct memory_network *network;
    struct link *link; // of a client; null for the server
    struct sim_packet_list arrived;
    struct sim_packet *held; // its bytes are those of the last event
    bool deaf;               // closed by its owner
    struct net_totals totals;
};

struct link {
    struct end client;
    enum link_state state;
    bool dead;  // the client's program was killed
    bool known; // the server has a peer number for it
    struct net_client description;
    char refusal[NET_REASON_BYTES]; // why the server did not let it in
    uint32_t peer;                  // that number
    struct lane lanes[2][2];        // by direction, and whether apart
};

struct memory_network {
    struct end server;
    struct impairment impairment;
    bool blocked[2]; // the lanes of this index
    uint64_t now_us, order, random;
    uint32_t peer_capacity;
    struct link **peers; // by peer number; null: free
    struct link **links; // all ever made
    size_t link_count;
    struct sim_packet_store packets;
    struct net_admission admission;
};

static bool chance(struct memory_network *network, uint32_t ppm)
{
    return ppm > 0 && random_next64(&network->random) % MILLION < ppm;
}

// Makes one attempt to deliver: sets when the packet arrives or, if it is lost, when the sender notices.
static void set_out(struct memory_network *network, struct sim_packet *packet)
{
    const struct impairment *with = &network->impairment;
    uint64_t way_us = with->delay_us + (with->jitter_us ? random_next64(&network->random) % (with->jitter_us + 1u) : 0);
    packet->lost = packet->link->dead || network->blocked[packet->to_server] || chance(network, with->loss_ppm);
    if (packet->lost && packet->reliable)
        way_us = RETRY_US_MIN + 2u * ((uint64_t)with->delay_us + with->jitter_us);
    else if (chance(network, with->reorder_ppm))
        way_us += REORDER_US;
    packet->arrival_us = network->now_us + way_us;
    packet->order = network->order++;
    sim_packet_push(&network->packets, packet);
}

static bool post(struct memory_network *network, struct link *link, bool to_server, const struct sim_packet *like,
                 const uint8_t *bytes)
{
    struct sim_packet *packet = sim_packet_new(&network->packets);
    if (!packet)
        return false;
    *packet = (struct sim_packet){.link = link,
                                  .kind = like->kind,
                                  .to_server = to_server,
                                  .reliable = like->reliable,
                                  .apart = like->apart,
                                  .reason = like->reason,
                                  .first_sent_us = network->now_us};
    packet->byte_count = like->byte_count;
    if (bytes)
        memcpy(packet->bytes, bytes, like->byte_count);
    if (packet->reliable)
        packet->number = link->lanes[to_server][packet->apart].sent++;
    struct end *sender = to_server ? &link->client : &network->server;
    sender->totals.packets_out++;
    sender->totals.bytes_out += packet->byte_count;
    set_out(network, packet);
    return true;
}

static void post_signal(struct memory_network *network, struct link *link, bool to_server, enum sim_packet_kind kind,
                        uint32_t reason)
{
    post(network, link, to_server, &(struct sim_packet){.kind = kind, .reliable = true, .reason = reason}, NULL);
}

static void link_close(struct memory_network *network, struct link *link)
{
    link->state = LINK_CLOSED;
    if (link->known)
        network->peers[link->peer] = NULL;
    for (size_t i = 0; i < 4; i++)
        for (struct lane *lane = &link->lanes[i / 2][i % 2]; lane->waiting;) {
            struct sim_packet *next = lane->waiting->next;
            sim_packet_free(&network->packets, lane->waiting);
            lane->waiting = next;
        }
}

static struct end *end_of(struct memory_network *network, struct link *link, bool server)
{
    return server ? &network->server : &link->client;
}

// Reports to an end that the link is gone, with its number there.
static void report_gone(struct memory_network *network, struct link *link, bool server, uint32_t reason)
{
    struct end *end = end_of(network, link, server);
    struct sim_packet *packet = end->deaf || (server && !link->known) ? NULL : sim_packet_new(&network->packets);
    if (!packet)
        return;
    *packet = (struct sim_packet){.kind = SIM_PACKET_GOODBYE, .reason = reason, .number = server ? link->peer : 0};
    sim_packet_list_add(&end->arrived, packet);
}

static void link_die(struct memory_network *network, struct link *link)
{
    if (link->state == LINK_CLOSED)
        return;
    report_gone(network, link, true, 0);
    report_gone(network, link, false, 0);
    link_close(network, link);
}

static bool link_accept(struct memory_network *network, struct link *link)
{
    const struct net_admission *admission = &network->admission;
    if (admission->admits && !admission->admits(admission->context, &link->description, link->refusal))
        return false;
    for (uint32_t i = 0; i < network->peer_capacity; i++) {
        if (!network->peers[i]) {
            network->peers[i] = link;
            link->peer = i;
            link->known = true;
            return true;
        }
    }
    return false;
}

// Delivers a packet that is due. Handles here what is not for the program.
static void deliver(struct memory_network *network, struct sim_packet *packet)
{
    struct link *link = packet->link;
    struct end *end = end_of(network, link, packet->to_server);
    end->totals.packets_in++;
    end->totals.bytes_in += packet->byte_count;
    if (!packet->to_server) { // as if each were also an acknowledgement
        end->totals.round_trips++;
        end->totals.round_trip_us = (uint32_t)(2 * (network->now_us - packet->first_sent_us));
    }
    packet->number = packet->to_server ? link->peer : 0;
    switch (packet->kind) {
    case SIM_PACKET_CONNECT:
        if (!link_accept(network, link)) {
            link_die(network, link);
            break;
        }
        packet->number = link->peer;
        link->state = LINK_OPEN;
        sim_packet_list_add(&end->arrived, packet);
        post_signal(network, link, false, SIM_PACKET_ACCEPT, 0);
        return;
    case SIM_PACKET_GOODBYE:
        report_gone(network, link, !packet->to_server, 0);
        // fall through
    case SIM_PACKET_GOODBYE_NOW:
        report_gone(network, link, packet->to_server, packet->reason);
        link_close(network, link);
        break;
    case SIM_PACKET_ACCEPT:
    case SIM_PACKET_MESSAGE:
        if (end->deaf)
            break;
        sim_packet_list_add(&end->arrived, packet);
        return;
    }
    sim_packet_free(&network->packets, packet);
}

static void deliver_in_order(struct memory_network *network, struct sim_packet *packet)
{
    struct lane *lane = &packet->link->lanes[packet->to_server][packet->apart];
    struct sim_packet **at = &lane->waiting;
    while (*at && (*at)->number < packet->number)
        at = &(*at)->next;
    packet->next = *at;
    *at = packet;
    while (lane->waiting && lane->waiting->number == lane->delivered) {
        struct sim_packet *next = lane->waiting;
        lane->waiting = next->next;
        lane->delivered++;
        deliver(network, next);
    }
}

static void arrive(struct memory_network *network, struct sim_packet *packet)
{
    struct link *link = packet->link;
    bool usable = packet->reliable ? link->state != LINK_CLOSED : link->state == LINK_OPEN && !packet->lost;
    if (!usable) {
        sim_packet_free(&network->packets, packet);
    } else if (!packet->reliable) {
        deliver(network, packet);
    } else if (!packet->lost) {
        deliver_in_order(network, packet);
    } else if (network->now_us - packet->first_sent_us < DEAD_AFTER_US) {
        set_out(network, packet);
    } else {
        sim_packet_free(&network->packets, packet);
        link_die(network, link);
    }
}

void memory_network_advance(struct memory_network *network, uint64_t now_us)
{
    while (network->packets.heap_count > 0 && network->packets.heap[0]->arrival_us <= now_us) {
        struct sim_packet *packet = sim_packet_pop(&network->packets);
        if (packet->arrival_us > network->now_us)
            network->now_us = packet->arrival_us;
        arrive(network, packet);
    }
    if (now_us > network->now_us)
        network->now_us = now_us;
}

static struct end *from(struct transport *transport)
{
    return (struct end *)transport;
}

static struct link *link_of(const struct end *end, uint32_t peer)
{
    if (end->link)
        return peer == 0 ? end->link : NULL;
    return peer < end->network->peer_capacity ? end->network->peers[peer] : NULL;
}

static bool end_poll(struct transport *transport, struct net_event *event)
{
    struct end *self = from(transport);
    if (self->held)
        sim_packet_free(&self->network->packets, self->held);
    self->held = sim_packet_list_take(&self->arrived);
    if (!self->held)
        return false;
    static const enum net_event_kind kinds[] = {
        [SIM_PACKET_MESSAGE] = NET_MESSAGE,          [SIM_PACKET_CONNECT] = NET_CONNECTED,
        [SIM_PACKET_ACCEPT] = NET_CONNECTED,         [SIM_PACKET_GOODBYE] = NET_DISCONNECTED,
        [SIM_PACKET_GOODBYE_NOW] = NET_DISCONNECTED,
    };
    *event =
        (struct net_event){.kind = kinds[self->held->kind],
                           .peer = self->held->number,
                           .reason = self->held->reason,
                           .client = self->held->kind == SIM_PACKET_CONNECT ? &self->held->link->description : NULL,
                           .bytes = self->held->bytes,
                           .byte_count = self->held->byte_count,
                           .age_us = self->held->reliable ? 0 : self->network->now_us - self->held->arrival_us};
    return true;
}

static bool end_send(struct transport *transport, uint32_t peer, enum net_channel channel, const uint8_t *bytes,
                     size_t byte_count)
{
    struct end *self = from(transport);
    struct link *link = link_of(self, peer);
    if (!link || link->state != LINK_OPEN)
        return false;
    struct memory_network *network = self->network;
    struct sim_packet like = {.kind = SIM_PACKET_MESSAGE,
                              .reliable = channel != NET_UNSEQUENCED,
                              .apart = channel == NET_APART,
                              .byte_count = byte_count};
    if (!like.reliable && chance(network, network->impairment.duplicate_ppm))
        post(network, link, self->link != NULL, &like, bytes);
    return post(network, link, self->link != NULL, &like, bytes);
}

static void end_flush(struct transport *transport)
{
    (void)transport;
}

static void end_disconnect(struct transport *transport, uint32_t peer, uint32_t reason, bool now)
{
    struct end *self = from(transport);
    struct link *link = link_of(self, peer);
    if (!link || link->state == LINK_CLOSING || link->state == LINK_CLOSED || (self->link && link->dead))
        return;
    link->state = LINK_CLOSING;
    post_signal(self->network, link, self->link != NULL, now ? SIM_PACKET_GOODBYE_NOW : SIM_PACKET_GOODBYE, reason);
}

static void end_wait(struct transport *transport, uint64_t deadline_ns)
{
    (void)transport;
    (void)deadline_ns;
}

static void end_totals(const struct transport *transport, struct net_totals *totals)
{
    *totals = ((const struct end *)transport)->totals;
}

static uint32_t end_rtt_ms(const struct transport *transport, uint32_t peer)
{
    (void)peer;
    const struct impairment *with = &((const struct end *)transport)->network->impairment;
    return (2 * with->delay_us + with->jitter_us) / 1000;
}

static const char *end_error(const struct transport *transport)
{
    const struct end *self = (const struct end *)transport;
    return self->link ? self->link->refusal : "";
}

static void end_close(struct transport *transport)
{
    struct end *self = from(transport);
    if (self->link)
        end_disconnect(transport, 0, 0, true);
    self->deaf = true;
    for (struct sim_packet *packet; (packet = sim_packet_list_take(&self->arrived));)
        sim_packet_free(&self->network->packets, packet);
}

static const struct transport_table end_table = {
    .poll = end_poll,
    .send = end_send,
    .flush = end_flush,
    .disconnect = end_disconnect,
    .wait = end_wait,
    .totals = end_totals,
    .rtt_ms = end_rtt_ms,
    .error_text = end_error,
    .close = end_close,
};

struct memory_network *memory_network_create(uint64_t seed, const struct impairment *impairment, uint32_t peer_capacity)
{
    struct memory_network *network = calloc(1, sizeof *network);
    struct link **peers = calloc(peer_capacity, sizeof(struct link *));
    if (!network || !peers) {
        free(network);
        free(peers);
        return NULL;
    }
    network->peers = peers;
    network->peer_capacity = peer_capacity;
    network->random = seed;
    network->server = (struct end){.transport = {&end_table}, .network = network};
    memory_network_impair(network, impairment);
    return network;
}

struct transport *memory_network_server(struct memory_network *network)
{
    return &network->server.transport;
}

struct transport *memory_network_client(struct memory_network *network)
{
    return memory_network_client_as(network, 0);
}

void memory_network_kill(struct transport *client)
{
    struct link *link = from(client)->link;
    link->dead = true;
    post_signal(link->client.network, link, false, SIM_PACKET_MESSAGE, 0); // as a ping without an answer
}

void memory_network_block(struct memory_network *network, bool to_server, bool to_clients)
{
    network->blocked[true] = to_server;
    network->blocked[false] = to_clients;
}

void memory_network_admit(struct memory_network *network, const struct net_admission *admission)
{
    network->admission = *admission;
}

struct transport *memory_network_client_as(struct memory_network *network, uint32_t number)
{
    struct link **links = realloc(network->links, (network->link_count + 1) * sizeof(struct link *));
    if (!links)
        return NULL;
    network->links = links;
    struct link *link = calloc(1, sizeof *link);
    if (!link)
        return NULL;
    links[network->link_count++] = link;
    // Given numbers and those of the network begin with different bytes, so they never collide.
    struct net_client *client = &link->description;
    uint32_t own = (uint32_t)network->link_count;
    client->identity[0] = number ? 1 : 2;
    for (size_t i = 0; i < 4; i++)
        client->identity[1 + i] = (uint8_t)((number ? number : own) >> 8 * i);
    client->address = (struct net_address){.bytes = {127, 0, 0, 1, (uint8_t)(own >> 8), (uint8_t)own},
                                           .byte_count = ADDRESS_BYTES_IPV4};
    link->client = (struct end){.transport = {&end_table}, .network = network, .link = link};
    post_signal(network, link, true, SIM_PACKET_CONNECT, 0);
    return &link->client.transport;
}

void memory_network_impair(struct memory_network *network, const struct impairment *impairment)
{
    network->impairment = *impairment;
}

void memory_network_destroy(struct memory_network *network)
{
    if (!network)
        return;
    for (size_t i = 0; i < network->link_count; i++)
        free(network->links[i]);
    free(network->links);
    sim_packet_store_clear(&network->packets);
    free(network->peers);
    free(network);
}
