// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "admin/handover.h"
#include "test.h"

static struct settings settings;
static struct log silent;
static struct admin_state admin;
static char text[REPLAY_NOTE_BYTES_MAX];

// A server that has read its options.
static void begin(void)
{
    static char name[] = "deadfall-server", *arguments[] = {name, NULL};
    struct options_result result;
    settings = (struct settings){0};
    assert_int_equal(options_read(&SERVER_PROGRAM, &settings, 1, arguments, getenv, stdout, &result), OPTIONS_RUN);
    silent = (struct log){0};
    admin = (struct admin_state){.settings = &settings, .log = &silent, .read = settings};
}

static size_t write_set(void)
{
    struct fields fields;
    static const char *const rows[][2] = {{"bots", "5"}, {"name", "A b,c"}, {"rotation", "duel, foundry"}};
    begin();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(option_change_outcome(&admin, option_change_set(&admin, rows[i][0], rows[i][1]), &fields),
                         ANSWER_DONE);
    return handover_write(&admin, &(struct handover){123456, 1700000000}, text);
}

TEST(what_was_set_is_set_again)
{
    size_t count = write_set();
    begin();
    struct handover handover = handover_read(&admin, (const uint8_t *)text, count);
    assert_int_equal(handover.ran_ms, 123456);
    assert_int_equal(handover.drain_until_s, 1700000000);
    assert_int_equal(settings.bots, 5);
    assert_string_equal(settings.name, "A b,c");
    assert_int_equal(settings.rotation.count, 2);
    assert_string_equal(settings.rotation.values[1], "foundry");
    char again[REPLAY_NOTE_BYTES_MAX];
    assert_int_equal(handover_write(&admin, &handover, again), count);
    assert_memory_equal(again, text, count);
}

TEST(a_value_that_has_changed_wins)
{
    size_t count = write_set();
    begin();
    settings.bots = admin.read.bots = 2;
    handover_read(&admin, (const uint8_t *)text, count);
    assert_int_equal(settings.bots, 2);
    assert_string_equal(settings.name, "A b,c");
}

TEST(lines_that_no_server_writes_are_skipped)
{
    static const char *const rows[] = {
        "",
        "\n\n",
        "set",
        "set ",
        "set bots",
        "set bots ",
        "set bots 5",
        "set bots 00000000 5",
        "set port f4dbdf21 1",
        "set nonsense 00000000 5",
        "ran x\nset",
        "ran 99999999999999999999999999",
        "drain",
        "drain x",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin();
        struct settings before = settings;
        handover_read(&admin, (const uint8_t *)rows[i], strlen(rows[i]));
        assert_memory_equal(&settings, &before, sizeof before);
    }
}

TEST(damaged_bytes_leave_valid_settings)
{
    size_t count = write_set();
    struct options_result nothing_given = {0};
    struct error error;
    for (size_t bit = 0; bit < 8 * count; bit++) {
        begin();
        text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
        handover_read(&admin, (const uint8_t *)text, bit % 7 == 0 ? bit / 8 : count);
        text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
        assert_true(settings_validate(&settings, &nothing_given, &error));
    }
}

TEST(what_does_not_fit_is_left_out)
{
    begin();
    settings.rotation.count = OPTION_LIST_CAPACITY;
    for (uint32_t i = 0; i < OPTION_LIST_CAPACITY; i++)
        memset(settings.rotation.values[i], 'x', OPTION_TEXT_BYTES - 1);
    settings.bots = 3;
    size_t count = handover_write(&admin, &(struct handover){.ran_ms = 1}, text);
    assert_true(count < 100 && memcmp(text, "ran 1\nset bots ", 15) == 0);
}
