// SPDX-License-Identifier: MIT
//
// Memory for ENet: blocks of two sizes, reserved when a host opens and lent out while it runs, so that no tick asks the
// heap and no peer can make the program grow. Only while a host is being opened are larger blocks taken from the
// heap (its table of peers). Locks itself; hosts in different threads may share it.
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

/// One size of block.
struct block_shelf {
    struct block *free;                ///< given back
    uint8_t *fresh;                    ///< never lent so far: the rest of the newest chunk
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

/// A host is about to open: reserves blocks and allows large requests until block_pool_opened.
/// False if memory is out.
bool block_pool_open(struct block_pool *pool, size_t small_count, size_t large_count);
/// The host is open.
void block_pool_opened(struct block_pool *pool);
/// A host has closed. The last one gives all memory back.
void block_pool_close(struct block_pool *pool);

/// Lends a block. Null when the shelf is empty or the request too large.
void *block_pool_take(struct block_pool *pool, size_t byte_count);
/// Takes a block back. Null is allowed.
void block_pool_give(struct block_pool *pool, void *bytes);

#endif
