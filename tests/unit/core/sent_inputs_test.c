// SPDX-License-Identifier: MIT
#include "core/sent_inputs.h"
#include "test.h"

#include <string.h>

static struct sent_inputs sent;
static struct input_message batch;

// The input of each tick is its number n, sent n milliseconds after the start.
static void add(tick number)
{
    sent_inputs_add(&sent, number, (struct player_input){number}, number * UINT64_C(1000));
}

static void begin(tick now, tick newest)
{
    sent = (struct sent_inputs){0};
    sent_inputs_begin(&sent, now);
    for (tick number = now + 1; number != newest + 1; number++)
        add(number);
}

TEST(a_batch_has_the_inputs_that_the_server_still_needs)
{
    static const struct {
        tick now, newest, confirmed, world;
        uint32_t count;
    } rows[] = {
        /*  0 */ {100, 101, 0, 98, 1}, // the first: there are no older inputs
        /*  1 */ {100, 105, 0, 98, 5},
        /* 2 */ {100, 105, 103, 98, 2},
        /* 3 */ {100, 105, 0, 103, 2},
        /*  4 */ {100, 105, 102, 103, 2},
        /* 5 */ {100, 105, 104, 102, 1},
        /*  6 */ {100, 105, 105, 100, 1}, // at least one
        /*  7 */ {100, 105, 0, 105, 1},
        /*  8 */ {100, 100 + INPUT_BATCH_CAPACITY, 0, 90, INPUT_BATCH_CAPACITY},
        /*  9 */ {100, 101 + INPUT_BATCH_CAPACITY, 0, 90, INPUT_BATCH_CAPACITY},
        /* 10 */ {100, 300, 0, 90, INPUT_BATCH_CAPACITY},
        /* 11 */ {UINT32_MAX - 3, 2, UINT32_MAX - 1, UINT32_MAX - 2, 4}, // across the wrap
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(rows[i].now, rows[i].newest);
        sent.confirmed = rows[i].confirmed;
        memset(&batch, 0xAA, sizeof batch);
        sent_inputs_batch(&sent, rows[i].world, &batch);
        if (batch.count != rows[i].count)
            fail_msg("row %zu: %u", i, batch.count);
        assert_int_equal(batch.newest_tick, rows[i].newest);
        for (uint32_t k = 0; k < batch.count; k++)
            assert_int_equal(batch.inputs[k].buttons, rows[i].newest - (batch.count - 1) + k);
    }
}

TEST(skipped_ticks_have_the_input_of_the_tick_after_them)
{
    uint32_t age_us;
    begin(100, 102);
    add(106);
    sent_inputs_confirm(&sent, 106);
    sent_inputs_batch(&sent, 100, &batch);
    assert_int_equal(batch.count, 1);
    sent.confirmed = 0;
    sent_inputs_batch(&sent, 100, &batch);
    static const uint32_t expected[] = {101, 102, 106, 106, 106, 106};
    assert_int_equal(batch.count, 6);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(batch.inputs[i].buttons, expected[i]);
    sent_inputs_confirm(&sent, 106);
    assert_true(sent_inputs_age(&sent, 103, 110000, &age_us));
    assert_int_equal(age_us, 4000);
    assert_true(sent_inputs_age(&sent, 102, 110000, &age_us));
    assert_int_equal(age_us, 8000);
    add(1000); // more than are kept
    sent_inputs_confirm(&sent, 1000);
    assert_true(sent_inputs_age(&sent, 937, 1001000, &age_us));
    assert_int_equal(age_us, 1000);
}

TEST(an_age_is_that_of_an_input_that_the_server_has)
{
    static const struct {
        tick number;
        bool known;
    } rows[] = {{100, false}, {236, false}, {237, true}, {290, true}, {291, false}, {300, false}, {400, false}};
    begin(100, 300);
    sent_inputs_confirm(&sent, 290);
    sent_inputs_confirm(&sent, 250); // overtaken
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t age_us = 7;
        if (sent_inputs_age(&sent, rows[i].number, 400000, &age_us) != rows[i].known)
            fail_msg("row %zu", i);
        assert_int_equal(age_us, rows[i].known ? 400000 - rows[i].number * 1000 : 7);
    }
    begin(100, 110);
    sent_inputs_confirm(&sent, 105);
    uint32_t age_us;
    assert_false(sent_inputs_age(&sent, 100, 400000, &age_us)); // before the first
    assert_true(sent_inputs_age(&sent, 101, 400000, &age_us));
    assert_true(sent_inputs_age(&sent, 105, 400000, &age_us));
    assert_false(sent_inputs_age(&sent, 106, 400000, &age_us));
    sent_inputs_confirm(&sent, 106);
    assert_true(sent_inputs_age(&sent, 106, 400000, &age_us));
}

TEST(after_a_restart_there_are_no_older_inputs)
{
    begin(100, 110);
    sent_inputs_begin(&sent, 200);
    add(201);
    sent_inputs_batch(&sent, 190, &batch);
    assert_int_equal(batch.count, 1);
    assert_int_equal(batch.newest_tick, 201);
    assert_int_equal(batch.inputs[0].buttons, 201);
}

// One character for each tick: + a message, . none.
TEST(changes_need_messages_and_every_third_tick_does)
{
    static const struct {
        const char *buttons, *messages;
    } rows[] = {
        /* 0 */ {"aaaaaaaaaaaa", "+++..+..+..+"}, // the first three, then every third
        /* 1 */ {"aaaabaaaaaaa", "+++.++++..+."}, // two changes, and two repetitions of the second
        /* 2 */ {"aaaabcdefghi", "+++.++++++++"},
        /* 3 */ {"aaaaaabbbbbb", "+++..++++..+"},
        /* 4 */ {"aaaaaaaabaaa", "+++..+..++++"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char found[16] = {0};
        sent = (struct sent_inputs){0};
        sent_inputs_begin(&sent, 100);
        sent_inputs_confirm(&sent, 100);
        for (size_t k = 0; rows[i].buttons[k]; k++) {
            sent_inputs_add(&sent, 101 + (tick)k, (struct player_input){(uint32_t)rows[i].buttons[k]}, 0);
            found[k] = sent_inputs_due(&sent) ? '+' : '.';
            if (found[k] == '+')
                sent_inputs_batch(&sent, 90, &batch);
        }
        if (strcmp(found, rows[i].messages) != 0)
            fail_msg("row %zu: %s", i, found);
    }
}

TEST(every_tick_needs_a_message_until_the_server_holds_one)
{
    begin(100, 100);
    for (tick number = 101; number < 120; number++) {
        sent_inputs_add(&sent, number, (struct player_input){0}, 0);
        assert_true(sent_inputs_due(&sent));
        sent_inputs_batch(&sent, 90, &batch);
    }
    sent_inputs_confirm(&sent, 110);
    sent_inputs_add(&sent, 120, (struct player_input){0}, 0);
    assert_false(sent_inputs_due(&sent));
}
