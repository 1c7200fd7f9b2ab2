// SPDX-License-Identifier: MIT
#include "parcel.h"

#include <stdlib.h>

#define PARCELS_PER_CHUNK 256u

static bool before(const struct parcel *a, const struct parcel *b)
{
    return a->arrival_us != b->arrival_us ? a->arrival_us < b->arrival_us : a->order < b->order;
}

void parcel_push(struct parcel_store *store, struct parcel *parcel)
{
    size_t at = store->heap_count++;
    for (; at > 0 && before(parcel, store->heap[(at - 1) / 2]); at = (at - 1) / 2)
        store->heap[at] = store->heap[(at - 1) / 2];
    store->heap[at] = parcel;
}

struct parcel *parcel_pop(struct parcel_store *store)
{
    struct parcel *top = store->heap[0], *moved = store->heap[--store->heap_count];
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

// Grows by chunks, and the heap with them, so that every parcel that exists fits the heap.
static bool grow(struct parcel_store *store)
{
    size_t count = store->chunk_count;
    struct parcel **chunks = realloc(store->chunks, (count + 1) * sizeof(struct parcel *));
    if (chunks)
        store->chunks = chunks;
    struct parcel **heap = realloc(store->heap, (count + 1) * PARCELS_PER_CHUNK * sizeof(struct parcel *));
    if (heap)
        store->heap = heap;
    struct parcel *chunk = chunks && heap ? malloc(PARCELS_PER_CHUNK * sizeof *chunk) : NULL;
    if (!chunk)
        return false;
    store->chunks[store->chunk_count++] = chunk;
    for (size_t i = 0; i < PARCELS_PER_CHUNK; i++) {
        chunk[i].next = store->free;
        store->free = &chunk[i];
    }
    return true;
}

struct parcel *parcel_new(struct parcel_store *store)
{
    if (!store->free && !grow(store))
        return NULL;
    struct parcel *parcel = store->free;
    store->free = parcel->next;
    return parcel;
}

void parcel_free(struct parcel_store *store, struct parcel *parcel)
{
    parcel->next = store->free;
    store->free = parcel;
}

void parcel_list_add(struct parcel_list *list, struct parcel *parcel)
{
    parcel->next = NULL;
    if (list->last)
        list->last->next = parcel;
    else
        list->first = parcel;
    list->last = parcel;
}

struct parcel *parcel_list_take(struct parcel_list *list)
{
    struct parcel *parcel = list->first;
    if (parcel && !(list->first = parcel->next))
        list->last = NULL;
    return parcel;
}

void parcel_store_clear(struct parcel_store *store)
{
    for (size_t i = 0; i < store->chunk_count; i++)
        free(store->chunks[i]);
    free(store->chunks);
    free(store->heap);
    *store = (struct parcel_store){0};
}
