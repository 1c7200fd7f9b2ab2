// SPDX-License-Identifier: MIT
#include "match/tick_clock.h"
#include "test.h"

#define SECOND_NS 1000000000u
#define START_NS  777u

static uint32_t take_all(struct tick_clock *clock, uint64_t now_ns)
{
    uint32_t count = 0;
    while (tick_clock_take(clock, now_ns))
        count++;
    return count;
}

TEST(an_hour_has_exactly_216000_ticks)
{
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

TEST(a_delay_is_caught_up_by_at_most_four_ticks_and_the_others_are_skipped)
{
    static const struct {
        uint64_t delay_us;
        uint32_t skipped, ticks;
        uint64_t overruns;
    } rows[] = {
        /* 1 */ {0, 0, 0, 0},          /* 2 */ {16666, 0, 0, 0},      /* 3 */ {16667, 0, 1, 0},
        /* 4 */ {34000, 0, 2, 0},
        /* 5 */ {67000, 0, 4, 0},      /* 6 */ {83333, 0, 4, 0},      /* 7 */ {83334, 1, 4, 1}, // a fifth
        /* 8 */ {220000, 9, 4, 1},     /* 9 */ {250000, 11, 4, 1},    /* 10 */ {1000000, 56, 4, 1},
        /* 11 */ {5066666, 299, 4, 1}, /* 12 */ {5066667, 300, 4, 1},
        /* 13 */ {5083334, 0, 4, 1}, // the clock starts again
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tick_clock clock = {0};
        tick_clock_start(&clock, START_NS);
        uint64_t now_ns = START_NS + rows[i].delay_us * 1000;
        if (rows[i].overruns > 0)
            assert_false(tick_clock_take(&clock, now_ns)); // some must be skipped first
        uint32_t skipped = tick_clock_skip(&clock, now_ns);
        uint32_t ticks = take_all(&clock, now_ns);
        uint32_t lost = i + 1 < sizeof rows / sizeof *rows ? skipped : 301;
        if (skipped != rows[i].skipped || ticks != rows[i].ticks || clock.overruns != rows[i].overruns ||
            clock.skipped != lost)
            fail_msg("row %zu: %u skipped, %u ticks, %u overruns", i + 1, skipped, ticks, (unsigned)clock.overruns);
        uint64_t deadline_ns = tick_clock_deadline_ns(&clock);
        if (deadline_ns <= now_ns || deadline_ns > now_ns + SECOND_NS / 60 + 1)
            fail_msg("row %zu: the next tick is not within a tick", i + 1);
    }
}

TEST(a_tick_that_begins_when_the_next_one_is_due_is_late)
{
    struct tick_clock clock = {0};
    tick_clock_start(&clock, START_NS);
    assert_int_equal(take_all(&clock, START_NS + 33000000u), 1);
    assert_int_equal(clock.late, 0);
    assert_int_equal(take_all(&clock, START_NS + 84000000u), 4);
    assert_int_equal(clock.late, 3);
}

TEST(skipped_ticks_keep_their_numbers)
{
    struct tick_clock clock = {0};
    tick_clock_start(&clock, START_NS);
    uint64_t now_ns = START_NS + SECOND_NS;
    uint32_t number = tick_clock_skip(&clock, now_ns);
    assert_int_equal(number + take_all(&clock, now_ns), 60);
    assert_true(tick_clock_deadline_ns(&clock) == START_NS + 61 * (uint64_t)SECOND_NS / 60);
}

TEST(a_clock_that_starts_again_counts_from_one)
{
    struct tick_clock clock = {0};
    tick_clock_start(&clock, START_NS);
    uint64_t now_ns = START_NS + SECOND_NS / 20;
    assert_int_equal(take_all(&clock, now_ns), 3);
    now_ns += 6 * (uint64_t)SECOND_NS;
    assert_int_equal(tick_clock_skip(&clock, now_ns), 0);
    assert_int_equal(take_all(&clock, now_ns), 4);
    assert_true(tick_clock_deadline_ns(&clock) > now_ns &&
                tick_clock_deadline_ns(&clock) <= now_ns + SECOND_NS / 60 + 1);
}

TEST(a_server_that_is_always_too_slow_does_not_fall_further_behind)
{
    struct tick_clock clock = {0};
    tick_clock_start(&clock, 0);
    uint64_t now_ns = 0, skipped = 0;
    for (int round = 0; round < 1000; round++) { // each tick takes 20 ms
        skipped += tick_clock_skip(&clock, now_ns);
        uint32_t in_a_row = take_all(&clock, now_ns);
        assert_in_range(in_a_row, 0, 4); // the server's other work is late by at most 4 ticks of 20 ms
        now_ns += in_a_row > 0 ? in_a_row * 20000000u : 1000000u;
    }
    assert_true(clock.overruns > 0 && skipped > 0);
    assert_true(tick_clock_deadline_ns(&clock) + SECOND_NS / 5 > now_ns); // never far behind
}
