// SPDX-License-Identifier: MIT
#include "net/impairment.h"
#include "net/transport.h"
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
