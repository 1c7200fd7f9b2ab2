// SPDX-License-Identifier: MIT
//
// Packets on their way in the memory network: a heap ordered by arrival, and lists. Packets are allocated in chunks and
// reused, so that a network allocates nothing more after its busiest moment.
#ifndef DOUBLES_SIM_PACKET_H
#define DOUBLES_SIM_PACKET_H

#include "net/transport.h"

struct link;

/// What a packet brings.
enum sim_packet_kind {
    SIM_PACKET_MESSAGE,
    SIM_PACKET_CONNECT, ///< client to server
    SIM_PACKET_ACCEPT,  ///< its answer
    SIM_PACKET_GOODBYE,
    SIM_PACKET_GOODBYE_NOW, ///< its arrival is not reported to its sender
};

struct sim_packet {
    struct sim_packet *next; ///< in a list: free, waiting or arrived
    uint64_t arrival_us;
    uint64_t order; ///< ties in arrival: as sent
    uint64_t first_sent_us;
    struct link *link;
    enum sim_packet_kind kind;
    bool to_server, reliable, lost; ///< lost: this attempt, not the packet
    bool apart;                     ///< of a reliable one: on the lane beside
    uint32_t number;                ///< of a reliable one in its lane
    uint32_t reason;
    size_t byte_count;
    uint8_t bytes[NET_MESSAGE_BYTES_MAX];
};

struct sim_packet_list {
    struct sim_packet *first, *last;
};

/// All packets of a network. Zero-initialise.
struct sim_packet_store {
    struct sim_packet **heap; ///< under way; the first arrives next
    size_t heap_count;
    struct sim_packet *free;
    struct sim_packet **chunks;
    size_t chunk_count;
};

/// Returns a packet with undefined content. Null if memory runs out.
struct sim_packet *sim_packet_new(struct sim_packet_store *store);
/// Frees it for the next use.
void sim_packet_free(struct sim_packet_store *store, struct sim_packet *packet);
/// Sends a packet, to arrive by its arrival_us and order.
void sim_packet_push(struct sim_packet_store *store, struct sim_packet *packet);
/// Takes the one that arrives next; there must be one.
struct sim_packet *sim_packet_pop(struct sim_packet_store *store);
/// Adds at the end of a list.
void sim_packet_list_add(struct sim_packet_list *list, struct sim_packet *packet);
/// Takes the first of a list; null if it is empty.
struct sim_packet *sim_packet_list_take(struct sim_packet_list *list);
/// Frees all packets.
void sim_packet_store_clear(struct sim_packet_store *store);

#endif
