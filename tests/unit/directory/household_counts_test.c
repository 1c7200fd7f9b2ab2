// SPDX-License-Identifier: MIT
#include <sodium.h>

#include "directory/household_counts.h"
#include "net/household.h"
#include "test.h"

static struct household_counts counts;

static uint64_t household_at(uint8_t first, uint8_t second, uint8_t third)
{
    struct net_address address = {{0x20, 0x01, 0x0D, 0xB8, first, second, third}, ADDRESS_BYTES_MAX};
    return household_of(&address);
}

static void begin_all(void)
{
    assert_true(sodium_init() >= 0);
    randombytes_buf(counts.key, sizeof counts.key);
}

ALL_TESTS(begin_all, NULL);

TEST(every_household_has_its_own_count)
{
    household_counts_clear(&counts);
    for (uint32_t i = 0; i < 30000; i++)
        for (uint32_t more = 0; more <= i % 3; more++)
            household_counts_add(
                &counts, household_of(&(struct net_address){{10, (uint8_t)(i >> 16), (uint8_t)(i >> 8), (uint8_t)i},
                                                            ADDRESS_BYTES_IPV4}));
    for (uint32_t i = 0; i < 30000; i++)
        assert_int_equal(household_counts_of(&counts, household_of(&(struct net_address){
                                                          {10, (uint8_t)(i >> 16), (uint8_t)(i >> 8), (uint8_t)i},
                                                          ADDRESS_BYTES_IPV4})),
                         i % 3 + 1);
}

// A /48 has 256 households, but not 256 times the quota.
TEST(a_site_has_four_times_the_quota)
{
    uint32_t added = 0;
    household_counts_clear(&counts);
    for (uint32_t third = 0; third < 256; third++)
        for (uint32_t i = 0; i < 20; i++)
            if (household_counts_allow(&counts, household_at(0, 1, (uint8_t)third), 16)) {
                household_counts_add(&counts, household_at(0, 1, (uint8_t)third));
                added++;
            }
    assert_int_equal(added, 16 * HOUSEHOLD_SITE_MAX);
    assert_true(household_counts_allow(&counts, household_at(0, 2, 0), 16));
}

TEST(a_table_that_was_cleared_is_empty)
{
    counts.round = UINT32_MAX - 2;
    for (uint32_t round = 0; round < 5; round++) { // also when rounds begin again
        household_counts_clear(&counts);
        for (uint32_t i = 0; i < 100; i++)
            assert_int_equal(household_counts_of(&counts, household_at(1, (uint8_t)i, 0)), 0);
        for (uint32_t i = 0; i < 200; i++)
            household_counts_add(&counts, household_at(1, (uint8_t)(i / 2), 0));
        for (uint32_t i = 0; i < 100; i++)
            assert_int_equal(household_counts_of(&counts, household_at(1, (uint8_t)i, 0)), 2);
    }
}
