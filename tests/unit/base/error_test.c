// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/error.h"
#include "test.h"

TEST(an_error_has_a_text_and_a_kind)
{
    struct error error = {.text = "old", .code = 3};
    assert_false(error_set(&error, "the file %s has %d bytes", "map", 7));
    assert_string_equal(error.text, "the file map has 7 bytes");
    assert_int_equal(error.code, 0);
    assert_false(error_set_code(&error, 78, "no %s", "key"));
    assert_string_equal(error.text, "no key");
    assert_int_equal(error.code, 78);
    assert_false(error_set(NULL, "nobody asks"));
}

TEST(words_can_be_put_around_an_error)
{
    struct error error;
    error_set(&error, "permission denied");
    error_set(&error, "the journal cannot be read: %s; a new match begins", error.text);
    assert_string_equal(error.text, "the journal cannot be read: permission denied; a new match begins");
}

TEST(an_error_in_another_ends_with_one_period)
{
    static const struct {
        const char *part, *whole;
    } rows[] = {
        /* 1 */ {"no such file", "the replay x cannot be shown: no such file. Try again."},
        /* 2 */ {"The replay is damaged.", "the replay x cannot be shown: The replay is damaged. Try again."},
        /* 3 */ {"see ../maps/.. and wait...", "the replay x cannot be shown: see ../maps/.. and wait.... Try again."},
        /* 4 */ {"", "the replay x cannot be shown: . Try again."},
        /* 5 */ {"it begins with \"DFR\".", "the replay x cannot be shown: it begins with \"DFR\". Try again."},
    };
    struct error error;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        error_set(&error, "the replay %s cannot be shown: %s. Try again.", "x", rows[i].part);
        assert_string_equal(error.text, rows[i].whole);
    }
    error_set(&error, "You are banned: %s.", "spam.");
    assert_string_equal(error.text, "You are banned: spam.");
}

TEST(a_text_that_is_too_long_is_cut_at_a_whole_character)
{
    char text[2 * ERROR_TEXT_BYTES];
    struct {
        struct error error;
        char beyond;
    } kept = {.beyond = 'x'};
    for (size_t before = 0; before < 5; before++) {
        memset(text, 'a', sizeof text);
        memcpy(text + ERROR_TEXT_BYTES - 1 - before, "\xF0\x9F\x98\x80", 4);
        text[sizeof text - 1] = 0;
        error_set(&kept.error, "%s", text);
        size_t length = strlen(kept.error.text);
        assert_int_equal(length, before == 0 || before == 4 ? ERROR_TEXT_BYTES - 1 : ERROR_TEXT_BYTES - 1 - before);
        assert_memory_equal(kept.error.text, text, length);
    }
    assert_int_equal(kept.beyond, 'x');
}
