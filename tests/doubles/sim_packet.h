// SPDX-License-Identifier: MIT
//
// What is under way in the memory network: parcels, a heap of them ordered by arrival, and lists. Parcels are made by
// chunks and used again, so that a network that has seen its busiest moment asks the heap no more.
#ifndef DOUBLES_SIM_PACKET_H
#define DOUBLES_SIM_PACKET_H

#include "net/transport.h"

struct link;

/// What a parcel brings.
enum sim_packet_kind {
    SIM_PACKET_MESSAGE,
    SIM_PACKET_CONNECT, ///< client to server
    SIM_PACKET_ACCEPT,  ///< its answer
    SIM_PACKET_GOODBYE,
    SIM_PACKET_GOODBYE_NOW, ///< whose sender is not told when it has arrived
};

struct sim_packet {
    struct sim_packet *next; ///< in a list: free, waiting or arrived
    uint64_t arrival_us;
    uint64_t order; ///< ties in arrival: as sent
    uint64_t first_sent_us;
    struct link *link;
    enum sim_packet_kind kind;
    bool to_server, reliable, lost; ///< lost: this attempt, not the parcel
    bool apart;                     ///< of a reliable one: on the lane beside
    uint32_t number;                ///< of a reliable one in its lane
    uint32_t reason;
    size_t byte_count;
    uint8_t bytes[NET_MESSAGE_BYTES_MAX];
};

struct sim_packet_list {
    struct sim_packet *first, *last;
};

/// All parcels of a network. Zero-initialise.
struct sim_packet_store {
    struct sim_packet **heap; ///< under way; the first arrives next
    size_t heap_count;
    struct sim_packet *free;
    struct sim_packet **chunks;
    size_t chunk_count;
};

/// Gives a parcel with undefined content. Null when memory is out.
struct sim_packet *sim_packet_new(struct sim_packet_store *store);
/// Takes it back.
void sim_packet_free(struct sim_packet_store *store, struct sim_packet *packet);
/// Puts a parcel under way, by its arrival_us and order.
void sim_packet_push(struct sim_packet_store *store, struct sim_packet *packet);
/// Takes the one that arrives next; there must be one.
struct sim_packet *sim_packet_pop(struct sim_packet_store *store);
/// Adds at the end of a list.
void sim_packet_list_add(struct sim_packet_list *list, struct sim_packet *packet);
/// Takes the first of a list; null if it is empty.
struct sim_packet *sim_packet_list_take(struct sim_packet_list *list);
/// Frees all parcels, wherever they are.
void sim_packet_store_clear(struct sim_packet_store *store);

#endif
