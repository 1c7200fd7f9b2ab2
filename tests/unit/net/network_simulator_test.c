// SPDX-License-Identifier: MIT
#include <string.h>

#include "net/impairment.h"
#include "test.h"

#define MS 1000000u

static struct impairment_line line;
static const struct net_address where = {.bytes = {1, 2, 3, 4, 5, 6}, .byte_count = 6};

static void begin(struct impairment impairment)
{
    memset(&line, 0, sizeof line);
    line.impairment = impairment;
    line.random = 7;
}

// Sends 1,000 datagrams, one each millisecond. Returns how many arrive by the end, and whether all are in order.
static unsigned pass(bool *in_order)
{
    struct net_address address;
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    unsigned arrived = 0;
    uint16_t last = 0;
    *in_order = true;
    for (uint16_t i = 0; i < 3000; i++) {
        uint64_t now_ns = (uint64_t)i * MS;
        if (i < 1000)
            impairment_line_push(&line, now_ns, &where, (const uint8_t *)&i, sizeof i);
        for (size_t size; (size = impairment_line_pop(&line, now_ns, &address, bytes)) > 0; arrived++) {
            uint16_t number;
            assert_int_equal(size, sizeof number);
            assert_memory_equal(&address, &where, sizeof where);
            memcpy(&number, bytes, sizeof number);
            *in_order = *in_order && number >= last;
            last = number;
        }
    }
    assert_int_equal(impairment_line_due_ns(&line), UINT64_MAX);
    return arrived;
}

TEST(a_simulated_network_applies_its_impairment)
{
    static const struct {
        struct impairment impairment;
        unsigned least, most;
        bool in_order;
    } rows[] = {
        /* 0 */ {{0}, 1000, 1000, true},
        /* 1 */ {{.delay_us = 50000}, 1000, 1000, true},
        /* 2 */ {{.jitter_us = 20000}, 1000, 1000, false},
        /* 3 */ {{.loss_ppm = 100000}, 850, 950, true},
        /* 4 */ {{.loss_ppm = 1000000}, 0, 0, true},
        /* 5 */ {{.duplicate_ppm = 100000}, 1050, 1150, true},
        /* 6 */ {{.reorder_ppm = 10000}, 1000, 1000, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool in_order;
        begin(rows[i].impairment);
        unsigned arrived = pass(&in_order);
        if (arrived < rows[i].least || arrived > rows[i].most || in_order != rows[i].in_order)
            fail_msg("row %zu: %u arrived", i, arrived);
    }
}

TEST(a_reordered_datagram_is_100_ms_late_and_jitter_has_its_bounds)
{
    begin((struct impairment){.delay_us = 1000, .reorder_ppm = 1000000});
    impairment_line_push(&line, 5, &where, (const uint8_t *)"x", 1);
    assert_int_equal(impairment_line_due_ns(&line), 101000005);
    begin((struct impairment){.delay_us = 1000, .jitter_us = 2});
    uint64_t least = UINT64_MAX, most = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        struct net_address from;
        uint8_t bytes[DATAGRAM_BYTES_MAX];
        impairment_line_push(&line, 0, &where, (const uint8_t *)"x", 1);
        uint64_t due_ns = impairment_line_due_ns(&line);
        least = due_ns < least ? due_ns : least;
        most = due_ns > most ? due_ns : most;
        assert_int_equal(impairment_line_pop(&line, due_ns, &from, bytes), 1);
    }
    assert_in_range(least, 1000000, 1000100);
    assert_in_range(most, 1001900, 1001999);
}

TEST(a_delay_is_exact_to_the_nanosecond)
{
    struct net_address address;
    uint8_t bytes[DATAGRAM_BYTES_MAX] = {0};
    begin((struct impairment){.delay_us = 50000});
    impairment_line_push(&line, 1000, &where, bytes, 9);
    assert_int_equal(impairment_line_due_ns(&line), 1000 + 50 * MS);
    assert_int_equal(impairment_line_pop(&line, 999 + 50 * MS, &address, bytes), 0);
    assert_int_equal(impairment_line_pop(&line, 1000 + 50 * MS, &address, bytes), 9);
}

TEST(a_rate_limits_the_bits_per_second)
{
    struct net_address address;
    uint8_t bytes[DATAGRAM_BYTES_MAX] = {0};
    begin((struct impairment){.rate_bits_per_s = 80000});
    for (int i = 0; i < 3; i++)
        impairment_line_push(&line, 0, &where, bytes, 1000);
    for (uint64_t ms = 100; ms <= 300; ms += 100) {
        assert_int_equal(impairment_line_pop(&line, ms * MS - 1, &address, bytes), 0);
        assert_int_equal(impairment_line_pop(&line, ms * MS, &address, bytes), 1000);
    }
}

TEST(a_full_queue_drops_datagrams_of_any_size)
{
    static uint8_t bytes[DATAGRAM_BYTES_MAX + 1];
    struct net_address address;
    begin((struct impairment){.delay_us = 1});
    impairment_line_push(&line, 0, &where, bytes, 0);
    impairment_line_push(&line, 0, &where, bytes, DATAGRAM_BYTES_MAX + 1);
    assert_int_equal(line.count, 0);
    for (int i = 0; i < IMPAIRMENT_LINE_CAPACITY + 5; i++)
        impairment_line_push(&line, 0, &where, bytes, 1);
    unsigned arrived = 0;
    while (impairment_line_pop(&line, MS, &address, bytes) > 0)
        arrived++;
    assert_int_equal(arrived, IMPAIRMENT_LINE_CAPACITY);
}

TEST(datagrams_that_are_due_together_keep_their_order)
{
    struct net_address address;
    uint8_t bytes[DATAGRAM_BYTES_MAX];
    begin((struct impairment){.delay_us = 1});
    impairment_line_push(&line, 0, &where, (const uint8_t *)"a", 1);
    for (const char *text = "bcd"; *text; text++)
        impairment_line_push(&line, 5, &where, (const uint8_t *)text, 1);
    assert_int_equal(impairment_line_pop(&line, 1000, &address, bytes), 1);
    assert_int_equal(bytes[0], 'a');
    impairment_line_push(&line, 5, &where, (const uint8_t *)"e", 1); // where `a` was
    for (const char *text = "bcde"; *text; text++) {
        assert_int_equal(impairment_line_pop(&line, 1005, &address, bytes), 1);
        assert_int_equal(bytes[0], *text);
    }
    assert_int_equal(impairment_line_pop(&line, 1005, &address, bytes), 0);
}
