// SPDX-License-Identifier: MIT
#include "match/input_queue.h"
#include "test.h"

#define NOW 1000u

static struct input_queue queue;

static void begin(void)
{
    queue = (struct input_queue){0};
}

EACH_TEST(begin, NULL);

// Pushes a message with the buttons held in one tick, and returns whether it is taken.
static bool push(tick number, uint32_t buttons, tick now, uint64_t elapsed)
{
    struct input_message message = {.newest_tick = number, .count = 1, .inputs = {{{{buttons}}}}};
    return input_queue_push(&queue, &message, now, elapsed) == 1;
}

TEST(an_input_is_accepted_only_for_the_next_32_ticks)
{
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
        begin();
        push(NOW - 40, 0, NOW - 41, 0);
        for (tick stepped = NOW - 40; stepped <= NOW; stepped++)
            input_queue_take(&queue, stepped);
        bool taken = push(rows[i].for_tick, BUTTON_LEFT, NOW, 0);
        if (taken != rows[i].taken || queue.late != rows[i].late)
            fail_msg("row %zu: accepted %d, late %u", i + 1, taken, queue.late);
        if (input_queue_take(&queue, NOW + 1).of[0].buttons != (rows[i].for_tick == NOW + 1 ? BUTTON_LEFT : 0u))
            fail_msg("row %zu: used in the wrong tick", i + 1);
    }
}

TEST(ticks_continue_after_they_wrap)
{
    assert_true(push(0xFFFFFFFF, BUTTON_LEFT, 0xFFFFFFFE, 0));
    assert_true(push(5, BUTTON_RIGHT, 0xFFFFFFFE, 0));
    assert_int_equal(queue.newest_tick, 5);
    assert_int_equal(input_queue_take(&queue, 0xFFFFFFFF).of[0].buttons, BUTTON_LEFT);
    assert_int_equal(input_queue_take(&queue, 5).of[0].buttons, BUTTON_RIGHT);
}

TEST(the_first_input_for_a_tick_counts)
{
    assert_true(push(NOW + 1, BUTTON_LEFT, NOW, 0));
    assert_false(push(NOW + 1, BUTTON_RIGHT, NOW, 0));
    assert_int_equal(input_queue_take(&queue, NOW + 1).of[0].buttons, BUTTON_LEFT);
    assert_int_equal(queue.margin_count, 1);
}

TEST(a_late_input_is_dropped_counted_once_and_never_shifted)
{
    push(NOW + 1, BUTTON_LEFT, NOW, 0);
    input_queue_take(&queue, NOW + 1);
    input_queue_take(&queue, NOW + 2);
    for (int repeat = 0; repeat < 3; repeat++)
        assert_false(push(NOW + 2, BUTTON_RIGHT, NOW + 2, 0));
    assert_int_equal(queue.late, 1);
    assert_int_equal(input_queue_take(&queue, NOW + 3).of[0].buttons, BUTTON_LEFT);
}

TEST(a_late_input_that_changes_nothing_does_not_count)
{
    push(NOW + 1, BUTTON_LEFT, NOW, 0);
    for (tick number = NOW + 1; number <= NOW + 4; number++)
        input_queue_take(&queue, number);
    push(NOW + 3, BUTTON_LEFT, NOW + 4, 0);
    assert_int_equal(queue.late + queue.missed, 0);
    push(NOW + 4, BUTTON_LEFT | BUTTON_JUMP, NOW + 4, 0);
    assert_int_equal(queue.late, 1);
    assert_int_equal(queue.missed, 1);
}

TEST(a_tick_is_missed_once)
{
    push(NOW + 1, BUTTON_LEFT, NOW, 0);
    for (tick number = NOW + 1; number <= NOW + 13; number++)
        input_queue_take(&queue, number);
    assert_int_equal(queue.missed, 3); // the tenth tick of silence and those after it
    for (tick number = NOW + 8; number <= NOW + 13; number++)
        push(number, BUTTON_RIGHT, NOW + 13, 0);
    assert_int_equal(queue.late, 6);
    assert_int_equal(queue.missed, 6);
}

TEST(without_inputs_the_last_is_repeated_and_then_released)
{
    uint32_t all = BUTTON_RIGHT | BUTTON_JUMP | BUTTON_DASH | BUTTON_SHOOT | BUTTON_GRAB;
    push(NOW + 1, all, NOW, 0);
    assert_int_equal(input_queue_take(&queue, NOW + 1).of[0].buttons, all);
    for (uint32_t silence = 1; silence <= 20; silence++) {
        uint32_t expected = silence <= 9 ? all : silence <= 15 ? (uint32_t)(BUTTON_RIGHT | BUTTON_GRAB) : 0;
        uint32_t found = input_queue_take(&queue, NOW + 1 + silence).of[0].buttons;
        if (found != expected)
            fail_msg("after %u ticks of silence: %x", silence, found);
    }
    assert_int_equal(queue.missed, 11);
    push(NOW + 22, BUTTON_JUMP, NOW + 21, 0);
    assert_int_equal(input_queue_take(&queue, NOW + 22).of[0].buttons, BUTTON_JUMP);
    assert_int_equal(input_queue_take(&queue, NOW + 23).of[0].buttons, BUTTON_JUMP); // the silence starts again
}

TEST(nothing_is_missed_before_the_first_input)
{
    assert_int_equal(input_queue_take(&queue, NOW).of[0].buttons, 0);
    push(NOW + 3, BUTTON_LEFT, NOW, 0);
    for (tick number = NOW + 1; number <= NOW + 3; number++)
        input_queue_take(&queue, number);
    push(NOW + 2, BUTTON_JUMP, NOW + 3, 0);
    assert_int_equal(queue.missed, 0);
    input_queue_take(&queue, NOW + 4);
    push(NOW + 4, BUTTON_JUMP, NOW + 4, 0);
    assert_int_equal(queue.missed, 1);
}

TEST(an_input_without_a_time_is_neither_measured_nor_late)
{
    assert_true(push(NOW + 2, BUTTON_LEFT, NOW, INPUT_UNTIMED));
    assert_false(push(NOW - 3, BUTTON_LEFT, NOW, INPUT_UNTIMED));
    assert_int_equal(queue.margin_count, 0);
    assert_int_equal(queue.late, 0);
    assert_int_equal(input_queue_take(&queue, NOW + 2).of[0].buttons, BUTTON_LEFT);
}

TEST(the_margin_is_the_least_of_16_ticks_in_quarter_ticks)
{
    static const struct {
        tick number;
        int32_t ahead;    // ticks
        uint32_t elapsed; // quarter ticks since the last tick
        int32_t margin;   // then
    } rows[] = {
        /*  1 */ {1000, 3, 0, 12}, // three ticks early
        /*  2 */ {1001, 3, 1, 11},
        /*  3 */ {1002, 4, 0, 11}, // the least counts
        /*  4 */ {1003, 1, 3, 1},  // a quarter before its tick
        /*  5 */ {1004, 0, 2, -2}, // two quarters late
        /*  6 */ {1005, -30, 4, -124},
        /*  7 */ {1006, -31, 200, -128}, // no further
        /*  8 */ {1021, 2, 0, -128},
        /*  9 */ {1022, 2, 0, 8},             // 16 ticks later
        /* 10 */ {1010, 1, 0, 4},             // overtaken
        /* 11 */ {1006 + 1000, 1000, 0, 127}, // far ahead, and capped
    };
    assert_int_equal(queue.margin, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        push(rows[i].number, 0, rows[i].number - (uint32_t)rows[i].ahead, rows[i].elapsed);
        if (queue.margin != rows[i].margin)
            fail_msg("row %zu: %d", i + 1, queue.margin);
    }
}

TEST(inputs_that_were_due_are_measured)
{
    struct input_message message = {
        .newest_tick = NOW + 6,
        .count = 6,
        .inputs = {{{{1}}}, {{{1}}}, {{{2}}}, {{{2}}}, {{{2}}}, {{{2}}}}}; // of ticks 1 to 6
    assert_int_equal(input_queue_push(&queue, &message, NOW, 0), 6);
    assert_int_equal(queue.margin_count, 2);
    assert_int_equal(queue.margin, 4 * 3);
    assert_int_equal(input_queue_push(&queue, &message, NOW, 0), 0);
    assert_int_equal(queue.margin_count, 2);
}

TEST(the_newest_input_stays_the_newest_in_any_order)
{
    static const tick order[] = {3, 2, 5, 1, 4};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        assert_true(push(NOW + order[i], 1u << order[i], NOW, 0));
        assert_int_equal(queue.newest_tick, NOW + (i < 2 ? 3 : 5));
    }
    for (tick t = 1; t <= 5; t++)
        assert_int_equal(input_queue_take(&queue, NOW + t).of[0].buttons, 1u << t);
    assert_int_equal(queue.missed, 0);
}

TEST(one_arrival_is_measured_within_its_bounds)
{
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
        begin();
        push(NOW + rows[i].ahead, 0, NOW, rows[i].elapsed);
        if (queue.margin != rows[i].margin)
            fail_msg("row %zu: %d", i, queue.margin);
    }
}
