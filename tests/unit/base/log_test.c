// SPDX-License-Identifier: MIT
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "test.h"

static int64_t no_time(void)
{
    return 0;
}

static int64_t noon(void)
{
    return 1000000000;
}

TEST(lines_are_text_or_json_and_cannot_be_forged)
{
    static const struct {
        struct log log;
        enum log_level level;
        const char *text, *expected;
    } rows[] = {
        /* 1 */ {{.level = LOG_INFO}, LOG_INFO, "hello", "info: hello\n"},
        /* 2 */ {{.level = LOG_INFO}, LOG_DEBUG, "hello", ""}, // beyond the level
        /* 3 */ {{.level = LOG_INFO, .unix_time = noon}, LOG_ERROR, "x", "2001-09-09T01:46:40Z error: x\n"},
        /* 4 */ {{.level = LOG_INFO}, LOG_INFO, "a\nerror: b\x1b[2J", "info: a\\x0aerror: b\\x1b[2J\n"},
        /* 5 */
        {{.level = LOG_DEBUG, .format = LOG_JSON, .unix_time = noon},
         LOG_WARNING,
         "say \"hi\"\\\t",
         "{\"time\":\"2001-09-09T01:46:40Z\",\"level\":\"warning\",\"message\":\"say \\\"hi\\\"\\\\\\\\x09\"}\n"},
        /* 6 */ {{.level = LOG_ERROR}, LOG_WARNING, "x", ""},
        /* 7 */ {{.level = LOG_WARNING}, LOG_WARNING, "\x1f\x7f ~\"\\", "warning: \\x1f\\x7f ~\"\\\n"},
        /* 8 */ {{.level = LOG_DEBUG, .unix_time = no_time}, LOG_DEBUG, "x", "debug: x\n"},
        /* 9 */
        {{.level = LOG_INFO},
         LOG_INFO,
         "\xc2\x9b"
         "a\xe2\x80\xae\xff\xf3\xa0\x80\x81gr\xc3\xbc",
         "info: \\u{9b}a\\u{202e}\\xff\\u{e0001}gr\xc3\xbc\n"},
        /* 10 */
        {{.level = LOG_DEBUG, .format = LOG_JSON},
         LOG_INFO,
         "\x1f\x7f ~",
         "{\"time\":\"\",\"level\":\"info\",\"message\":\"\\\\x1f\\\\x7f ~\"}\n"},
        /* 11 */ {{.level = LOG_DEBUG, .unix_time = noon, .to_journal = true}, LOG_ERROR, "a\nb", "<3>a\\x0ab\n"},
        /* 12 */ {{.level = LOG_DEBUG, .unix_time = noon, .to_journal = true}, LOG_WARNING, "x", "<4>x\n"},
        /* 13 */ {{.level = LOG_DEBUG, .to_journal = true}, LOG_INFO, "x", "<6>x\n"},
        /* 14 */ {{.level = LOG_DEBUG, .to_journal = true}, LOG_DEBUG, "x", "<7>x\n"},
        /* 15 */
        {{.level = LOG_DEBUG, .format = LOG_JSON, .to_journal = true},
         LOG_INFO,
         "x",
         "{\"time\":\"\",\"level\":\"info\",\"message\":\"x\"}\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char found[400] = "";
        struct log log = rows[i].log;
        log.out = fmemopen(found, sizeof found, "w");
        log_write(&log, rows[i].level, "%s", rows[i].text);
        bool good = strcmp(found, rows[i].expected) == 0; // at once
        fclose(log.out);
        if (!good)
            fail_msg("row %zu: %s", i + 1, found);
    }
}

TEST(an_event_is_one_line_in_both_forms)
{
    static const struct fields fields = {
        "join", "{name} joins at slot {slot}", {{"name", "A\x1b\"", 0, false}, {"slot", NULL, 3, false}}};
    static const struct {
        uint32_t format;
        enum log_level level;
        const char *expected;
    } rows[] = {
        /* 0 */ {LOG_TEXT, LOG_INFO, "info: A\\x1b\" joins at slot 3\n"},
        /* 1 */ {LOG_TEXT, LOG_DEBUG, ""},
        /* 2 */
        {LOG_JSON, LOG_WARNING,
         "{\"time\":\"\",\"level\":\"warning\",\"message\":\"A\\\\x1b\\\" joins at slot 3\",\"event\":\"join\","
         "\"name\":\"A\\\\x1b\\\"\",\"slot\":3}\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char found[400] = "";
        struct log log = {.out = fmemopen(found, sizeof found, "w"), .level = LOG_INFO, .format = rows[i].format};
        log_event(&log, rows[i].level, &fields);
        fclose(log.out);
        if (strcmp(found, rows[i].expected) != 0)
            fail_msg("row %zu: %s", i, found);
    }
    log_event(NULL, LOG_ERROR, &fields); // without a log nothing is written
    log_write(NULL, LOG_ERROR, "nothing");
    log_write(&(struct log){.level = LOG_DEBUG}, LOG_ERROR, "nothing");
}

TEST(the_journal_is_known_by_its_device_and_inode)
{
    struct stat facts;
    char name[64], other[80];
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &facts), 0);
    snprintf(name, sizeof name, "%ju:%ju", (uintmax_t)facts.st_dev, (uintmax_t)facts.st_ino);
    snprintf(other, sizeof other, "%s0", name);
    assert_true(log_is_journal(file, name));
    assert_false(log_is_journal(file, other));
    assert_false(log_is_journal(file, ""));
    assert_false(log_is_journal(file, NULL));
    fclose(file);
}

TEST(a_line_has_at_most_1000_bytes)
{
    char text[1100], found[1200] = "";
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = 0;
    struct log log = {.out = fmemopen(found, sizeof found, "w"), .level = LOG_INFO};
    log_write(&log, LOG_INFO, "%s", text);
    fclose(log.out);
    assert_int_equal(strlen(found), strlen("info: ") + 1000 + 1);
}

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
