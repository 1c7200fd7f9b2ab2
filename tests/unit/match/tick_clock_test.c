// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match/tick_clock.h"

#define SECOND_NS 1000000000u
#define START_NS  777u

static uint32_t take_all(struct tick_clock *clock, uint64_t now_ns)
{
    uint32_t count = 0;
    while (tick_clock_take(clock, now_ns))
        count++;
    return count;
}

static void an_hour_has_exactly_216000_ticks(void **state)
{
    (void)state;
    struct tick_clock clock = {0};
    tick_clock_start(&clock, START_NS);
    for (uint32_t n = 1; n <= 216000; n++) {
        uint64_t deadline_ns = START_NS + n * (uint64_t)SECOND_NS / 60;
        assert_true(tick_clock_deadline_ns(&clock) == deadline_ns);
        assert_false(tick_clock_take(&clock, deadline_ns - 1));
        assert_true(tick_clock_take(&clock, deadline_ns));
    }
    assert_true(tick_clock_deadline_ns(&clock) > START_NS + 3600 * (uint64_t)SECOND_NS);
    assert_int_equal(clock.overruns, 0);
}

static void a_delay_is_caught_up_by_at_most_four_ticks(void **state)
{
    (void)state;
    static const struct {
        uint64_t delay_ms;
        uint32_t ticks;
        uint64_t overruns;
    } rows[] = {
        /* 1 */ {0, 0, 0},   /* 2 */ {16, 0, 0},   /* 3 */ {17, 1, 0}, /* 4 */ {34, 2, 0},
        /* 5 */ {67, 4, 0},  /* 6 */ {83, 4, 0},   /* 7 */ {84, 4, 1}, // at a fifth, time jumps
        /* 8 */ {250, 4, 1}, /* 9 */ {5000, 4, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tick_clock clock = {0};
        tick_clock_start(&clock, START_NS);
        uint64_t now_ns = START_NS + rows[i].delay_ms * 1000000;
        uint32_t ticks = take_all(&clock, now_ns);
        if (ticks != rows[i].ticks || clock.overruns != rows[i].overruns)
            fail_msg("row %zu: %u ticks, %u overruns", i + 1, ticks, (unsigned)clock.overruns);
        uint64_t deadline_ns = tick_clock_deadline_ns(&clock);
        if (deadline_ns <= now_ns || deadline_ns > now_ns + SECOND_NS / 60 + 1)
            fail_msg("row %zu: the next tick is not within a tick", i + 1);
    }
}

static void a_server_that_is_always_too_slow_does_not_fall_further_behind(void **state)
{
    (void)state;
    struct tick_clock clock = {0};
    tick_clock_start(&clock, 0);
    uint64_t now_ns = 0, ticks = 0;
    for (int round = 0; round < 1000; round++) { // each tick takes 20 ms
        uint32_t in_a_row = 0;
        for (; tick_clock_take(&clock, now_ns); in_a_row++, ticks++)
            if (in_a_row == 4)
                break; // the server's other work is late by at most 4 ticks of 20 ms
        now_ns += in_a_row > 0 ? in_a_row * 20000000u : 1000000u;
    }
    assert_true(clock.overruns > 0);
    assert_true(tick_clock_deadline_ns(&clock) + SECOND_NS / 5 > now_ns); // never far behind
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(an_hour_has_exactly_216000_ticks),
        cmocka_unit_test(a_delay_is_caught_up_by_at_most_four_ticks),
        cmocka_unit_test(a_server_that_is_always_too_slow_does_not_fall_further_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
