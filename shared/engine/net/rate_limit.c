// SPDX-License-Identifier: MIT
#include "rate_limit.h"

#include <sodium.h>
#include <string.h>

#include "base/clock.h"
#include "base/little_endian.h"

_Static_assert(RATE_LIMIT_KEY_BYTES == crypto_shorthash_KEYBYTES, "key");

// Four clients at one address that repeat their JOINs four times are still quiet.
const struct rate_limit_rates RATE_LIMIT_JOINS = {
    .household = {.per_s = 32, .burst = 64},
    .quiet = {.per_s = 4, .burst = 16},
    .all_quiet = {.per_s = 150, .burst = 200},
    .all_busy = {.per_s = 50, .burst = 64},
};
// A server browser asks three questions.
const struct rate_limit_rates RATE_LIMIT_QUERIES = {
    .household = {.per_s = 16, .burst = 32},
    .quiet = {.per_s = 3, .burst = 12},
    .all_quiet = {.per_s = 400, .burst = 400},
    .all_busy = {.per_s = 100, .burst = 100},
};
// A directory asks three times a minute.
const struct rate_limit_rates RATE_LIMIT_PROOFS = {
    .household = {.per_s = 2, .burst = 8},
    .quiet = {.per_s = 1, .burst = 4},
    .all_quiet = {.per_s = 50, .burst = 50},
    .all_busy = {.per_s = 20, .burst = 20},
};
// One is enough for a client, and after a crash all ask at once.
const struct rate_limit_rates RATE_LIMIT_RESETS = {
    .household = {.per_s = 32, .burst = 64},
    .quiet = {.per_s = 4, .burst = 16},
    .all_quiet = {.per_s = 400, .burst = 400},
    .all_busy = {.per_s = 100, .burst = 100},
};
const struct rate_limit_rate RATE_LIMIT_SESSION = {.per_s = 240, .burst = 480};

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
                           const struct rate_limit_rates *rates)
{
    *table = (struct rate_limit_table){.rates = *rates};
    memcpy(table->key, key, RATE_LIMIT_KEY_BYTES);
}

// The buckets of one kind of a household or a site. The fuller one counts: the other was emptied by somebody else as
// well.
struct bucket_pair {
    struct rate_limit *buckets[2];
    struct rate_limit_rate rate;
};

struct account {
    struct bucket_pair all, quiet;
};

static struct account account_of(struct rate_limit_table *table, uint64_t household, uint32_t times)
{
    struct rate_limit_rate rate = table->rates.household, quiet = table->rates.quiet;
    struct account account = {.all.rate = {rate.per_s * times, rate.burst * times},
                              .quiet.rate = {quiet.per_s * times, quiet.burst * times}};
    uint8_t text[8], hash[crypto_shorthash_BYTES];
    little_endian_write(text, household, sizeof text);
    crypto_shorthash(hash, text, sizeof text, table->key);
    for (size_t i = 0; i < 2; i++) {
        struct rate_limit_row *row = &table->rows[little_endian_read(&hash[4 * i], 4) % RATE_LIMIT_ROWS];
        account.all.buckets[i] = &row->household;
        account.quiet.buckets[i] = &row->quiet;
    }
    return account;
}

static const struct rate_limit *fuller(const struct bucket_pair *pair)
{
    return pair->buckets[pair->buckets[1]->full_ns < pair->buckets[0]->full_ns];
}

// Takes a token that is there. A bucket that is emptier already stays as it is.
static void pair_take(struct bucket_pair *pair, uint64_t now_ns)
{
    uint64_t full_ns = full_again_ns(fuller(pair), pair->rate, now_ns);
    for (size_t i = 0; i < 2; i++)
        if (pair->buckets[i]->full_ns < full_ns)
            pair->buckets[i]->full_ns = full_ns;
}

bool rate_limit_table_take(struct rate_limit_table *table, uint64_t household, uint64_t now_ns)
{
    uint64_t site = household_site(household);
    struct account accounts[] = {account_of(table, household, 1), account_of(table, site, HOUSEHOLD_SITE_MAX)};
    size_t count = site == household ? 1 : 2;
    bool quiet = true;
    for (size_t i = 0; i < count; i++) {
        if (!has_token(fuller(&accounts[i].all), accounts[i].all.rate, now_ns)) {
            table->refused_household++;
            table->newest_refused = household;
            return false;
        }
        quiet = quiet && has_token(fuller(&accounts[i].quiet), accounts[i].quiet.rate, now_ns);
    }
    quiet = quiet && rate_limit_take(&table->all_quiet, table->rates.all_quiet, now_ns);
    if (!quiet && !rate_limit_take(&table->all_busy, table->rates.all_busy, now_ns)) {
        table->refused_all++;
        table->newest_refused = household;
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        pair_take(&accounts[i].all, now_ns);
        if (quiet)
            pair_take(&accounts[i].quiet, now_ns);
    }
    return true;
}
