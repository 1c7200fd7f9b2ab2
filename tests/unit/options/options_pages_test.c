// SPDX-License-Identifier: MIT
// Tests the texts that a table of options generates, word for word, and the values of durations, lists and settings.
#include <stdlib.h>
#include <string.h>

#include "options/options.h"
#include "test.h"

struct settings {
    int64_t port, duration_ms;
    bool loud;
    uint32_t mode;
    char motd[OPTION_TEXT_BYTES], folder[OPTION_TEXT_BYTES];
    struct option_list maps;
};

static const char *const MODES[] = {"ffa", "lms", "No", NULL};
static const char *const COMMANDS[] = {"kick", "ban", NULL};

#define ROW(field) .offset = offsetof(struct settings, field)
#define LONG_HELP                                                                                                      \
    "seconds until a match ends. A second sentence has a separate line in the manual page and is so long that it is "  \
    "broken. Both \\ and .dots are escaped"

static const struct option TABLE[] = {
    {"port", OPTION_NUMBER, ROW(port), .fallback = "27440", .value = "N", .help = "UDP port", .most = 65535},
    {"time-limit", OPTION_DURATION, ROW(duration_ms), .value = "TIME", .help = LONG_HELP, .most = 86400000},
    {"loud", OPTION_FLAG, ROW(loud), .help = ".much"},
    {"mode", OPTION_CHOICE, ROW(mode), .fallback = "ffa", .help = "of the match", .choices = MODES},
    {"motd", OPTION_TEXT, ROW(motd), .fallback = "say \"a\\b\"", .value = "TEXT", .help = "to all", .least = 1},
    {"state-dir", OPTION_TEXT, ROW(folder), .value = "DIR",
     .help = "what is kept when a server ends and begins again, on this machine and on all others"},
    {"admin-socket", OPTION_TEXT, ROW(folder), .value = "PATH", .help = "of orders, with a name that is long"},
    {"map", OPTION_LIST, ROW(maps), .value = "MAPFILE", .help = "repeatable", .fallback = ""},
};

static void print_more(FILE *out)
{
    fputs("\nCommands:\n.kick\\ban\n\n'last", out);
}

static const struct program PLAIN = {
    .name = "plain-tool", .summary = "Is plain.", .options = TABLE, .option_count = 1, .operands = "FILE"};
static const struct program FULL = {.name = "full",
                                    .summary = "Has it all.",
                                    .options = TABLE,
                                    .option_count = sizeof TABLE / sizeof *TABLE,
                                    .help_more = print_more,
                                    .commands = COMMANDS,
                                    .commands_after = 1,
                                    .configurable = true};

TEST(every_page_equals_its_file)
{
    static const struct {
        const char *file;
        void (*print)(const struct program *program, FILE *out);
        const struct program *program;
    } rows[] = {
        /* 1 */ {"full_help", options_print_help, &FULL},
        /* 2 */ {"full_man", options_print_man, &FULL},
        /* 3 */ {"full_bash", options_print_completion, &FULL},
        /* 4 */ {"plain_help", options_print_help, &PLAIN},
        /* 5 */ {"plain_man", options_print_man, &PLAIN},
        /* 6 */ {"plain_bash", options_print_completion, &PLAIN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[300], expected[8000], text[8000];
        snprintf(path, sizeof path, SOURCE_ROOT "/tests/unit/options/pages/%s.txt", rows[i].file);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        expected[fread(expected, 1, sizeof expected - 1, file)] = '\0';
        fclose(file);
        FILE *out = fmemopen(text, sizeof text, "w");
        rows[i].print(rows[i].program, out);
        fclose(out);
        if (strcmp(text, expected) != 0)
            fail_msg("row %zu: if this is what it should be, put it into %s:\n%s", i + 1, path, text);
    }
}

TEST(a_duration_is_milliseconds_seconds_minutes_or_hours)
{
    static const struct {
        const char *text;
        int64_t ms; // -1: refused
    } rows[] = {
        {"0", 0},       {"7", 7000},
        {"7ms", 7},     {"7s", 7000},
        {"7m", 420000}, {"7h", 25200000},
        {"90s", 90000}, {"-5s", -5000},
        {"019ms", 19},  {"12345678901234567ms", 12345678901234567},
        {"", -1},       {"s", -1},
        {"-", -1},      {"+5", -1},
        {" 5", -1},     {"5 s", -1},
        {"5S", -1},     {"5d", -1},
        {"5sm", -1},    {"123456789012345678ms", -1},
        {"1.5s", -1},   {"5:", -1},
        {"/5", -1},     {"99999999999999999h", -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t ms = -2;
        bool taken = option_value_duration(rows[i].text, &ms);
        if (taken != (rows[i].ms != -1) || (taken && ms != rows[i].ms))
            fail_msg("\"%s\": %s, %lld ms", rows[i].text, taken ? "accepted" : "refused", (long long)ms);
    }
}

// The one row of the table with this name.
static const struct option *row_of(const char *name)
{
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++)
        if (strcmp(TABLE[i].name, name) == 0)
            return &TABLE[i];
    fail_msg("no row %s", name);
    return NULL;
}

TEST(a_setting_differs_when_set_and_equals_its_copy)
{
    static const struct {
        const char *name, *value;
    } rows[] = {{"port", "1"}, {"time-limit", "5s"}, {"loud", "on"},  {"mode", "lms"},
                {"motd", "b"}, {"map", "one, two"},  {"map", "three"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static struct settings one, other;
        struct error error;
        const struct option *row = row_of(rows[i].name);
        one = other = (struct settings){.port = 9, .maps = {.count = 1, .values = {"a"}}};
        assert_true(option_value_same(row, &one, &other));
        assert_true(options_set(&FULL, &other, rows[i].name, rows[i].value, &error));
        assert_false(option_value_same(row, &one, &other));
        assert_false(option_value_same(row, &other, &one));
        option_value_copy(row, &one, &other);
        assert_true(option_value_same(row, &one, &other));
        assert_memory_equal(&one, &other, sizeof one);
    }
    static struct settings lists[2] = {{.maps = {.count = 2, .values = {"a", "b"}}},
                                       {.maps = {.count = 2, .values = {"a", "c"}}}};
    assert_false(option_value_same(row_of("map"), &lists[0], &lists[1]));
}

TEST(a_text_or_list_that_is_too_long_is_refused)
{
    static struct settings settings;
    struct error error;
    char text[OPTION_TEXT_BYTES + 1], list[3 * (OPTION_LIST_CAPACITY + 1) + 1] = "";
    memset(text, 'x', sizeof text - 1);
    text[OPTION_TEXT_BYTES] = '\0';
    assert_false(options_set(&FULL, &settings, "motd", text, &error));
    assert_string_equal(error.text, "motd is longer than 511 bytes");
    text[OPTION_TEXT_BYTES - 1] = '\0';
    assert_true(options_set(&FULL, &settings, "motd", text, &error));
    assert_string_equal(settings.motd, text);
    assert_false(options_set(&FULL, &settings, "motd", "", &error));
    assert_string_equal(error.text, "motd must not be empty");
    assert_true(options_set(&FULL, &settings, "state-dir", "", &error));
    assert_false(options_set(&FULL, &settings, "motd", "a\nb", &error));
    assert_string_equal(error.text, "motd must be one line");
    for (size_t i = 0; i <= OPTION_LIST_CAPACITY; i++)
        strcat(list, "ab,");
    assert_false(options_set(&FULL, &settings, "map", list, &error));
    assert_string_equal(error.text, "map has more than 32 values");
    list[3 * OPTION_LIST_CAPACITY] = '\0';
    assert_true(options_set(&FULL, &settings, "map", list, &error));
    assert_int_equal(settings.maps.count, OPTION_LIST_CAPACITY);
    assert_true(options_set(&FULL, &settings, "map", " a b ,, c ", &error));
    assert_int_equal(settings.maps.count, 2); // only those of this text
    assert_string_equal(settings.maps.values[0], "a b");
    assert_string_equal(settings.maps.values[1], "c");
    assert_false(options_set(&FULL, &settings, "maps", "a", &error));
    assert_string_equal(error.text, "there is no option \"maps\"");
}

TEST(every_program_prints_its_pages_and_some_a_config_file)
{
    static const struct {
        const char *word;
        enum options_outcome plain, full;
        const char *begins; // what the full one prints
    } rows[] = {
        {"-h", OPTIONS_DONE, OPTIONS_DONE, "Usage: full"},
        {"--help", OPTIONS_DONE, OPTIONS_DONE, "Usage: full"},
        {"--version", OPTIONS_DONE, OPTIONS_DONE, "full "},
        {"--help-man", OPTIONS_DONE, OPTIONS_DONE, ".Bl"},
        {"--help-bash", OPTIONS_DONE, OPTIONS_DONE, "# bash completion of full"},
        {"--print-config", OPTIONS_WRONG, OPTIONS_DONE, "# UDP port\nport = 27440\n"},
        {"--check-config", OPTIONS_WRONG, OPTIONS_DONE, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static struct settings settings;
        char name[] = "full", word[30], text[8000] = "";
        struct options_result result;
        snprintf(word, sizeof word, "%s", rows[i].word);
        char *argv[] = {name, word, NULL};
        FILE *out = fmemopen(text, sizeof text, "w");
        assert_int_equal(options_read(&PLAIN, &settings, 2, argv, getenv, out, &result), rows[i].plain);
        rewind(out);
        argv[0] = name;
        argv[1] = word;
        assert_int_equal(options_read(&FULL, &settings, 2, argv, getenv, out, &result), rows[i].full);
        assert_true(strcmp(word, "--check-config") != 0 || result.check_config);
        assert_int_equal(options_read(&FULL, &settings, 1, (char *[]){name, NULL}, getenv, out, &result), OPTIONS_RUN);
        assert_false(result.check_config);
        fclose(out);
        assert_memory_equal(text, rows[i].begins, strlen(rows[i].begins));
    }
}

TEST(a_text_is_quoted_where_necessary)
{
    static const char *const rows[][2] = {{"a b", "\nmotd = a b\n"},       {"a ", "\nmotd = \"a \"\n"},
                                          {" a", "\nmotd = \" a\"\n"},     {"a#b", "\nmotd = \"a#b\"\n"},
                                          {"\"a", "\nmotd = \"\"\"a\"\n"}, {"b a", "\nmotd = b a\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static struct settings settings;
        char text[8000];
        snprintf(settings.motd, sizeof settings.motd, "%s", rows[i][0]);
        FILE *out = fmemopen(text, sizeof text, "w");
        config_file_write(&FULL, &settings, out);
        fclose(out);
        if (!strstr(text, rows[i][1]))
            fail_msg("row %zu:\n%s", i + 1, text);
    }
}
