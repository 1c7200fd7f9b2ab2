// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "match/input_queue.h"

#define NOW 1000u

static struct player_input hold(uint32_t buttons)
{
    return (struct player_input){buttons};
}

static void an_input_is_accepted_only_for_the_next_32_ticks(void **state)
{
    (void)state;
    static const struct {
        tick for_tick;
        bool taken;
        uint32_t late;
    } rows[] = {
        /* 1 */ {NOW + 1, true, 0},
        /* 2 */ {NOW + 32, true, 0},
        /* 3 */ {NOW + 33, false, 0}, // too far ahead
        /* 4 */ {NOW, false, 1},      // just over
        /* 5 */ {NOW - 31, false, 1},
        /* 6 */ {NOW - 32, false, 0}, // so old that it does not count as late
        /* 7 */ {NOW + 0x7FFFFFFF, false, 0},
        /* 8 */ {0, false, 0}, // no tick at all
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct input_queue queue = {0};
        bool taken = input_queue_push(&queue, rows[i].for_tick, hold(BUTTON_LEFT), NOW, 0);
        if (taken != rows[i].taken || queue.late != rows[i].late)
            fail_msg("row %zu: accepted %d, late %u", i + 1, taken, queue.late);
        if (input_queue_take(&queue, NOW + 1).buttons != (rows[i].for_tick == NOW + 1 ? BUTTON_LEFT : 0u))
            fail_msg("row %zu: used in the wrong tick", i + 1);
    }
}

static void ticks_continue_after_they_wrap(void **state)
{
    (void)state;
    struct input_queue queue = {0};
    assert_true(input_queue_push(&queue, 0xFFFFFFFF, hold(BUTTON_LEFT), 0xFFFFFFFE, 0));
    assert_true(input_queue_push(&queue, 5, hold(BUTTON_RIGHT), 0xFFFFFFFE, 0));
    assert_int_equal(queue.newest_tick, 5);
    assert_int_equal(input_queue_take(&queue, 0xFFFFFFFF).buttons, BUTTON_LEFT);
    assert_int_equal(input_queue_take(&queue, 5).buttons, BUTTON_RIGHT);
}

static void the_first_input_for_a_tick_counts(void **state)
{
    (void)state;
    struct input_queue queue = {0};
    assert_true(input_queue_push(&queue, NOW + 1, hold(BUTTON_LEFT), NOW, 0));
    assert_false(input_queue_push(&queue, NOW + 1, hold(BUTTON_RIGHT), NOW, 0));
    assert_int_equal(input_queue_take(&queue, NOW + 1).buttons, BUTTON_LEFT);
    assert_int_equal(queue.margin_count, 1);
}

static void a_late_input_is_dropped_counted_once_and_never_shifted(void **state)
{
    (void)state;
    struct input_queue queue = {0};
    input_queue_push(&queue, NOW + 1, hold(BUTTON_LEFT), NOW, 0);
    input_queue_take(&queue, NOW + 1);
    input_queue_take(&queue, NOW + 2);
    for (int repeat = 0; repeat < 3; repeat++)
        assert_false(input_queue_push(&queue, NOW + 2, hold(BUTTON_RIGHT), NOW + 2, 0));
    assert_int_equal(queue.late, 1);
    assert_int_equal(input_queue_take(&queue, NOW + 3).buttons, BUTTON_LEFT);
}

static void without_inputs_the_last_is_repeated_and_then_released(void **state)
{
    (void)state;
    uint32_t all = BUTTON_RIGHT | BUTTON_JUMP | BUTTON_DASH | BUTTON_SHOOT | BUTTON_GRAB;
    struct input_queue queue = {0};
    input_queue_push(&queue, NOW + 1, hold(all), NOW, 0);
    assert_int_equal(input_queue_take(&queue, NOW + 1).buttons, all);
    for (uint32_t silence = 1; silence <= 20; silence++) {
        uint32_t expected = silence <= 6 ? all : silence <= 15 ? (uint32_t)(BUTTON_RIGHT | BUTTON_GRAB) : 0;
        uint32_t found = input_queue_take(&queue, NOW + 1 + silence).buttons;
        if (found != expected)
            fail_msg("after %u ticks of silence: %x", silence, found);
    }
    assert_int_equal(queue.missed, 20);
    input_queue_push(&queue, NOW + 22, hold(BUTTON_JUMP), NOW + 21, 0);
    assert_int_equal(input_queue_take(&queue, NOW + 22).buttons, BUTTON_JUMP);
    assert_int_equal(input_queue_take(&queue, NOW + 23).buttons, BUTTON_JUMP); // the silence starts again
}

static void nothing_is_missed_before_the_first_input(void **state)
{
    (void)state;
    struct input_queue queue = {0};
    assert_int_equal(input_queue_take(&queue, NOW).buttons, 0);
    input_queue_push(&queue, NOW + 3, hold(BUTTON_LEFT), NOW, 0);
    for (tick number = NOW + 1; number <= NOW + 3; number++)
        input_queue_take(&queue, number);
    assert_int_equal(queue.missed, 0);
    input_queue_take(&queue, NOW + 4);
    assert_int_equal(queue.missed, 1);
}

static void an_input_without_a_time_is_neither_measured_nor_late(void **state)
{
    (void)state;
    struct input_queue queue = {0};
    assert_true(input_queue_push(&queue, NOW + 2, hold(BUTTON_LEFT), NOW, INPUT_UNTIMED));
    assert_false(input_queue_push(&queue, NOW - 3, hold(BUTTON_LEFT), NOW, INPUT_UNTIMED));
    assert_int_equal(queue.margin_count, 0);
    assert_int_equal(queue.late, 0);
    assert_int_equal(input_queue_take(&queue, NOW + 2).buttons, BUTTON_LEFT);
}

static void the_margin_is_the_smallest_of_16_arrivals_in_quarter_ticks(void **state)
{
    (void)state;
    static const struct {
        int32_t ahead;    // ticks
        uint32_t elapsed; // quarter ticks since the last tick
        int32_t margin;   // then
    } rows[] = {
        /* 1 */ {3, 0, 12}, // three ticks early
        /* 2 */ {3, 1, 11},
        /* 3 */ {4, 0, 11}, // the smallest counts
        /* 4 */ {1, 3, 1},  // a quarter before its tick
        /* 5 */ {0, 2, -2}, // two quarters late
        /* 6 */ {-30, 4, -124},
        /* 7 */ {-31, 200, -128}, // no further
    };
    struct input_queue queue = {0};
    assert_int_equal(input_queue_margin(&queue), 0);
    tick now = NOW;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++, now += 100) {
        input_queue_push(&queue, now + (uint32_t)rows[i].ahead, hold(0), now, rows[i].elapsed);
        if (input_queue_margin(&queue) != rows[i].margin)
            fail_msg("row %zu: %d", i + 1, input_queue_margin(&queue));
    }
    for (int i = 0; i < 16; i++, now += 100)
        input_queue_push(&queue, now + 2, hold(0), now, 0);
    assert_int_equal(input_queue_margin(&queue), 8); // the late ones are forgotten
    input_queue_push(&queue, now + 1000, hold(0), now, 0);
    assert_int_equal(input_queue_margin(&queue), 8);
    for (int i = 0; i < 16; i++)
        input_queue_push(&queue, now + 1000 + (uint32_t)i, hold(0), now, 0);
    assert_int_equal(input_queue_margin(&queue), 127); // the margin of a client far ahead is capped
}

static void the_newest_input_stays_the_newest_in_any_order(void **state)
{
    (void)state;
    static const tick order[] = {3, 2, 5, 1, 4};
    struct input_queue queue = {0};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        assert_true(input_queue_push(&queue, NOW + order[i], hold(1u << order[i]), NOW, 0));
        assert_int_equal(queue.newest_tick, NOW + (i < 2 ? 3 : 5));
    }
    for (tick t = 1; t <= 5; t++)
        assert_int_equal(input_queue_take(&queue, NOW + t).buttons, 1u << t);
    assert_int_equal(queue.missed, 0);
}

static void one_arrival_is_measured_within_its_bounds(void **state)
{
    (void)state;
    static const struct {
        tick ahead;
        uint32_t elapsed;
        int32_t margin;
    } rows[] = {
        /* 0 */ {32, 4, 124},  // the farthest that is accepted
        /* 1 */ {33, 4, 124},  // no more than that is measured
        /* 2 */ {100, 4, 124}, //
        /* 3 */ {32, 128, 0},  // half a second after the last tick
        /* 4 */ {32, 1000, 0}, // no more than that is measured
        /* 5 */ {0, 128, -128},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct input_queue queue = {0};
        input_queue_push(&queue, NOW + rows[i].ahead, hold(0), NOW, rows[i].elapsed);
        if (input_queue_margin(&queue) != rows[i].margin)
            fail_msg("row %zu: %d", i, input_queue_margin(&queue));
    }
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(an_input_is_accepted_only_for_the_next_32_ticks),
        cmocka_unit_test(ticks_continue_after_they_wrap),
        cmocka_unit_test(the_first_input_for_a_tick_counts),
        cmocka_unit_test(a_late_input_is_dropped_counted_once_and_never_shifted),
        cmocka_unit_test(without_inputs_the_last_is_repeated_and_then_released),
        cmocka_unit_test(nothing_is_missed_before_the_first_input),
        cmocka_unit_test(the_newest_input_stays_the_newest_in_any_order),
        cmocka_unit_test(one_arrival_is_measured_within_its_bounds),
        cmocka_unit_test(an_input_without_a_time_is_neither_measured_nor_late),
        cmocka_unit_test(the_margin_is_the_smallest_of_16_arrivals_in_quarter_ticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
