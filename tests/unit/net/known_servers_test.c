// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "net/crypto/known_servers.h"
#include "test.h"

static char folder[] = "/tmp/deadfall_known_XXXXXX";
static char path[128];
static struct error error;

static const char *in_folder(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void make_folder(void)
{
    assert_non_null(mkdtemp(folder));
}

static void remove_folder(void)
{
    static const char *const names[] = {"known", "damaged", "torn", "edited", "new/deep/list", "new/deep", "new", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        remove(in_folder(names[i]));
}

ALL_TESTS(make_folder, remove_folder);

static void write_file(const char *name, const char *text, size_t size, mode_t mode)
{
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    fclose(file);
    chmod(path, mode);
}

#define A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static void assert_file(const char *expected)
{
    char text[1000] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) < sizeof text - 1);
    fclose(file);
    assert_string_equal(text, expected);
}

TEST(a_server_is_trusted_on_first_use_and_must_keep_its_key)
{
    char expected[500];
    static const struct {
        const char *place, *fingerprint;
        bool good;
    } rows[] = {
        /* 0 */ {"arena.example:27440", A, true},  /* 1 */ {"arena.example:27440", A, true},
        /* 2 */ {"arena.example:27440", B, false}, /* 3 */ {"arena.example:27441", B, true},
        /* 4 */ {"arena.example:2744", B, true},   /* 5 */ {"arena.example:27440", A, true},
    };
    in_folder("known");
    assert_true(known_servers_check(path, "arena.example:27440", B, &error)); // not yet remembered
    assert_false(known_servers_has(path, "arena.example:27440", B));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (known_servers_add(path, rows[i].place, rows[i].fingerprint, &error) != rows[i].good)
            fail_msg("row %zu: %s", i, error.text);
    assert_false(known_servers_check(path, "arena.example:27440", B, &error));
    assert_true(known_servers_has(path, "arena.example:27440", A));
    assert_false(known_servers_has(path, "arena.example:27440", B));
    snprintf(expected, sizeof expected,
             "arena.example:27440 has another key than when you first met it (%s then, %s now): either it was set up "
             "again, or somebody else answers in its place; if you trust it, remove its line from %s",
             A, B, path);
    assert_string_equal(error.text, expected);
    snprintf(expected, sizeof expected, "arena.example:27440 %s\narena.example:27441 %s\narena.example:2744 %s\n", A, B,
             B);
    assert_file(expected);
}

TEST(a_missing_list_is_created_privately)
{
    struct stat status;
    assert_true(known_servers_add(in_folder("new/deep/list"), "one:1", A, &error));
    assert_file("one:1 " A "\n");
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
}

TEST(people_may_edit_the_list)
{
    static const struct {
        const char *text;
        bool good, other_good; // for keys A and B
    } rows[] = {
        /* 0 */ {"", true, true},
        /* 1 */ {"one:1 " A "\n", true, false},
        /* 2 */ {"one:1 " A, true, false},
        /* 3 */ {"one:1 " A "\r\n", true, false},
        /* 4 */ {"one:1 " A "\none:1 " B "\n", false, true}, // the last one counts
        /* 5 */ {"one:1 " A "\none:1 aaa\n", true, false},   // a valid key
        /* 6 */ {"one:1 " A " x\n", true, true},
        /* 7 */ {"one:1  " A "\n", true, true},
        /* 8 */ {"one:11 " A "\n", true, true},
        /* 9 */ {"ones:1 " A "\n", true, true},
        /* 10 */ {"# my servers\n\none:1 " A "\n", true, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_file("edited", rows[i].text, strlen(rows[i].text), 0600);
        if (known_servers_check(path, "one:1", A, &error) != rows[i].good ||
            known_servers_check(path, "one:1", B, &error) != rows[i].other_good)
            fail_msg("row %zu: %s", i, error.text);
    }
}

TEST(each_server_has_one_name)
{
    static const struct {
        const char *host, *name;
        bool is_loopback;
    } rows[] = {
        /* 0 */ {"play.example.org", "play.example.org:27440", false},
        /* 1 */ {"Play.Example.ORG", "play.example.org:27440", false},
        /* 2 */ {"play.example.org.", "play.example.org:27440", false},
        /* 3 */ {"192.0.2.7", "192.0.2.7:27440", false},
        /* 4 */ {"192.0.519", "192.0.2.7:27440", false},
        /* 5 */ {"0xc0000207", "192.0.2.7:27440", false},
        /* 6 */ {"2001:DB8:0:0::7", "[2001:db8::7]:27440", false},
        /* 7 */ {"2001:db8::0.0.0.7", "[2001:db8::7]:27440", false},
        /* 8 */ {"127.0.0.1", "127.0.0.1:27440", true},
        /* 9 */ {"127.1", "127.0.0.1:27440", true},
        /* 10 */ {"0:0:0:0:0:0:0:1", "[::1]:27440", true},
        /* 11 */ {"LocalHost.", "localhost:27440", true},
        /* 12 */ {"localhost.example", "localhost.example:27440", false},
        /* 13 */ {".", ".:27440", false},
        /* 14 */ {"", ":27440", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char name[KNOWN_SERVERS_NAME_BYTES];
        known_servers_name(rows[i].host, 27440, name);
        if (strcmp(name, rows[i].name) != 0 || known_servers_is_loopback(rows[i].host) != rows[i].is_loopback)
            fail_msg("row %zu: %s", i, name);
    }
}

TEST(a_name_in_the_list_may_be_spelled_in_another_way)
{
    static const struct {
        const char *text, *server;
    } rows[] = {
        /* 0 */ {"Play.Example.ORG.:1 " A "\n", "play.example.org:1"},
        /* 1 */ {"2001:DB8::0:7:1 " A "\n", "[2001:db8::7]:1"},
        /* 2 */ {"[2001:DB8::0:7]:1 " A "\n", "[2001:db8::7]:1"},
        /* 3 */ {"192.0.519:1 " A "\n", "192.0.2.7:1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_file("edited", rows[i].text, strlen(rows[i].text), 0600);
        if (!known_servers_check(path, rows[i].server, A, &error) ||
            known_servers_check(path, rows[i].server, B, &error))
            fail_msg("row %zu", i);
        assert_true(known_servers_add(path, rows[i].server, A, &error));
        assert_file(rows[i].text);
    }
    static const char no_names[] = ":1 " A "\n]:1 " A "\n[:1 " A "\n: " A "\n[]:1 " A "\n";
    write_file("edited", no_names, sizeof no_names - 1, 0600);
    assert_true(known_servers_check(path, "one:1", B, &error));
}

TEST(a_list_that_cannot_be_read_or_written_is_an_error)
{
    char expected[200], long_name[600];
    snprintf(expected, sizeof expected, "the list of known servers %s cannot be written: Is a directory", folder);
    assert_false(known_servers_add(folder, "one:1", A, &error));
    assert_string_equal(error.text, expected);
    write_file("known", "", 0, 0600);
    strcat(path, "/list"); // below a file
    snprintf(expected, sizeof expected, "the list of known servers %s cannot be read: Not a directory", path);
    assert_false(known_servers_check(path, "one:1", A, &error));
    assert_string_equal(error.text, expected);
    assert_false(known_servers_add(path, "one:1", A, &error));
    assert_string_equal(error.text, expected);
    // A name that does not fit a line is refused, not cut.
    memset(long_name, 'x', sizeof long_name);
    long_name[512 - 34] = 0;
    assert_false(known_servers_add(in_folder("known"), long_name, A, &error));
    assert_file("");
    long_name[512 - 35] = 0;
    assert_true(known_servers_add(in_folder("known"), long_name, A, &error));
    assert_false(known_servers_check(path, long_name, B, &error));
}

TEST(an_unfinished_last_line_is_kept)
{
    char line[100];
    int length = snprintf(line, sizeof line, "one:1 %s", A);
    write_file("damaged", line, (size_t)length, 0600);
    assert_true(known_servers_add(path, "two:2", B, &error));
    assert_true(known_servers_check(path, "one:1", A, &error));
    assert_false(known_servers_check(path, "one:1", B, &error));
    assert_false(known_servers_check(path, "two:2", A, &error));
}

TEST(a_damaged_list_does_no_harm)
{
    static char noise[5000];
    memset(noise, 'x', sizeof noise);
    memcpy(noise, "here:1 aaa\n\nhere:1\n here:1 \0\n", 30);
    noise[sizeof noise - 1] = '\n';
    for (size_t torn = 0; torn < 2; torn++) {
        write_file(torn ? "torn" : "damaged", noise, sizeof noise - torn, 0600);
        assert_true(known_servers_add(path, "here:1", A, &error));
        assert_true(known_servers_add(path, "here:1", A, &error));
        assert_false(known_servers_check(path, "here:1", B, &error));
    }
    assert_false(known_servers_add("/proc/no/such/list", "here:1", A, &error));
    assert_non_null(strstr(error.text, "/proc/no/such/list"));
}
