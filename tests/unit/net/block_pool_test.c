// SPDX-License-Identifier: MIT
#include <string.h>
#include <time.h>

#include "net/enet/block_pool.h"
#include "test.h"

TEST(a_block_is_aligned_and_as_large_as_requested)
{
    struct block_pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER};
    assert_true(block_pool_open(&pool, 2, 2));
    block_pool_opened(&pool);
    uint8_t *blocks[4];
    for (size_t i = 0; i < 4; i++) {
        size_t byte_count = i < 2 ? BLOCK_SMALL_BYTES : BLOCK_LARGE_BYTES;
        blocks[i] = block_pool_take(&pool, byte_count);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % _Alignof(max_align_t), 0);
        memset(blocks[i], (int)i, byte_count);
    }
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(blocks[i][(i < 2 ? BLOCK_SMALL_BYTES : BLOCK_LARGE_BYTES) - 1], i);
        block_pool_give(&pool, blocks[i]);
    }
    block_pool_close(&pool);
    assert_null(pool.chunks);
}

TEST(an_empty_pool_refuses_until_a_block_is_returned)
{
    struct block_pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER};
    assert_true(block_pool_open(&pool, 1, 1));
    block_pool_opened(&pool);
    void *small = block_pool_take(&pool, 1), *large = block_pool_take(&pool, 1); // a small one may use a large block
    assert_non_null(small);
    assert_non_null(large);
    assert_null(block_pool_take(&pool, 1));
    assert_int_equal(pool.refused_count, 1);
    block_pool_give(&pool, large);
    assert_ptr_equal(block_pool_take(&pool, BLOCK_LARGE_BYTES), large);
    block_pool_give(&pool, large);
    block_pool_give(&pool, small);
    block_pool_close(&pool);
}

TEST(large_blocks_are_lent_only_while_a_host_opens)
{
    struct block_pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER};
    assert_true(block_pool_open(&pool, 1, 1));
    void *table = block_pool_take(&pool, 1 << 20);
    assert_non_null(table);
    block_pool_opened(&pool);
    assert_null(block_pool_take(&pool, BLOCK_LARGE_BYTES + 1));
    block_pool_give(&pool, table);
    block_pool_close(&pool);
}

// Takes all blocks of this size, at most 100, and returns them.
static size_t blocks_left(struct block_pool *pool, size_t byte_count)
{
    void *blocks[100];
    size_t count = 0;
    while (count < 100 && (blocks[count] = block_pool_take(pool, byte_count))) {
        memset(blocks[count], (int)count, byte_count);
        count++;
    }
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(*(uint8_t *)blocks[i], i);
        block_pool_give(pool, blocks[i]);
    }
    return count;
}

TEST(hosts_share_what_each_has_reserved_until_the_last_closes)
{
    struct block_pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER};
    assert_true(block_pool_open(&pool, 3, 2));
    block_pool_opened(&pool);
    assert_int_equal(blocks_left(&pool, BLOCK_LARGE_BYTES), 2);
    void *early = block_pool_take(&pool, 1);
    assert_true(block_pool_open(&pool, 4, 5));
    block_pool_opened(&pool);
    assert_int_equal(pool.small.reserved_count, 7);
    assert_int_equal(pool.large.reserved_count, 7);
    assert_int_equal(blocks_left(&pool, BLOCK_LARGE_BYTES), 7);
    assert_int_equal(blocks_left(&pool, BLOCK_SMALL_BYTES), 6 + 7); // a large block is used, too
    assert_int_equal(pool.small.lent_count, 1);
    assert_int_equal(pool.large.lent_count, 0);
    block_pool_close(&pool);
    assert_int_equal(blocks_left(&pool, BLOCK_SMALL_BYTES), 6 + 7); // one host is still open
    block_pool_give(&pool, early);
    block_pool_give(&pool, NULL);
    assert_int_equal(pool.small.lent_count, 0);
    block_pool_close(&pool);
    assert_null(pool.chunks);
    assert_null(block_pool_take(&pool, 1));
    assert_int_equal(pool.small.reserved_count, 0);
}

TEST(a_host_that_fails_to_open_ends_large_requests)
{
    struct block_pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER};
    assert_true(block_pool_open(&pool, 1, 1));
    assert_true(block_pool_open(&pool, 1, 1));
    block_pool_close(&pool);
    assert_null(block_pool_take(&pool, BLOCK_LARGE_BYTES + 1));
    block_pool_close(&pool);
}

static struct block_pool shared_pool = {.lock = PTHREAD_MUTEX_INITIALIZER};
static void *lent;

static void open_shared(void)
{
    block_pool_open(&shared_pool, 1, 1);
}

static void opened_shared(void)
{
    block_pool_opened(&shared_pool);
}

static void take_shared(void)
{
    lent = block_pool_take(&shared_pool, 1);
}

static void give_shared(void)
{
    block_pool_give(&shared_pool, lent);
}

static void close_shared(void)
{
    block_pool_close(&shared_pool);
}

struct call {
    void (*function)(void);
    _Atomic bool has_ended;
};

static void *run(void *context)
{
    struct call *call = context;
    call->function();
    call->has_ended = true;
    return NULL;
}

TEST(every_call_waits_for_other_threads)
{
    static void (*const calls[])(void) = {open_shared, opened_shared, take_shared, give_shared, close_shared};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct call call = {.function = calls[i]};
        pthread_t thread;
        pthread_mutex_lock(&shared_pool.lock);
        assert_int_equal(pthread_create(&thread, NULL, run, &call), 0);
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        bool has_waited = !call.has_ended;
        pthread_mutex_unlock(&shared_pool.lock);
        pthread_join(thread, NULL);
        if (!has_waited)
            fail_msg("call %zu has not waited", i);
        assert_int_equal(pthread_mutex_trylock(&shared_pool.lock), 0); // and lets others go on
        pthread_mutex_unlock(&shared_pool.lock);
    }
    assert_int_equal(shared_pool.users, 0);
}
