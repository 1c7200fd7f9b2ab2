// SPDX-License-Identifier: MIT
#include "block_pool.h"

#include <stdlib.h>

enum home { HOME_SMALL, HOME_LARGE, HOME_HEAP };

// Precedes the bytes that are lent; as wide as the strictest alignment.
struct block {
    _Alignas(max_align_t) struct block *next;
    enum home home;
};

struct chunk {
    _Alignas(max_align_t) struct chunk *next;
};

#define SMALL_STRIDE (sizeof(struct block) + BLOCK_SMALL_BYTES)
#define LARGE_STRIDE (sizeof(struct block) + BLOCK_LARGE_BYTES)

_Static_assert(SMALL_STRIDE % _Alignof(max_align_t) == 0 && LARGE_STRIDE % _Alignof(max_align_t) == 0,
               "blocks in a row are all aligned");

static bool reserve(struct block_pool *pool, struct block_shelf *shelf, size_t stride, size_t count)
{
    struct chunk *chunk = malloc(sizeof(struct chunk) + stride * count);
    if (!chunk)
        return false;
    chunk->next = pool->chunks;
    pool->chunks = chunk;
    for (; shelf->fresh_count > 0; shelf->fresh_count--, shelf->fresh += stride) {
        struct block *block = (struct block *)(void *)shelf->fresh;
        block->next = shelf->free;
        shelf->free = block;
    }
    shelf->fresh = (uint8_t *)(chunk + 1);
    shelf->fresh_count = count;
    shelf->reserved_count += count;
    return true;
}

static void release_all(struct block_pool *pool)
{
    for (struct chunk *chunk = pool->chunks; chunk;) {
        struct chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    pool->chunks = NULL;
    pool->small = pool->large = (struct block_shelf){0};
}

bool block_pool_open(struct block_pool *pool, size_t small_count, size_t large_count)
{
    pthread_mutex_lock(&pool->lock);
    bool reserved = reserve(pool, &pool->small, SMALL_STRIDE, small_count) &&
                    reserve(pool, &pool->large, LARGE_STRIDE, large_count);
    pool->users += reserved;
    pool->opening = reserved;
    if (!reserved && pool->users == 0)
        release_all(pool);
    pthread_mutex_unlock(&pool->lock);
    return reserved;
}

void block_pool_opened(struct block_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->opening = false;
    pthread_mutex_unlock(&pool->lock);
}

void block_pool_close(struct block_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->opening = false;
    if (--pool->users == 0)
        release_all(pool);
    pthread_mutex_unlock(&pool->lock);
}

static struct block *shelf_take(struct block_shelf *shelf, size_t stride, enum home home)
{
    struct block *block = shelf->free;
    if (block) {
        shelf->free = block->next;
        __builtin_prefetch(shelf->free); // it has left the cache since the last tick, and is lent next
    } else if (shelf->fresh_count > 0) {
        block = (struct block *)(void *)shelf->fresh;
        shelf->fresh += stride;
        shelf->fresh_count--;
    } else {
        return NULL;
    }
    block->home = home;
    shelf->lent_count++;
    return block;
}

void *block_pool_take(struct block_pool *pool, size_t byte_count)
{
    pthread_mutex_lock(&pool->lock);
    struct block *block = NULL;
    if (byte_count <= BLOCK_SMALL_BYTES)
        block = shelf_take(&pool->small, SMALL_STRIDE, HOME_SMALL);
    if (!block && byte_count <= BLOCK_LARGE_BYTES)
        block = shelf_take(&pool->large, LARGE_STRIDE, HOME_LARGE);
    if (!block && pool->opening && (block = malloc(sizeof *block + byte_count)))
        block->home = HOME_HEAP;
    pool->refused_count += !block;
    pthread_mutex_unlock(&pool->lock);
    return block ? block + 1 : NULL;
}

static void shelf_give(struct block_shelf *shelf, struct block *block)
{
    block->next = shelf->free;
    shelf->free = block;
    shelf->lent_count--;
}

void block_pool_give(struct block_pool *pool, void *bytes)
{
    if (!bytes)
        return;
    struct block *block = (struct block *)bytes - 1;
    pthread_mutex_lock(&pool->lock);
    switch (block->home) {
    case HOME_SMALL:
        shelf_give(&pool->small, block);
        break;
    case HOME_LARGE:
        shelf_give(&pool->large, block);
        break;
    case HOME_HEAP:
        free(block);
        break;
    }
    pthread_mutex_unlock(&pool->lock);
}
