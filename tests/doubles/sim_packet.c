// SPDX-License-Identifier: MIT
#include "sim_packet.h"

#include <stdlib.h>

#define PACKETS_PER_CHUNK 256u

static bool before(const struct sim_packet *a, const struct sim_packet *b)
{
    return a->arrival_us != b->arrival_us ? a->arrival_us < b->arrival_us : a->order < b->order;
}

void sim_packet_push(struct sim_packet_store *store, struct sim_packet *packet)
{
    size_t at = store->heap_count++;
    for (; at > 0 && before(packet, store->heap[(at - 1) / 2]); at = (at - 1) / 2)
        store->heap[at] = store->heap[(at - 1) / 2];
    store->heap[at] = packet;
}

struct sim_packet *sim_packet_pop(struct sim_packet_store *store)
{
    struct sim_packet *top = store->heap[0], *moved = store->heap[--store->heap_count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < store->heap_count; at = child) {
        if (child + 1 < store->heap_count && before(store->heap[child + 1], store->heap[child]))
            child++;
        if (!before(store->heap[child], moved))
            break;
        store->heap[at] = store->heap[child];
    }
    store->heap[at] = moved;
    return top;
}

// Grows by chunks, and the heap with them, so that all packets fit in the heap.
static bool grow(struct sim_packet_store *store)
{
    size_t count = store->chunk_count;
    struct sim_packet **chunks = realloc(store->chunks, (count + 1) * sizeof(struct sim_packet *));
    if (chunks)
        store->chunks = chunks;
    struct sim_packet **heap = realloc(store->heap, (count + 1) * PACKETS_PER_CHUNK * sizeof(struct sim_packet *));
    if (heap)
        store->heap = heap;
    struct sim_packet *chunk = chunks && heap ? malloc(PACKETS_PER_CHUNK * sizeof *chunk) : NULL;
    if (!chunk)
        return false;
    store->chunks[store->chunk_count++] = chunk;
    for (size_t i = 0; i < PACKETS_PER_CHUNK; i++) {
        chunk[i].next = store->free;
        store->free = &chunk[i];
    }
    return true;
}

struct sim_packet *sim_packet_new(struct sim_packet_store *store)
{
    if (!store->free && !grow(store))
        return NULL;
    struct sim_packet *packet = store->free;
    store->free = packet->next;
    return packet;
}

void sim_packet_free(struct sim_packet_store *store, struct sim_packet *packet)
{
    packet->next = store->free;
    store->free = packet;
}

void sim_packet_list_add(struct sim_packet_list *list, struct sim_packet *packet)
{
    packet->next = NULL;
    if (list->last)
        list->last->next = packet;
    else
        list->first = packet;
    list->last = packet;
}

struct sim_packet *sim_packet_list_take(struct sim_packet_list *list)
{
    struct sim_packet *packet = list->first;
    if (packet && !(list->first = packet->next))
        list->last = NULL;
    return packet;
}

void sim_packet_store_clear(struct sim_packet_store *store)
{
    for (size_t i = 0; i < store->chunk_count; i++)
        free(store->chunks[i]);
    free(store->chunks);
    free(store->heap);
    *store = (struct sim_packet_store){0};
}
