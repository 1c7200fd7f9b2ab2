// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "net/rate_limit.h"

#define SECOND_NS 1000000000u

static void a_bucket_holds_its_burst_and_fills_at_its_rate(void **state)
{
    (void)state;
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

static void each_kind_of_request_has_its_rate(void **state)
{
    (void)state;
    static const struct {
        const struct rate_limit_rate *rate;
        uint32_t at_once, a_second;
    } rows[] = {
        /* 0 */ {&RATE_LIMIT_JOINS_OF_ADDRESS, 64, 32},
        /* 1 */ {&RATE_LIMIT_JOINS_OF_ALL, 200, 200},
        /* 2 */ {&RATE_LIMIT_QUERIES_OF_ADDRESS, 32, 16},
        /* 3 */ {&RATE_LIMIT_QUERIES_OF_ALL, 500, 500},
        /* 4 */ {&RATE_LIMIT_SESSION, 480, 240},
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

static unsigned takes(uint32_t address, unsigned wanted, uint64_t now_ns)
{
    unsigned taken = 0;
    for (unsigned i = 0; i < wanted; i++)
        taken += rate_limit_table_take(&table, (const uint8_t *)&address, sizeof address, now_ns);
    return taken;
}

static void one_address_cannot_use_up_the_share_of_another(void **state)
{
    (void)state;
    memset(&table, 0xAA, sizeof table);
    rate_limit_table_init(&table, (const uint8_t[RATE_LIMIT_KEY_BYTES]){1}, (struct rate_limit_rate){5, 5},
                          (struct rate_limit_rate){100, 100});
    assert_int_equal(takes(1, 1000, 0), 5);
    assert_int_equal(takes(2, 1000, 0), 5);
    assert_int_equal(takes(1, 1000, SECOND_NS), 5);
}

static void all_addresses_together_are_limited_by_the_shared_bucket(void **state)
{
    (void)state;
    rate_limit_table_init(&table, (const uint8_t[RATE_LIMIT_KEY_BYTES]){2}, (struct rate_limit_rate){5, 5},
                          (struct rate_limit_rate){100, 100});
    unsigned taken = 0;
    for (uint32_t address = 0; address < 10000; address++)
        taken += takes(address, 5, 0);
    assert_int_equal(taken, 100);
    assert_int_equal(takes(20000, 5, 0), 0);
    assert_int_equal(takes(20000, 5, SECOND_NS / 20), 5); // was not charged while the shared one was empty
}

static void which_addresses_share_a_row_depends_on_the_key(void **state)
{
    (void)state;
    unsigned taken[2] = {0};
    for (uint8_t key = 0; key < 2; key++) {
        rate_limit_table_init(&table, (const uint8_t[RATE_LIMIT_KEY_BYTES]){key}, (struct rate_limit_rate){1, 1},
                              (struct rate_limit_rate){1000000, 1000000});
        for (uint32_t address = 0; address < 2000; address++)
            taken[key] += takes(address, 1, 0) << (address % 3);
    }
    assert_int_not_equal(taken[0], taken[1]);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bucket_holds_its_burst_and_fills_at_its_rate),
        cmocka_unit_test(each_kind_of_request_has_its_rate),
        cmocka_unit_test(one_address_cannot_use_up_the_share_of_another),
        cmocka_unit_test(all_addresses_together_are_limited_by_the_shared_bucket),
        cmocka_unit_test(which_addresses_share_a_row_depends_on_the_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
