// SPDX-License-Identifier: MIT
#include "core/client_clock.h"
#include "test.h"

#include <string.h>

static struct client_inputs inputs;
static struct input_message batch;

// The input of each tick is its number n, sent n milliseconds after the start.
static void add(tick number)
{
    client_inputs_add(&inputs, number, &(struct local_inputs){{{number}}}, number * UINT64_C(1000));
}

static void begin(tick now, tick newest)
{
    inputs = (struct client_inputs){0};
    client_inputs_begin(&inputs, now);
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
        inputs.confirmed = rows[i].confirmed;
        memset(&batch, 0xAA, sizeof batch);
        client_inputs_batch(&inputs, rows[i].world, &batch);
        if (batch.count != rows[i].count)
            fail_msg("row %zu: %u", i, batch.count);
        assert_int_equal(batch.newest_tick, rows[i].newest);
        for (uint32_t k = 0; k < batch.count; k++)
            assert_int_equal(batch.inputs[k].of[0].buttons, rows[i].newest - (batch.count - 1) + k);
    }
}

TEST(skipped_ticks_have_the_input_of_the_tick_after_them)
{
    uint32_t age_us;
    begin(100, 102);
    add(106);
    client_inputs_confirm(&inputs, 106);
    client_inputs_batch(&inputs, 100, &batch);
    assert_int_equal(batch.count, 1);
    inputs.confirmed = 0;
    client_inputs_batch(&inputs, 100, &batch);
    static const uint32_t expected[] = {101, 102, 106, 106, 106, 106};
    assert_int_equal(batch.count, 6);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(batch.inputs[i].of[0].buttons, expected[i]);
    client_inputs_confirm(&inputs, 106);
    assert_true(client_inputs_age(&inputs, 103, 110000, &age_us));
    assert_int_equal(age_us, 4000);
    assert_true(client_inputs_age(&inputs, 102, 110000, &age_us));
    assert_int_equal(age_us, 8000);
    add(1000); // more than are kept
    client_inputs_confirm(&inputs, 1000);
    assert_true(client_inputs_age(&inputs, 937, 1001000, &age_us));
    assert_int_equal(age_us, 1000);
}

TEST(an_age_is_that_of_an_input_that_the_server_has)
{
    static const struct {
        tick number;
        bool known;
    } rows[] = {{100, false}, {236, false}, {237, true}, {290, true}, {291, false}, {300, false}, {400, false}};
    begin(100, 300);
    client_inputs_confirm(&inputs, 290);
    client_inputs_confirm(&inputs, 250); // overtaken
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t age_us = 7;
        if (client_inputs_age(&inputs, rows[i].number, 400000, &age_us) != rows[i].known)
            fail_msg("row %zu", i);
        assert_int_equal(age_us, rows[i].known ? 400000 - rows[i].number * 1000 : 7);
    }
    begin(100, 110);
    client_inputs_confirm(&inputs, 105);
    uint32_t age_us;
    assert_false(client_inputs_age(&inputs, 100, 400000, &age_us)); // before the first
    assert_true(client_inputs_age(&inputs, 101, 400000, &age_us));
    assert_true(client_inputs_age(&inputs, 105, 400000, &age_us));
    assert_false(client_inputs_age(&inputs, 106, 400000, &age_us));
    client_inputs_confirm(&inputs, 106);
    assert_true(client_inputs_age(&inputs, 106, 400000, &age_us));
}

TEST(after_a_restart_there_are_no_older_inputs)
{
    begin(100, 110);
    client_inputs_begin(&inputs, 200);
    add(201);
    client_inputs_batch(&inputs, 190, &batch);
    assert_int_equal(batch.count, 1);
    assert_int_equal(batch.newest_tick, 201);
    assert_int_equal(batch.inputs[0].of[0].buttons, 201);
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
        inputs = (struct client_inputs){0};
        client_inputs_begin(&inputs, 100);
        client_inputs_confirm(&inputs, 100);
        for (size_t k = 0; rows[i].buttons[k]; k++) {
            client_inputs_add(&inputs, 101 + (tick)k, &(struct local_inputs){{{(uint32_t)rows[i].buttons[k]}}}, 0);
            found[k] = client_inputs_due(&inputs) ? '+' : '.';
            if (found[k] == '+')
                client_inputs_batch(&inputs, 90, &batch);
        }
        if (strcmp(found, rows[i].messages) != 0)
            fail_msg("row %zu: %s", i, found);
    }
}

TEST(every_tick_needs_a_message_until_the_server_holds_one)
{
    begin(100, 100);
    for (tick number = 101; number < 120; number++) {
        client_inputs_add(&inputs, number, &(struct local_inputs){{{0}}}, 0);
        assert_true(client_inputs_due(&inputs));
        client_inputs_batch(&inputs, 90, &batch);
    }
    client_inputs_confirm(&inputs, 110);
    client_inputs_add(&inputs, 120, &(struct local_inputs){{{0}}}, 0);
    assert_false(client_inputs_due(&inputs));
}
