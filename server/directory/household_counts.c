// SPDX-License-Identifier: MIT
#include "household_counts.h"

#include <sodium.h>
#include <string.h>

#include "base/little_endian.h"
#include "net/household.h"

_Static_assert(crypto_shorthash_KEYBYTES == 16, "key");

void household_counts_clear(struct household_counts *counts)
{
    memset(counts->rows, 0, sizeof counts->rows);
}

// The row of a household, or the free one where it would be. A table that is full has a row of somebody else there.
static uint32_t find(const struct household_counts *counts, uint64_t household)
{
    uint8_t text[8], hash[crypto_shorthash_BYTES];
    little_endian_write(text, household, sizeof text);
    crypto_shorthash(hash, text, sizeof text, counts->key);
    uint32_t row = (uint32_t)(little_endian_read(hash, 8) % HOUSEHOLD_COUNTS_ROWS);
    for (uint32_t step = 0; step < HOUSEHOLD_COUNTS_ROWS; step++) {
        uint64_t there = counts->rows[row].household;
        if (there == household || there == 0)
            break;
        row = (row + 1) % HOUSEHOLD_COUNTS_ROWS;
    }
    return row;
}

static void add_one(struct household_counts *counts, uint64_t household)
{
    struct household_counts_row *row = &counts->rows[find(counts, household)];
    row->household = household;
    row->count++;
}

uint32_t household_counts_of(const struct household_counts *counts, uint64_t household)
{
    return counts->rows[find(counts, household)].count;
}

void household_counts_add(struct household_counts *counts, uint64_t household)
{
    uint64_t site = household_site(household);
    add_one(counts, household);
    if (site != household)
        add_one(counts, site);
}

bool household_counts_allow(const struct household_counts *counts, uint64_t household, uint32_t most)
{
    uint64_t site = household_site(household);
    return household_counts_of(counts, household) < most &&
           (site == household || household_counts_of(counts, site) < most * HOUSEHOLD_SITE_MAX);
}
