// SPDX-License-Identifier: MIT
// Keys and buttons that players bind: the defaults have no conflicts, whatever is bound makes none, and all is kept.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/config/bindings.h"
#include "base/random.h"
#include "test.h"
#include "window/keyboard.h"

static struct preferences preferences;

static void start(void)
{
    assert_true(preferences_read(&preferences, "", NULL));
}

static uint32_t code_of(enum preferences_row row)
{
    return bindings_get(&preferences, bindings_find(row));
}

static const struct binding *bind(enum preferences_row row, uint32_t code)
{
    return bindings_set(&preferences, bindings_find(row), code);
}

// Said apart from bindings.c: one press means two things, unless these are a move of the first set of keys and one of
// the second, which takes it over.
static bool is_ambiguous(const struct binding *one, const struct binding *other)
{
    bool moves_two = one->set != other->set && one->plays && other->plays;
    return (one->set == BINDING_BUTTONS) == (other->set == BINDING_BUTTONS) && !moves_two &&
           bindings_get(&preferences, one) && bindings_get(&preferences, one) == bindings_get(&preferences, other);
}

static uint32_t count_conflicts(void)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < BINDING_COUNT; i++)
        for (uint32_t other = 0; other < i; other++)
            count += is_ambiguous(&BINDINGS[i], &BINDINGS[other]);
    return count;
}

TEST(each_row_of_the_preferences_is_bound_once)
{
    start();
    assert_null(bindings_find(ROW_NAME));
    assert_null(bindings_find(ROW_VOLUME));
    for (uint32_t i = 0; i < BINDING_COUNT; i++) {
        const struct option *row = preferences_option(BINDINGS[i].row);
        assert_non_null(row);
        assert_int_equal(row->kind, BINDINGS[i].set == BINDING_BUTTONS ? OPTION_CHOICE : OPTION_NUMBER);
        assert_ptr_equal(bindings_find(BINDINGS[i].row), &BINDINGS[i]);
        for (uint32_t other = 0; other < i; other++)
            assert_int_not_equal(preferences_option(BINDINGS[other].row)->offset, row->offset);
    }
}

TEST(the_defaults_have_no_conflicts)
{
    start();
    assert_int_equal(count_conflicts(), 0);
    assert_int_equal(code_of(ROW_KEY_LEFT), code_of(ROW_KEY_LEFT_SECOND)); // which the second set takes over
    assert_int_equal(code_of(ROW_KEY_CHAT), KEY_T);
    assert_int_equal(code_of(ROW_KEY_EMOTES_SECOND), KEY_COMMA);
    assert_int_equal(code_of(ROW_PAD_VOTE), GAMEPAD_BUTTON_BACK);
}

TEST(who_had_a_key_gets_the_one_before)
{
    static const struct {
        enum preferences_row row;
        uint32_t code;
        enum preferences_row loser;
        uint32_t left;
    } rows[] = {
        /* 1 */ {ROW_KEY_JUMP, KEY_T, ROW_KEY_CHAT, KEY_SPACE},
        /* 2 */ {ROW_KEY_CHAT, KEY_Q, ROW_KEY_PHRASES, KEY_T},
        /* 3 */ {ROW_KEY_JUMP_SECOND, KEY_COMMA, ROW_KEY_EMOTES_SECOND, 229},
        /* 4 */ {ROW_KEY_SCOREBOARD, KEY_COMMA, ROW_KEY_EMOTES_SECOND, KEY_TAB},
        /* 5 */ {ROW_PAD_JUMP, GAMEPAD_BUTTON_RIGHT_STICK, ROW_PAD_EMOTES, GAMEPAD_BUTTON_A},
        /* 6: both sets have the arrow */ {ROW_KEY_LEFT, KEY_E, ROW_KEY_EMOTES, 0},
        /* 7: nobody */ {ROW_KEY_JUMP, KEY_P, ROW_NONE, 0},
        /* 8: its own */ {ROW_KEY_JUMP, KEY_SPACE, ROW_NONE, 0},
        /* 9: shared by design */ {ROW_KEY_JUMP, KEY_UP, ROW_KEY_UP, KEY_SPACE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start();
        const struct binding *loser = bind(rows[i].row, rows[i].code);
        if (loser != (rows[i].loser ? bindings_find(rows[i].loser) : NULL) || code_of(rows[i].row) != rows[i].code ||
            (loser && code_of(loser->row) != rows[i].left))
            fail_msg("row %zu: %s, %u", i + 1, loser ? preferences_option(loser->row)->name : "nobody",
                     loser ? code_of(loser->row) : 0);
        assert_int_equal(count_conflicts(), 0);
    }
}

TEST(whatever_is_bound_erased_and_reset_makes_no_conflict)
{
    uint32_t dice = 1;
    start();
    for (uint32_t i = 0; i < 400; i++) {
        const struct binding *binding = &BINDINGS[random_next(&dice) % BINDING_COUNT];
        uint32_t code = random_next(&dice) % (binding->set == BINDING_BUTTONS ? GAMEPAD_BUTTONS : 90);
        if (random_next(&dice) % 8 == 0)
            bindings_reset(&preferences, binding);
        else
            bindings_set(&preferences, binding, code);
        if (count_conflicts())
            fail_msg("step %u: %s on %u", i, preferences_option(binding->row)->name, code);
    }
    for (uint32_t i = 0; i < BINDING_COUNT; i++)
        bindings_reset(&preferences, &BINDINGS[i]);
    struct preferences fresh;
    assert_true(preferences_read(&fresh, "", NULL));
    for (uint32_t i = 0; i < BINDING_COUNT; i++)
        assert_int_equal(bindings_get(&preferences, &BINDINGS[i]), bindings_get(&fresh, &BINDINGS[i]));
}

TEST(bindings_are_kept)
{
    static const char PATH[] = "bindings_test.settings";
    struct error error;
    start();
    bind(ROW_KEY_CHAT, KEY_P);
    bind(ROW_KEY_PHRASES_SECOND, KEY_N); // which said no
    bind(ROW_PAD_SCOREBOARD, GAMEPAD_BUTTON_RIGHT_SHOULDER);
    bind(ROW_PAD_EMOTES, 0);
    assert_true(preferences_write(&preferences, PATH, &error));
    start();
    assert_true(preferences_read(&preferences, PATH, &error));
    remove(PATH);
    assert_int_equal(code_of(ROW_KEY_CHAT), KEY_P);
    assert_int_equal(code_of(ROW_KEY_PHRASES_SECOND), KEY_N);
    assert_int_equal(code_of(ROW_KEY_NO), KEY_M);
    assert_int_equal(code_of(ROW_PAD_SCOREBOARD), GAMEPAD_BUTTON_RIGHT_SHOULDER);
    assert_int_equal(code_of(ROW_PAD_EMOTES), 0);
}

TEST(what_always_means_the_same_is_fixed)
{
    assert_true(bindings_is_fixed(bindings_find(ROW_KEY_CHAT), KEY_F11));
    assert_false(bindings_is_fixed(bindings_find(ROW_KEY_CHAT), KEY_F3));
    assert_true(bindings_is_fixed(bindings_find(ROW_PAD_JUMP), GAMEPAD_BUTTON_START));
    assert_false(bindings_is_fixed(bindings_find(ROW_PAD_JUMP), GAMEPAD_BUTTON_BACK));
}
