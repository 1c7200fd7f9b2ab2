// SPDX-License-Identifier: MIT
#include <string.h>

#include "net/impairment.h"
#include "test.h"

TEST(every_part_is_read_with_its_unit)
{
    static const struct {
        const char *text;
        struct impairment expected;
    } rows[] = {
        /* 1 */ {"", {0}},
        /* 2 */ {"delay=50ms", {.delay_us = 50000}},
        /* 3 */ {"delay=50us,jitter=1s", {.delay_us = 50, .jitter_us = 1000000}},
        /* 4 */ {"loss=5%,dup=2%,reorder=100%", {.loss_ppm = 50000, .duplicate_ppm = 20000, .reorder_ppm = 1000000}},
        /* 5 */ {"loss=0.5%", {.loss_ppm = 5000}},
        /* 6 */ {"loss=0.0001%", {.loss_ppm = 1}},
        /* 7 */ {"delay=10s", {.delay_us = 10000000}},
        /* 8 */ {"loss=1%,loss=2%", {.loss_ppm = 20000}}, // the last word counts
        /* 9 */ {"rate=128kbit", {.rate_bits_per_s = 128000}},
        /* 10 */ {"rate=1bit", {.rate_bits_per_s = 1}},
        /* 11 */ {"rate=1000mbit", {.rate_bits_per_s = 1000000000}},
        /* 12 */ {"rate=128kbit,delay=5ms", {.delay_us = 5000, .rate_bits_per_s = 128000}},
        /* 13 */ {"delay=987ms,jitter=0us", {.delay_us = 987000}},                                 // every digit
        /* 14 */ {"delay=000000000001ms,loss=100.0000%", {.delay_us = 1000, .loss_ppm = 1000000}}, // 12 digits
        /* 15 */ {"loss=9.9%,dup=00.25%", {.loss_ppm = 99000, .duplicate_ppm = 2500}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct impairment found;
        struct error error;
        if (!impairment_parse(rows[i].text, &found, &error))
            fail_msg("row %zu: %s", i + 1, error.text);
        assert_memory_equal(&found, &rows[i].expected, sizeof found);
    }
}

TEST(anything_else_is_refused_with_an_error)
{
    static const char *const rows[] = {
        /* 1 */ "delay",
        "delay=",
        "delay=ms",
        "delay=50", // no number, no unit
        /* 5 */ "delay=50ms,",
        ",delay=50ms",
        "delay=50ms;", // stray marks
        /* 8 */ "loss=101%",
        "loss=5",
        "loss=-1%",
        "delay=11s",
        /* 12 */ "loss=0.00001%",
        "loss=1.2.3%",
        "delay=0.5ms",
        "ping=1ms",
        /* 16 */ "delay=99999999999999999999999ms",
        "loss=4294967396%",
        /* 18 */ "rate=0bit",
        "rate=128",
        "rate=1001mbit",
        "rate=1.5mbit",
        /* 22 */ "loss=/%", // the neighbours of the digits
        "loss=:%",
        "loss=.%",
        "loss=1..5%",
        "delay=0000000000001ms", // 13 digits
        /* 27 */ "delay=10000001us",
        "loss=100.0001%",
        "rate=1000000001bit",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct impairment found;
        struct error error = {0};
        if (impairment_parse(rows[i], &found, &error) || !error.text[0])
            fail_msg("row %zu was accepted: %s", i + 1, rows[i]);
    }
}

#define MS 1000000u

static struct impairment_line line;
static const struct net_address where = {.bytes = {1, 2, 3, 4, 5, 6}, .byte_count = 6};
static struct net_address from;
static uint8_t bytes[DATAGRAM_BYTES_MAX + 1];

static void push(uint64_t now_ns, size_t byte_count)
{
    impairment_line_push(&line, now_ns, &where, bytes, byte_count);
}

static void push_letter(uint64_t now_ns, char letter)
{
    impairment_line_push(&line, now_ns, &where, (const uint8_t *)&letter, 1);
}

static size_t pop(uint64_t now_ns)
{
    return impairment_line_pop(&line, now_ns, &from, bytes);
}

static void begin(struct impairment impairment)
{
    memset(&line, 0, sizeof line);
    line.impairment = impairment;
    line.random = 7;
}

// Sends 1,000 datagrams, one each millisecond. Returns how many arrive by the end, and whether all are in order.
static unsigned pass(bool *in_order)
{
    unsigned arrived = 0;
    uint16_t last = 0;
    *in_order = true;
    for (uint16_t i = 0; i < 3000; i++) {
        uint64_t now_ns = (uint64_t)i * MS;
        if (i < 1000)
            impairment_line_push(&line, now_ns, &where, (const uint8_t *)&i, sizeof i);
        for (size_t size; (size = pop(now_ns)) > 0; arrived++) {
            uint16_t number;
            assert_int_equal(size, sizeof number);
            assert_memory_equal(&from, &where, sizeof where);
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
    push_letter(5, 'x');
    assert_int_equal(impairment_line_due_ns(&line), 101000005);
    begin((struct impairment){.delay_us = 1000, .jitter_us = 2});
    uint64_t least = UINT64_MAX, most = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        push_letter(0, 'x');
        uint64_t due_ns = impairment_line_due_ns(&line);
        least = due_ns < least ? due_ns : least;
        most = due_ns > most ? due_ns : most;
        assert_int_equal(pop(due_ns), 1);
    }
    assert_in_range(least, 1000000, 1000100);
    assert_in_range(most, 1001900, 1001999);
}

TEST(a_delay_is_exact_to_the_nanosecond)
{
    begin((struct impairment){.delay_us = 50000});
    push(1000, 9);
    assert_int_equal(impairment_line_due_ns(&line), 1000 + 50 * MS);
    assert_int_equal(pop(999 + 50 * MS), 0);
    assert_int_equal(pop(1000 + 50 * MS), 9);
}

TEST(a_rate_limits_the_bits_per_second)
{
    begin((struct impairment){.rate_bits_per_s = 80000});
    for (int i = 0; i < 3; i++)
        push(0, 1000);
    for (uint64_t ms = 100; ms <= 300; ms += 100) {
        assert_int_equal(pop(ms * MS - 1), 0);
        assert_int_equal(pop(ms * MS), 1000);
    }
}

TEST(a_full_queue_drops_datagrams_of_any_size)
{
    begin((struct impairment){.delay_us = 1});
    push(0, 0);
    push(0, DATAGRAM_BYTES_MAX + 1);
    assert_int_equal(line.count, 0);
    for (int i = 0; i < IMPAIRMENT_LINE_CAPACITY + 5; i++)
        push(0, 1);
    unsigned arrived = 0;
    while (pop(MS) > 0)
        arrived++;
    assert_int_equal(arrived, IMPAIRMENT_LINE_CAPACITY);
}

TEST(datagrams_that_are_due_together_keep_their_order)
{
    begin((struct impairment){.delay_us = 1});
    push_letter(0, 'a');
    for (const char *text = "bcd"; *text; text++)
        push_letter(5, *text);
    assert_int_equal(pop(1000), 1);
    assert_int_equal(bytes[0], 'a');
    push_letter(5, 'e'); // where `a` was
    for (const char *text = "bcde"; *text; text++) {
        assert_int_equal(pop(1005), 1);
        assert_int_equal(bytes[0], *text);
    }
    assert_int_equal(pop(1005), 0);
}
