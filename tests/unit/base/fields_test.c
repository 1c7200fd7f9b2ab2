// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/log.h"
#include "test.h"

TEST(a_line_is_written_for_people_and_for_programs)
{
    static const struct {
        struct fields fields;
        const char *text, *json;
    } rows[] = {
        /* 0 */ {{"a", "nothing", {{0}}}, "nothing", ""},
        /* 1 */
        {{"join", "{name} joins at slot {slot}", {{"name", "Ann", 0, false}, {"slot", NULL, 3, false}}},
         "Ann joins at slot 3",
         ",\"name\":\"Ann\",\"slot\":3"},
        /* 2 */
        {{"a", "on {on}, off {off}", {{"on", NULL, 1, true}, {"off", NULL, 0, true}, {"more", NULL, -7, false}}},
         "on true, off false",
         ",\"on\":true,\"off\":false,\"more\":-7"},                                // the line need not name each
        /* 3 */ {{"a", "{b} {", {{"a", "x", 0, false}}}, "{b} {", ",\"a\":\"x\""}, // no such field
        /* 4 */
        {{"a", "{a}{b}", {{"a", "{b}", 0, false}, {"b", "\"\\\x1b", 0, false}}}, // a value names no field
         "{b}\"\\\x1b",
         ",\"a\":\"{b}\",\"b\":\"\\\"\\\\\\\\x1b\""},
        /* 5 */
        {{"a", "{n}", {{"n", NULL, INT64_MIN, false}}}, "-9223372036854775808", ",\"n\":-9223372036854775808"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[100], json[100];
        size_t text_bytes = log_fields_text(&rows[i].fields, text, sizeof text);
        size_t json_bytes = log_fields_json(&rows[i].fields, json, sizeof json);
        if (strcmp(text, rows[i].text) != 0 || strcmp(json, rows[i].json) != 0 || text_bytes != strlen(text) ||
            json_bytes != strlen(json))
            fail_msg("row %zu: %s %s", i, text, json);
    }
}

TEST(what_does_not_fit_is_cut_in_text_and_left_out_in_json)
{
    static const struct fields fields = {"a", "{a}-{b}", {{"a", "12345", 0, false}, {"b", "678", 0, false}}};
    char text[32], json[32];
    for (size_t bytes = 1; bytes < sizeof text; bytes++) {
        memset(text, '~', sizeof text);
        memset(json, '~', sizeof json);
        size_t count = log_fields_text(&fields, text, bytes);
        assert_int_equal(count, bytes - 1 < 9 ? bytes - 1 : 9);
        assert_memory_equal(text, "12345-678", count);
        assert_true(text[count] == '\0' && text[count + 1] == '~');
        count = log_fields_json(&fields, json, bytes);
        assert_int_equal(count, bytes > 22 ? 22 : bytes > 12 ? 12 : 0);
        assert_memory_equal(json, ",\"a\":\"12345\",\"b\":\"678\"", count);
        assert_true(json[count] == '\0' && json[bytes] == '~');
    }
}

TEST(a_quoted_text_is_whole_or_empty)
{
    char json[16];
    assert_int_equal(log_quote("a\"b", json, 8), 6);
    assert_string_equal(json, "\"a\\\"b\"");
    assert_int_equal(log_quote("abcdefgh", json, 8), 0);
    assert_string_equal(json, "");
}
