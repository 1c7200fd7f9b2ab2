// SPDX-License-Identifier: MIT
//
// Memory for ENet: blocks of two sizes, reserved when a host opens and lent while it runs, so that no tick allocates
// and no peer can make the program grow. Larger blocks come from the heap, but only while a host opens (its table of
// peers). Locks itself; hosts in different threads may share it.
#ifndef NET_BLOCK_POOL_H
#define NET_BLOCK_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes that a small and a large block hold: ENet's commands and acknowledgements; a message.
#define BLOCK_SMALL_BYTES 160
#define BLOCK_LARGE_BYTES 1200

struct block;

/// The blocks of one size.
struct block_shelf {
    struct block *free;                ///< given back
    uint8_t *fresh;                    ///< never lent: the rest of the newest chunk
    size_t fresh_count;                ///< blocks there
    size_t reserved_count, lent_count; ///< blocks
};

/// Zero-initialise, with PTHREAD_MUTEX_INITIALIZER for the lock.
struct block_pool {
    pthread_mutex_t lock;
    struct block_shelf small, large;
    void *chunks;           ///< from the heap, linked
    unsigned users;         ///< open hosts
    bool opening;           ///< larger blocks are allowed
    uint64_t refused_count; ///< requests that it could not serve
};

/// Reserves blocks for a host that is about to open, and allows large requests until block_pool_opened(). False if out
/// of memory.
bool block_pool_open(struct block_pool *pool, size_t small_count, size_t large_count);
/// Ends the time of large requests: the host is open.
void block_pool_opened(struct block_pool *pool);
/// Notes that a host has closed. The last one frees all memory.
void block_pool_close(struct block_pool *pool);

/// Lends a block. Null if none is left or the request is too large.
void *block_pool_take(struct block_pool *pool, size_t byte_count);
/// Takes a block back. Null is allowed.
void block_pool_give(struct block_pool *pool, void *bytes);

#endif
