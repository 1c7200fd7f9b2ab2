// SPDX-License-Identifier: MIT
//
// Counts what households have, and sites of IPv6 beside them, in a table of fixed size. Households are spread over it
// by SipHash with a random key, so nobody can make it slow. Its rows only become more: its user clears it now and then
// and counts again.
#ifndef DIRECTORY_HOUSEHOLD_COUNTS_H
#define DIRECTORY_HOUSEHOLD_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

/// Rows; the callers count at most half as many households and sites.
#define HOUSEHOLD_COUNTS_ROWS 131072

struct household_counts {
    uint8_t key[16];
    uint32_t round; ///< of clearing; rows of earlier ones are free
    struct household_counts_row {
        uint64_t household; ///< or site; 0: free
        uint32_t count, round;
    } rows[HOUSEHOLD_COUNTS_ROWS];
};

/// Empties the table, at once. The key stays.
void household_counts_clear(struct household_counts *counts);
/// Returns how much a household or a site has.
uint32_t household_counts_of(const struct household_counts *counts, uint64_t household);
/// Counts one more, for the household and its site.
void household_counts_add(struct household_counts *counts, uint64_t household);
/// Counts one less of what was counted since the table was cleared.
void household_counts_remove(struct household_counts *counts, uint64_t household);
/// Returns whether a household may have one more: it may have `most`, and a site HOUSEHOLD_SITE_MAX times as much.
bool household_counts_allow(const struct household_counts *counts, uint64_t household, uint32_t most);

#endif
