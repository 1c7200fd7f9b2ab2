// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options/options.h"
#include "test.h"

struct settings {
    int64_t port, duration_ms;
    bool loud;
    uint32_t colour;
    char name[OPTION_TEXT_BYTES];
    struct option_list keys;
};

static const char *const COLOURS[] = {"red", "green", NULL};

#define ROW(field) .offset = offsetof(struct settings, field)

static const struct option TABLE[] = {
    {"port", OPTION_NUMBER, ROW(port), .fallback = "27440", .value = "N", .help = "UDP port", .most = 65535},
    {"duration", OPTION_DURATION, ROW(duration_ms), .value = "TIME", .help = "how long", .most = 3600000},
    {"loud", OPTION_FLAG, ROW(loud), .help = "much"},
    {"wall-colour", OPTION_CHOICE, ROW(colour), .fallback = "green", .help = "of the walls", .choices = COLOURS},
    {"name", OPTION_TEXT, ROW(name), .fallback = "a game", .value = "TEXT", .help = "as players see it"},
    {"key", OPTION_LIST, ROW(keys), .value = "KEY", .help = "repeatable"},
};

static const struct program PROGRAM = {.name = "tried",
                                       .summary = "Is tried.",
                                       .operands = "FILE",
                                       .options = TABLE,
                                       .option_count = sizeof TABLE / sizeof *TABLE,
                                       .operand_capacity = 1,
                                       .configurable = true};

static const char *variable, *variable_value; // the whole environment of a test

static char *environment(const char *name)
{
    return variable && strcmp(name, variable) == 0 ? (char *)(uintptr_t)variable_value : NULL;
}

// What the last command line gave.
static char printed[4000];
static struct settings settings;
static struct options_result result;

// Reads a command line of words divided by blanks.
static enum options_outcome read_words(const char *words)
{
    static char copy[1000];
    static char *argv[20]; // operands point into it
    argv[0] = (char *)(uintptr_t) "tried";
    int argc = 1;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    settings = (struct settings){0};
    FILE *out = fmemopen(printed, sizeof printed, "w");
    enum options_outcome outcome = options_read(&PROGRAM, &settings, argc, argv, environment, out, &result);
    fclose(out);
    return outcome;
}

// The same with a config file of these bytes.
static enum options_outcome read_file(const char *bytes, size_t count, const char *words)
{
    char path[] = "/tmp/deadfall_options_XXXXXX", all[300];
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, count), (ssize_t)count);
    close(file);
    snprintf(all, sizeof all, "--config %s %s", path, words);
    enum options_outcome outcome = read_words(all);
    unlink(path);
    return outcome;
}

// The same with a config file, if `text` is not null, and a variable, if its name is not.
static enum options_outcome read_all(const char *text, const char *name, const char *value, const char *words)
{
    variable = name;
    variable_value = value;
    enum options_outcome outcome = text ? read_file(text, strlen(text), words) : read_words(words);
    variable = NULL;
    return outcome;
}

TEST(wrong_options_are_refused_with_an_error_that_names_them)
{
    static const struct {
        const char *words, *variable, *value, *file;
        int code;
        const char *message; // somewhere in the sentence
    } rows[] = {
        /* 1 */ {"--ports 1", NULL, NULL, NULL, EXIT_USAGE, "--ports"},
        /* 2 */ {"--port", NULL, NULL, NULL, EXIT_USAGE, "needs a value"},
        /* 3 */ {"--port 65536", NULL, NULL, NULL, EXIT_USAGE, "from 0 to 65535"},
        /* 4 */ {"--port -1", NULL, NULL, NULL, EXIT_USAGE, "\"-1\""},
        /* 5 */ {"--port 0x10", NULL, NULL, NULL, EXIT_USAGE, "\"0x10\""},
        /* 6 */ {"--port 99999999999999999999", NULL, NULL, NULL, EXIT_USAGE, "port is"},
        /* 7 */ {"--port=", NULL, NULL, NULL, EXIT_USAGE, "\"\""},
        /* 8 */ {"--wall-colour blue", NULL, NULL, NULL, EXIT_USAGE, "one of red, green"},
        /* 9 */ {"--duration 5x", NULL, NULL, NULL, EXIT_USAGE, "\"5x\""},
        /* 10 */ {"--duration 2h", NULL, NULL, NULL, EXIT_USAGE, "3600000"},
        /* 11 */ {"--duration 9999999999999999h", NULL, NULL, NULL, EXIT_USAGE, "duration"},
        /* 12 */ {"--loud=maybe", NULL, NULL, NULL, EXIT_USAGE, "on or off"},
        /* 13 */ {"-p 1", NULL, NULL, NULL, EXIT_USAGE, "-p"},
        /* 14 */ {"one two", NULL, NULL, NULL, EXIT_USAGE, "\"two\""},
        /* 15 */ {"--por 1", NULL, NULL, NULL, EXIT_USAGE, "--por"}, // no abbreviations: a new option must not break
                                                                     // them
        /* 16 */ {"--help=yes", NULL, NULL, NULL, EXIT_USAGE, "--help"},
        /* 17 */ {"--config", NULL, NULL, NULL, EXIT_USAGE, "FILE"},
        /* 18 */ {"--config /no/such/file", NULL, NULL, NULL, EXIT_CONFIG, "/no/such/file"},
        /* 19 */ {"", "DEADFALL_PORT", "many", NULL, EXIT_CONFIG, "DEADFALL_PORT: port is"},
        /* 20 */ {"", "DEADFALL_WALL_COLOUR", "blue", NULL, EXIT_CONFIG, "DEADFALL_WALL_COLOUR: wall-colour is"},
        /* 21 */ {"", NULL, NULL, "port = 1\n\nprot = 2\n", EXIT_CONFIG, ":3: there is no option \"prot\""},
        /* 22 */ {"", NULL, NULL, "port 1\n", EXIT_CONFIG, ":1: \"port 1\" is not"},
        /* 23 */ {"", NULL, NULL, "# fine\nport = x\n", EXIT_CONFIG, ":2: port is"},
        /* 24 */ {"", NULL, NULL, "= 4\n", EXIT_CONFIG, ":1:"},
        /* 25 */ {"", NULL, NULL, "config = other\n", EXIT_CONFIG, "\"config\""},
        /* 26 */ {"", NULL, NULL, "port = 1\nloud = on\nport = 1\n", EXIT_CONFIG, ":3: port is set twice"},
        /* 27 */ {"--config /dev/zero", NULL, NULL, NULL, EXIT_CONFIG, "/dev/zero has more than 65536 bytes"},
        /* 28 */ {"--config /", NULL, NULL, NULL, EXIT_CONFIG, "config file /: Is a directory"},
        /* 29 */ {"", NULL, NULL, "name = \"a\n", EXIT_CONFIG, ":1: name has no closing quotation mark"},
        /* 30 */ {"", NULL, NULL, "name = \"a\" b\n", EXIT_CONFIG, ":1: name has no closing quotation mark"},
        /* 31 */ {"", NULL, NULL, "# = 3\nport # = 3\n", EXIT_CONFIG, ":2: \"port\" is not"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        enum options_outcome outcome = read_all(rows[i].file, rows[i].variable, rows[i].value, rows[i].words);
        if (outcome != OPTIONS_WRONG || result.error.code != rows[i].code ||
            !strstr(result.error.text, rows[i].message))
            fail_msg("row %zu: outcome %d, code %d: %s", i + 1, (int)outcome, (int)result.error.code,
                     result.error.text);
    }
}

TEST(good_options_fill_the_settings)
{
    assert_int_equal(read_words("map.tmj --port=7 --loud --duration 90 --name x=y --key a,b --key c"), OPTIONS_RUN);
    assert_int_equal(settings.port, 7);
    assert_true(settings.loud);
    assert_int_equal(settings.duration_ms, 90000);
    assert_int_equal(settings.colour, 1);
    assert_string_equal(settings.name, "x=y");
    assert_int_equal(settings.keys.count, 3);
    assert_string_equal(settings.keys.values[2], "c");
    assert_int_equal(result.operand_count, 1);
    assert_string_equal(result.operands[0], "map.tmj");
    read_words("-- --port");
    assert_string_equal(result.operands[0], "--port");
}

TEST(a_comment_in_a_file_begins_at_the_start_of_a_word)
{
    static const struct {
        const char *file, *name;
    } rows[] = {
        /* 1 */ {"name = a # b", "a"},
        /* 2 */ {"name = a#b", "a#b"},
        /* 3 */ {"name = a#b # c", "a#b"},
        /* 4 */ {"name =# b", ""},
        /* 5 */ {"name = a\n#", "a"},
        /* 6 */ {"name = a=#b", "a=#b"},
        /* 7 */ {"name = \"#1 a\" # b", "#1 a"},
        /* 8 */ {"name = \" a\"\"b\"", " a\"b"},
        /* 9 */ {"name = a \"b\"", "a \"b\""},
        /* 10 */ {"name = \"\"", ""},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        enum options_outcome outcome = read_all(rows[i].file, NULL, NULL, "");
        if (outcome != OPTIONS_RUN || strcmp(settings.name, rows[i].name) != 0)
            fail_msg("row %zu: outcome %d, name \"%s\"", i + 1, (int)outcome, settings.name);
    }
}

TEST(later_sources_override_earlier_ones)
{
    static const struct {
        const char *words, *value, *file;
        int64_t port;
    } rows[] = {
        /* 1 */ {"", NULL, NULL, 27440},
        /* 2 */ {"", NULL, "port = 1", 1},
        /* 3 */ {"", "2", "port = 1", 2},
        /* 4 */ {"--port 3", "2", "port = 1", 3},
        /* 5 */ {"--port 3 --port 4", "2", "port = 1", 4},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const char *name = rows[i].value ? "DEADFALL_PORT" : NULL;
        assert_int_equal(read_all(rows[i].file, name, rows[i].value, rows[i].words), OPTIONS_RUN);
        if (settings.port != rows[i].port)
            fail_msg("row %zu: port %lld", i + 1, (long long)settings.port);
    }
}

TEST(a_printed_config_is_read_back_unchanged)
{
    char first[4000];
    assert_int_equal(read_words("--print-config --port 9 --loud --key a --key b --duration 1500ms"), OPTIONS_DONE);
    strcpy(first, printed);
    assert_int_equal(read_all(first, NULL, NULL, "--print-config"), OPTIONS_DONE);
    assert_string_equal(first, printed);
    assert_non_null(strstr(printed, "duration = 1500ms"));
    assert_non_null(strstr(printed, "key = a, b"));
}

TEST(a_quoted_text_is_read_back_unchanged)
{
    static char *const names[] = {"#1 arena", "Bob's #1", " a ", "\"", "\"a\"", "a\"b", "a, b", "a # b"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char program[] = "test", option[] = "--name", key[] = "--key", print[] = "--print-config";
        char *argv[] = {program, option, names[i], key, names[i], print, NULL};
        struct settings before;
        FILE *out = fmemopen(printed, sizeof printed, "w");
        assert_int_equal(options_read(&PROGRAM, &before, 6, argv, environment, out, &result), OPTIONS_DONE);
        fclose(out);
        enum options_outcome outcome = read_all(printed, NULL, NULL, "");
        if (outcome != OPTIONS_RUN || strcmp(before.name, settings.name) != 0 ||
            before.keys.count != settings.keys.count || strcmp(before.keys.values[0], settings.keys.values[0]) != 0)
            fail_msg("%s: outcome %d, name \"%s\" %s", names[i], (int)outcome, settings.name, result.error.text);
    }
}

TEST(a_config_file_has_a_size_limit_and_no_zero_bytes)
{
    static const struct {
        size_t bytes, zero_at; // 0: none
        enum options_outcome outcome;
        const char *message;
    } rows[] = {
        /* 1 */ {CONFIG_FILE_BYTES_MAX, 0, OPTIONS_RUN, ""},
        /* 2 */ {CONFIG_FILE_BYTES_MAX + 1, 0, OPTIONS_WRONG, "more than 65536 bytes"},
        /* 3 */ {100, 50, OPTIONS_WRONG, "zero byte"},
        /* 4 */ {100, 99, OPTIONS_WRONG, "zero byte"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        static char text[CONFIG_FILE_BYTES_MAX + 2];
        memset(text, '#', rows[i].bytes);
        memcpy(text, "port = 5\n", 9);
        if (rows[i].zero_at)
            text[rows[i].zero_at] = '\0';
        enum options_outcome outcome = read_file(text, rows[i].bytes, "");
        if (outcome != rows[i].outcome || !strstr(result.error.text, rows[i].message) ||
            (outcome == OPTIONS_RUN && settings.port != 5))
            fail_msg("row %zu: %s", i + 1, result.error.text);
    }
}

TEST(options_given_on_the_command_line_are_known)
{
    assert_int_equal(read_all(NULL, "DEADFALL_PORT", "1", "--loud --key a"), OPTIONS_RUN);
    assert_true(options_given(&PROGRAM, &result, "loud"));
    assert_true(options_given(&PROGRAM, &result, "key"));
    assert_false(options_given(&PROGRAM, &result, "port"));
    assert_false(options_given(&PROGRAM, &result, "nonsense"));
}

TEST(unknown_variables_are_found)
{
    char row[][40] = {"HOME=/",          "DEADFALL_PORT=1",    "DEADFALL_WALL_COLOUR=red", "DEADFALL_CONFIG=x",
                      "DEADFALL_PROT=1", "DEADFALL_MAP_DIR=.", "DEADFALL_PORTS=2"};
    char *variables[] = {row[0], row[1], row[2], row[3], row[4], row[5], row[6], NULL};
    char **found = options_find_stranger(&PROGRAM, variables);
    assert_ptr_equal(found, &variables[4]);
    found = options_find_stranger(&PROGRAM, found + 1);
    assert_ptr_equal(found, &variables[6]);
    assert_null(options_find_stranger(&PROGRAM, found + 1));
}

TEST(an_answer_that_cannot_be_written_is_an_error)
{
    static const char *const ROWS[] = {"--help", "--version", "--print-config"};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        char name[] = "tried", word[20];
        snprintf(word, sizeof word, "%s", ROWS[i]);
        FILE *full = fopen("/dev/full", "w");
        assert_int_equal(options_read(&PROGRAM, &settings, 2, (char *[]){name, word, NULL}, environment, full, &result),
                         OPTIONS_WRONG);
        fclose(full);
        assert_int_equal(result.error.code, EXIT_IO);
        assert_non_null(strstr(result.error.text, "No space left"));
    }
}

TEST(the_version_names_the_program)
{
    assert_int_equal(read_words("--port 7 --help"), OPTIONS_DONE);
    assert_int_equal(read_words("--version"), OPTIONS_DONE);
    assert_string_equal(printed, "tried " DEADFALL_VERSION "\n");
    assert_int_equal(read_words("--check-config"), OPTIONS_DONE);
    assert_int_equal(read_words("--check-config --port x"), OPTIONS_WRONG);
}
