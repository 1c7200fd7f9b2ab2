// SPDX-License-Identifier: MIT
#include "rate_limit.h"

#include <sodium.h>
#include <string.h>

#include "base/clock.h"
#include "base/little_endian.h"

_Static_assert(RATE_LIMIT_KEY_BYTES == crypto_shorthash_KEYBYTES, "key");

// A couch of four that repeats its JOINs four times is still quiet.
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

static struct rate_limit_row *row_of(struct rate_limit_table *table, uint64_t household)
{
    uint8_t text[8], hash[crypto_shorthash_BYTES];
    little_endian_write(text, household, sizeof text);
    crypto_shorthash(hash, text, sizeof text, table->key);
    return &table->rows[little_endian_read(hash, 8) % RATE_LIMIT_ROWS];
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
                           const struct rate_limit_rates *rates)
{
    *table = (struct rate_limit_table){.rates = *rates};
    memcpy(table->key, key, RATE_LIMIT_KEY_BYTES);
}

static struct rate_limit_rate of_site(struct rate_limit_rate rate)
{
    return (struct rate_limit_rate){rate.per_s * HOUSEHOLD_SITE_MAX, rate.burst * HOUSEHOLD_SITE_MAX};
}

bool rate_limit_table_take(struct rate_limit_table *table, uint64_t household, uint64_t now_ns)
{
    const struct rate_limit_rates *rates = &table->rates;
    struct rate_limit_row *row = row_of(table, household), *site = row_of(table, household_site(household));
    bool has_site = household_site(household) != household;
    if (!has_token(&row->household, rates->household, now_ns) ||
        (has_site && !has_token(&site->household, of_site(rates->household), now_ns))) {
        table->refused_household++;
        table->newest_refused = household;
        return false;
    }
    bool quiet = has_token(&row->quiet, rates->quiet, now_ns) &&
                 (!has_site || has_token(&site->quiet, of_site(rates->quiet), now_ns)) &&
                 rate_limit_take(&table->all_quiet, rates->all_quiet, now_ns);
    if (!quiet && !rate_limit_take(&table->all_busy, rates->all_busy, now_ns)) {
        table->refused_all++;
        table->newest_refused = household;
        return false;
    }
    rate_limit_take(&row->household, rates->household, now_ns);
    if (quiet)
        rate_limit_take(&row->quiet, rates->quiet, now_ns);
    if (has_site)
        rate_limit_take(&site->household, of_site(rates->household), now_ns);
    if (has_site && quiet)
        rate_limit_take(&site->quiet, of_site(rates->quiet), now_ns);
    return true;
}
