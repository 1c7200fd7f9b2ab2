// SPDX-License-Identifier: MIT
//
// What is under way in the memory network: parcels, a heap of them ordered by arrival, and lists. Parcels are made by
// chunks and used again, so that a network that has seen its busiest moment asks the heap no more.
#ifndef NET_PARCEL_H
#define NET_PARCEL_H

#include "transport.h"

struct link;

/// What a parcel brings.
enum parcel_kind {
    PARCEL_MESSAGE,
    PARCEL_CONNECT, ///< client to server
    PARCEL_ACCEPT,  ///< its answer
    PARCEL_GOODBYE,
    PARCEL_GOODBYE_NOW, ///< whose sender is not told when it has arrived
};

struct parcel {
    struct parcel *next; ///< in a list: free, waiting or arrived
    uint64_t arrival_us;
    uint64_t order; ///< ties in arrival: as sent
    uint64_t first_sent_us;
    struct link *link;
    enum parcel_kind kind;
    bool to_server, reliable, lost; ///< lost: this attempt, not the parcel
    bool apart;                     ///< of a reliable one: on the lane beside
    uint32_t number;                ///< of a reliable one in its lane
    uint32_t reason;
    size_t byte_count;
    uint8_t bytes[NET_MESSAGE_BYTES_MAX];
};

struct parcel_list {
    struct parcel *first, *last;
};

/// All parcels of a network. Zero-initialise.
struct parcel_store {
    struct parcel **heap; ///< under way; the first arrives next
    size_t heap_count;
    struct parcel *free;
    struct parcel **chunks;
    size_t chunk_count;
};

/// Gives a parcel with undefined content. Null when memory is out.
struct parcel *parcel_new(struct parcel_store *store);
/// Takes it back.
void parcel_free(struct parcel_store *store, struct parcel *parcel);
/// Puts a parcel under way, by its arrival_us and order.
void parcel_push(struct parcel_store *store, struct parcel *parcel);
/// Takes the one that arrives next; there must be one.
struct parcel *parcel_pop(struct parcel_store *store);
/// Adds at the end of a list.
void parcel_list_add(struct parcel_list *list, struct parcel *parcel);
/// Takes the first of a list; null if it is empty.
struct parcel *parcel_list_take(struct parcel_list *list);
/// Frees all parcels, wherever they are.
void parcel_store_clear(struct parcel_store *store);

#endif
