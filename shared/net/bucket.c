// SPDX-License-Identifier: MIT
#include "bucket.h"

#include <sodium.h>
#include <string.h>

#include "little_endian.h"

#define SECOND_NS 1000000000u

_Static_assert(BUCKET_KEY_BYTES == crypto_shorthash_KEYBYTES, "key");

static uint64_t row_of(const struct bucket_table *table, const uint8_t *address, size_t byte_count)
{
    uint8_t hash[crypto_shorthash_BYTES];
    crypto_shorthash(hash, address, byte_count, table->key);
    return read_le(hash, 8) % BUCKET_ROWS;
}

// When the bucket would be full again after one more token is gone.
static uint64_t full_again_ns(const struct bucket *bucket, struct bucket_rate rate, uint64_t now_ns)
{
    return (bucket->full_ns > now_ns ? bucket->full_ns : now_ns) + SECOND_NS / rate.per_s;
}

static bool has_token(const struct bucket *bucket, struct bucket_rate rate, uint64_t now_ns)
{
    return full_again_ns(bucket, rate, now_ns) - now_ns <= (uint64_t)rate.burst * (SECOND_NS / rate.per_s);
}

bool bucket_take(struct bucket *bucket, struct bucket_rate rate, uint64_t now_ns)
{
    if (!has_token(bucket, rate, now_ns))
        return false;
    bucket->full_ns = full_again_ns(bucket, rate, now_ns);
    return true;
}

void bucket_table_init(struct bucket_table *table, const uint8_t key[BUCKET_KEY_BYTES], struct bucket_rate each,
                       struct bucket_rate all)
{
    *table = (struct bucket_table){.each = each, .all = all};
    memcpy(table->key, key, BUCKET_KEY_BYTES);
}

bool bucket_table_take(struct bucket_table *table, const uint8_t *address, size_t byte_count, uint64_t now_ns)
{
    struct bucket *own = &table->rows[row_of(table, address, byte_count)];
    if (!has_token(own, table->each, now_ns) || !has_token(&table->shared, table->all, now_ns))
        return false;
    return bucket_take(own, table->each, now_ns) && bucket_take(&table->shared, table->all, now_ns);
}
