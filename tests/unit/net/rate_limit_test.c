// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "net/rate_limit.h"
#include "test.h"

#define SECOND_NS 1000000000u

TEST(a_bucket_holds_its_burst_and_fills_at_its_rate)
{
    static const struct {
        uint64_t now_ns;
        bool taken;
    } rows[] = {
        /*  0 */ {0, true},
        /*  1 */ {0, true},
        /*  2 */ {0, true},
        /*  3 */ {0, false}, // the burst is 3
        /*  4 */ {99999999, false},
        /*  5 */ {100000000, true}, // 10 a second
        /*  6 */ {100000000, false},
        /*  7 */ {300000000, true},
        /*  8 */ {300000000, true},
        /*  9 */ {300000000, false},
        /* 10 */ {90 * (uint64_t)SECOND_NS, true}, // no more than full, however long
        /* 11 */ {90 * (uint64_t)SECOND_NS, true},
        /* 12 */ {90 * (uint64_t)SECOND_NS, true},
        /* 13 */ {90 * (uint64_t)SECOND_NS, false},
    };
    struct rate_limit bucket = {0};
    struct rate_limit_rate rate = {.per_s = 10, .burst = 3};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rate_limit_take(&bucket, rate, rows[i].now_ns) != rows[i].taken)
            fail_msg("row %zu", i);
}

static uint32_t takes_of(const struct rate_limit_rate *rate, struct rate_limit *bucket, uint64_t now_ns)
{
    uint32_t taken = 0;
    while (rate_limit_take(bucket, *rate, now_ns))
        taken++;
    return taken;
}

TEST(each_kind_of_request_has_its_rate)
{
    static const struct {
        const struct rate_limit_rate *rate;
        uint32_t at_once, a_second;
    } rows[] = {
        /* 0 */ {&RATE_LIMIT_JOINS.household, 64, 32},
        /* 1 */ {&RATE_LIMIT_JOINS.quiet, 16, 4},
        /* 2 */ {&RATE_LIMIT_JOINS.all_quiet, 200, 150},
        /* 3 */ {&RATE_LIMIT_JOINS.all_busy, 64, 50},
        /* 4 */ {&RATE_LIMIT_QUERIES.household, 32, 16},
        /* 5 */ {&RATE_LIMIT_QUERIES.quiet, 12, 3},
        /* 6 */ {&RATE_LIMIT_QUERIES.all_quiet, 400, 400},
        /* 7 */ {&RATE_LIMIT_QUERIES.all_busy, 100, 100},
        /* 8 */ {&RATE_LIMIT_SESSION, 480, 240},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rate_limit bucket = {0};
        uint32_t first = takes_of(rows[i].rate, &bucket, SECOND_NS),
                 second = takes_of(rows[i].rate, &bucket, 2 * (uint64_t)SECOND_NS);
        if (first != rows[i].at_once || second != rows[i].a_second)
            fail_msg("row %zu: %u, then %u", i, first, second);
    }
}

static struct rate_limit_table table;

static const struct rate_limit_rates rates = {
    .household = {8, 8}, .quiet = {2, 4}, .all_quiet = {20, 20}, .all_busy = {10, 10}};

static void begin(uint8_t key, const struct rate_limit_rates *of)
{
    memset(&table, 0xAA, sizeof table);
    rate_limit_table_init(&table, (const uint8_t[RATE_LIMIT_KEY_BYTES]){key}, of);
}

static unsigned takes(uint64_t household, unsigned wanted, uint64_t now_ns)
{
    unsigned taken = 0;
    for (unsigned i = 0; i < wanted; i++)
        taken += rate_limit_table_take(&table, household, now_ns);
    return taken;
}

TEST(a_household_has_its_rate)
{
    begin(1, &rates);
    assert_int_equal(takes(1, 1000, 0), 8);
    assert_int_equal(table.refused_household, 992);
    assert_int_equal(table.newest_refused, 1);
    assert_int_equal(takes(2, 3, 0), 3);
    assert_int_equal(takes(1, 1000, SECOND_NS), 8);
    assert_int_equal(table.refused_all, 0);
}

TEST(all_households_together_have_their_rates)
{
    begin(2, &rates);
    unsigned taken = 0;
    for (uint64_t household = 0; household < 10000; household++)
        taken += takes(household, 2, 0);
    assert_int_equal(taken, 20 + 10);
    assert_int_equal(table.refused_all, 20000 - 30);
    assert_int_equal(takes(20000, 5, 0), 0);
    assert_int_equal(takes(20000, 5, SECOND_NS), 5); // was not charged while the shared ones were empty
}

TEST(busy_households_leave_the_quiet_ones_their_share)
{
    begin(3, &rates);
    unsigned busy = takes(1, 8, 0) + takes(2, 8, 0) + takes(3, 8, 0);
    assert_int_equal(busy, 3 * 4 + 10); // four each while they were quiet
    assert_int_equal(table.refused_all, 2);
    assert_int_equal(takes(4, 4, 0), 4);
    assert_int_equal(takes(5, 5, 0), 4); // the fifth is one too many to be quiet
}

// Joins of nine households, 660 a second together, and of a tenth that joins once in five seconds, for a minute.
TEST(a_flood_of_joins_from_nine_households_stops_nobody_else)
{
    begin(4, &RATE_LIMIT_JOINS);
    unsigned forged = 0, honest = 0;
    for (unsigned i = 0; i < 60 * 660; i++) {
        uint64_t now_ns = (uint64_t)i * SECOND_NS / 660;
        forged += takes(i % 9, 1, now_ns);
        if (i % 3300 == 1650)
            honest += takes(100, 1, now_ns);
    }
    assert_int_equal(honest, 12);
    assert_in_range(forged, 60 * 50, 60 * (50 + 9 * 4) + 64 + 9 * 16); // what it costs the server stays bounded
}

// A /48 of IPv6 has 256 households.
TEST(a_site_has_the_rates_of_four_households)
{
    static const struct rate_limit_rates wide = {{8, 16}, {2, 4}, {1000, 1000}, {1000, 1000}};
    uint64_t here = (uint64_t)6 << 56 | 0x20010DB8000100, elsewhere = (uint64_t)6 << 56 | 0x20010DB8000200;
    begin(5, &wide);
    unsigned taken = 0;
    for (uint64_t household = 0; household < 256; household++)
        taken += takes(here + household, 8, 0);
    assert_int_equal(taken, 4 * 16);
    assert_int_equal(table.refused_household, 256 * 8 - 4 * 16);
    assert_int_equal(table.refused_all, 0);
    assert_int_equal(takes(elsewhere, 17, 0), 16); // the neighbour has its own
    taken = 0;
    for (uint64_t household = 0; household < 256; household++)
        taken += takes(here + household, 8, SECOND_NS);
    assert_int_equal(taken, 4 * 8);
}

TEST(a_flood_of_joins_from_a_site_stops_nobody_else)
{
    begin(6, &RATE_LIMIT_JOINS);
    unsigned honest = 0;
    for (unsigned i = 0; i < 60 * 660; i++) {
        uint64_t now_ns = (uint64_t)i * SECOND_NS / 660;
        takes(((uint64_t)6 << 56 | 0x20010DB8000100) + i % 256, 1, now_ns);
        if (i % 3300 == 1650)
            honest += takes(100, 1, now_ns);
    }
    assert_int_equal(honest, 12);
}

// Of 10,000 households about five share a row with the busy one.
TEST(a_busy_household_empties_no_bucket_of_others)
{
    static const struct rate_limit_rates wide = {{1, 64}, {1, 64}, {1000000, 1000000}, {1000000, 1000000}};
    for (uint8_t key = 0; key < 20; key++) {
        begin(key, &wide);
        assert_int_equal(takes(1, 1000, 0), 64);
        for (uint64_t household = 2; household < 10000; household++)
            if (takes(household, 1, 0) != 1)
                fail_msg("household %llu with key %u", (unsigned long long)household, (unsigned)key);
    }
}

TEST(which_households_share_a_row_depends_on_the_key)
{
    static const struct rate_limit_rates wide = {{1, 1}, {1, 1}, {1000000, 1000000}, {1, 1}};
    unsigned taken[2] = {0};
    for (uint8_t key = 0; key < 2; key++) {
        begin(key, &wide);
        for (uint64_t household = 0; household < 2000; household++)
            taken[key] += takes(household, 1, 0) << (household % 3);
    }
    assert_int_not_equal(taken[0], taken[1]);
}
