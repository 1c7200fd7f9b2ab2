// SPDX-License-Identifier: MIT
#include "household_counts.h"

#include <sodium.h>
#include <string.h>

#include "base/little_endian.h"
#include "net/household.h"

_Static_assert(crypto_shorthash_KEYBYTES == 16, "key");

void household_counts_clear(struct household_counts *counts)
{
    counts->round++;
    if (counts->round == 0) // rows of long ago would count again
        memset(counts->rows, 0, sizeof counts->rows);
}

static bool is_free(const struct household_counts *counts, uint32_t row)
{
    return counts->rows[row].household == 0 || counts->rows[row].round != counts->round;
}

// The row of a household, or the free one where it would be. A table that is full has a row of somebody else there.
static uint32_t find(const struct household_counts *counts, uint64_t household)
{
    uint8_t text[8], hash[crypto_shorthash_BYTES];
    little_endian_write(text, household, sizeof text);
    crypto_shorthash(hash, text, sizeof text, counts->key);
    uint32_t row = (uint32_t)(little_endian_read(hash, 8) % HOUSEHOLD_COUNTS_ROWS);
    for (uint32_t step = 0; step < HOUSEHOLD_COUNTS_ROWS; step++) {
        if (is_free(counts, row) || counts->rows[row].household == household)
            break;
        row = (row + 1) % HOUSEHOLD_COUNTS_ROWS;
    }
    return row;
}

static void add_one(struct household_counts *counts, uint64_t household)
{
    uint32_t at = find(counts, household);
    uint32_t count = is_free(counts, at) ? 0 : counts->rows[at].count;
    counts->rows[at] = (struct household_counts_row){household, count + 1, counts->round};
}

static void remove_one(struct household_counts *counts, uint64_t household)
{
    uint32_t at = find(counts, household);
    if (!is_free(counts, at) && counts->rows[at].count > 0)
        counts->rows[at].count--;
}

uint32_t household_counts_of(const struct household_counts *counts, uint64_t household)
{
    uint32_t at = find(counts, household);
    return is_free(counts, at) ? 0 : counts->rows[at].count;
}

void household_counts_add(struct household_counts *counts, uint64_t household)
{
    uint64_t site = household_site(household);
    add_one(counts, household);
    if (site != household)
        add_one(counts, site);
}

void household_counts_remove(struct household_counts *counts, uint64_t household)
{
    uint64_t site = household_site(household);
    remove_one(counts, household);
    if (site != household)
        remove_one(counts, site);
}

bool household_counts_allow(const struct household_counts *counts, uint64_t household, uint32_t most)
{
    uint64_t site = household_site(household);
    return household_counts_of(counts, household) < most &&
           (site == household || household_counts_of(counts, site) < most * HOUSEHOLD_SITE_MAX);
}
