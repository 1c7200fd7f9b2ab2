// SPDX-License-Identifier: MIT
#include "rate_limit.h"

#include <sodium.h>
#include <string.h>

#include "base/clock.h"
#include "base/little_endian.h"

_Static_assert(RATE_LIMIT_KEY_BYTES == crypto_shorthash_KEYBYTES, "key");

const struct rate_limit_rate RATE_LIMIT_JOINS_OF_ADDRESS = {.per_s = 32, .burst = 64};
const struct rate_limit_rate RATE_LIMIT_JOINS_OF_ALL = {.per_s = 200, .burst = 200};
const struct rate_limit_rate RATE_LIMIT_QUERIES_OF_ADDRESS = {.per_s = 16, .burst = 32};
const struct rate_limit_rate RATE_LIMIT_QUERIES_OF_ALL = {.per_s = 500, .burst = 500};
const struct rate_limit_rate RATE_LIMIT_SESSION = {.per_s = 240, .burst = 480};

static uint64_t row_of(const struct rate_limit_table *table, const uint8_t *address, size_t byte_count)
{
    uint8_t hash[crypto_shorthash_BYTES];
    crypto_shorthash(hash, address, byte_count, table->key);
    return little_endian_read(hash, 8) % RATE_LIMIT_ROWS;
}

// When the bucket would be full again after one more token is gone.
static uint64_t full_again_ns(const struct rate_limit *bucket, struct rate_limit_rate rate, uint64_t now_ns)
{
    return (bucket->full_ns > now_ns ? bucket->full_ns : now_ns) + CLOCK_SECOND_NS / rate.per_s;
}

static bool has_token(const struct rate_limit *bucket, struct rate_limit_rate rate, uint64_t now_ns)
{
    return full_again_ns(bucket, rate, now_ns) - now_ns <= (uint64_t)rate.burst * (CLOCK_SECOND_NS / rate.per_s);
}

bool rate_limit_take(struct rate_limit *bucket, struct rate_limit_rate rate, uint64_t now_ns)
{
    if (!has_token(bucket, rate, now_ns))
        return false;
    bucket->full_ns = full_again_ns(bucket, rate, now_ns);
    return true;
}

void rate_limit_table_init(struct rate_limit_table *table, const uint8_t key[RATE_LIMIT_KEY_BYTES],
                           struct rate_limit_rate each, struct rate_limit_rate all)
{
    *table = (struct rate_limit_table){.each = each, .all = all};
    memcpy(table->key, key, RATE_LIMIT_KEY_BYTES);
}

bool rate_limit_table_take(struct rate_limit_table *table, const uint8_t *address, size_t byte_count, uint64_t now_ns)
{
    struct rate_limit *own = &table->rows[row_of(table, address, byte_count)];
    if (!has_token(own, table->each, now_ns) || !has_token(&table->shared, table->all, now_ns))
        return false;
    return rate_limit_take(own, table->each, now_ns) && rate_limit_take(&table->shared, table->all, now_ns);
}
