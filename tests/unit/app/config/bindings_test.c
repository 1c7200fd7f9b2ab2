// SPDX-License-Identifier: MIT
// Keys and buttons that players bind: the defaults have no conflicts, whatever is bound makes none, and all is kept.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/config/bindings.h"
#include "app/platform/keyboard.h"
#include "base/rng.h"
#include "test.h"

static struct preferences preferences;

static void start(void)
{
    assert_true(preferences_read(&preferences, "", NULL));
}

static uint32_t code_of(const char *row)
{
    return bindings_get(&preferences, bindings_find(row));
}

static const struct binding *bind(const char *row, uint32_t code)
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
    assert_null(bindings_find("name"));
    assert_null(bindings_find("volume"));
    for (uint32_t i = 0; i < BINDING_COUNT; i++) {
        const struct option *row = preferences_row(BINDINGS[i].row);
        assert_non_null(row);
        assert_int_equal(row->kind, BINDINGS[i].set == BINDING_BUTTONS ? OPTION_CHOICE : OPTION_NUMBER);
        assert_ptr_equal(bindings_find(BINDINGS[i].row), &BINDINGS[i]);
        for (uint32_t other = 0; other < i; other++)
            assert_int_not_equal(preferences_row(BINDINGS[other].row)->offset, row->offset);
    }
}

TEST(the_defaults_have_no_conflicts)
{
    start();
    assert_int_equal(count_conflicts(), 0);
    assert_int_equal(code_of("key-left"), code_of("key-left-second")); // which the second set takes over
    assert_int_equal(code_of("key-chat"), KEY_T);
    assert_int_equal(code_of("key-emotes-second"), KEY_COMMA);
    assert_int_equal(code_of("pad-vote"), GAMEPAD_BUTTON_BACK);
}

TEST(who_had_a_key_gets_the_one_before)
{
    static const struct {
        const char *row;
        uint32_t code;
        const char *loser;
        uint32_t left;
    } rows[] = {
        /* 1 */ {"key-jump", KEY_T, "key-chat", KEY_SPACE},
        /* 2 */ {"key-chat", KEY_Q, "key-phrases", KEY_T},
        /* 3 */ {"key-jump-second", KEY_COMMA, "key-emotes-second", 229},
        /* 4 */ {"key-scoreboard", KEY_COMMA, "key-emotes-second", KEY_TAB},
        /* 5 */ {"pad-jump", GAMEPAD_BUTTON_RIGHT_STICK, "pad-emotes", GAMEPAD_BUTTON_A},
        /* 6: both sets have the arrow */ {"key-left", KEY_E, "key-emotes", 0},
        /* 7: nobody */ {"key-jump", KEY_P, NULL, 0},
        /* 8: its own */ {"key-jump", KEY_SPACE, NULL, 0},
        /* 9: shared by design */ {"key-jump", KEY_UP, "key-up", KEY_SPACE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        start();
        const struct binding *loser = bind(rows[i].row, rows[i].code);
        if (loser != (rows[i].loser ? bindings_find(rows[i].loser) : NULL) || code_of(rows[i].row) != rows[i].code ||
            (loser && code_of(loser->row) != rows[i].left))
            fail_msg("row %zu: %s, %u", i + 1, loser ? loser->row : "nobody", loser ? code_of(loser->row) : 0);
        assert_int_equal(count_conflicts(), 0);
    }
}

TEST(whatever_is_bound_erased_and_reset_makes_no_conflict)
{
    uint32_t dice = 1;
    start();
    for (uint32_t i = 0; i < 400; i++) {
        const struct binding *binding = &BINDINGS[rng_next(&dice) % BINDING_COUNT];
        uint32_t code = rng_next(&dice) % (binding->set == BINDING_BUTTONS ? GAMEPAD_BUTTONS : 90);
        if (rng_next(&dice) % 8 == 0)
            bindings_reset(&preferences, binding);
        else
            bindings_set(&preferences, binding, code);
        if (count_conflicts())
            fail_msg("step %u: %s on %u", i, binding->row, code);
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
    bind("key-chat", KEY_P);
    bind("key-phrases-second", KEY_N); // which said no
    bind("pad-scoreboard", GAMEPAD_BUTTON_RIGHT_SHOULDER);
    bind("pad-emotes", 0);
    assert_true(preferences_write(&preferences, PATH, &error));
    start();
    assert_true(preferences_read(&preferences, PATH, &error));
    remove(PATH);
    assert_int_equal(code_of("key-chat"), KEY_P);
    assert_int_equal(code_of("key-phrases-second"), KEY_N);
    assert_int_equal(code_of("key-no"), KEY_M);
    assert_int_equal(code_of("pad-scoreboard"), GAMEPAD_BUTTON_RIGHT_SHOULDER);
    assert_int_equal(code_of("pad-emotes"), 0);
}

TEST(what_always_means_the_same_is_fixed)
{
    assert_true(bindings_is_fixed(bindings_find("key-chat"), KEY_F11));
    assert_false(bindings_is_fixed(bindings_find("key-chat"), KEY_F3));
    assert_true(bindings_is_fixed(bindings_find("pad-jump"), GAMEPAD_BUTTON_START));
    assert_false(bindings_is_fixed(bindings_find("pad-jump"), GAMEPAD_BUTTON_BACK));
}
