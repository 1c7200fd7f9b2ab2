// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lifecycle/successor.h"
#include "test.h"
#include "test_folder.h"

static char path[64];
static struct error error;
static char *arguments[] = {"deadfall-server", "--port", "0", NULL};

// A program in the shell's language, in place of the server.
static void install(const char *script)
{
    char text[400];
    snprintf(text, sizeof text, "#!/bin/sh\n%s\n", script);
    test_folder_write("program", text);
    assert_int_equal(chmod(path, 0700), 0);
}

// Polls until the check is over. The time stands still.
static enum successor_outcome check(const char *script)
{
    struct successor_check check = {0};
    enum successor_outcome outcome;
    error = (struct error){0};
    install(script);
    assert_true(successor_check(&check, path, arguments, 1, &error));
    while ((outcome = successor_poll(&check, 1, &error)) == SUCCESSOR_CHECKING)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    assert_int_equal(check.process, 0);
    return outcome;
}

TEST(a_program_that_accepts_its_options_is_good)
{
    assert_int_equal(check("test \"$*\" = '--port 0 --log-level=error --log-format=text --check-config'"),
                     SUCCESSOR_GOOD);
    assert_int_equal(check("echo 'error: loud, but good' >&2"), SUCCESSOR_GOOD);
}

TEST(a_program_that_refuses_is_bad_and_says_why)
{
    static const struct {
        const char *script, *text;
    } rows[] = {
        {"echo 'deadfall-server: a.conf:3: no option is called x' >&2; exit 78", "a.conf:3: no option is called x"},
        {"echo '2026-11-22T22:57:32Z warning: w' >&2; echo '2026-11-22T22:57:32Z error: no map' >&2; exit 65",
         "no map"},
        {"exit 7", "it exits with code 7"},
        {"echo error: it speaks to itself; exit 7", "it exits with code 7"},
        {"kill -9 $$", "it is ended by signal 9"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char expected[300];
        snprintf(expected, sizeof expected, "the installed program would not start: %s", rows[i].text);
        assert_int_equal(check(rows[i].script), SUCCESSOR_BAD);
        assert_string_equal(error.text, expected);
    }
}

TEST(a_program_may_say_much)
{
    assert_int_equal(
        check("i=0; while [ $i -lt 3000 ]; do echo \" error: $i, and more than a pipe holds\" >&2; i=$((i+1)); "
              "done; exit 1"),
        SUCCESSOR_BAD);
    assert_string_equal(error.text, "the installed program would not start: 0, and more than a pipe holds");
}

TEST(a_program_that_hangs_is_ended)
{
    struct successor_check check = {0};
    install("exec sleep 60");
    assert_true(successor_check(&check, path, arguments, 1, &error));
    assert_int_equal(successor_poll(&check, SUCCESSOR_CHECK_NS_MAX, &error), SUCCESSOR_CHECKING);
    assert_int_equal(successor_poll(&check, SUCCESSOR_CHECK_NS_MAX + 1, &error), SUCCESSOR_BAD);
    assert_string_equal(error.text,
                        "the installed program would not start: it takes longer than 5 s to check its options");
    assert_int_equal(check.process, 0);
}

TEST(a_program_that_cannot_be_run_is_not_checked)
{
    struct successor_check check = {0};
    install("exit 0");
    assert_int_equal(chmod(path, 0600), 0);
    assert_false(successor_check(&check, path, arguments, 1, &error));
    assert_non_null(strstr(error.text, "cannot be run: Permission denied"));
    assert_int_equal(check.process, 0);
}

TEST(a_program_is_not_checked_where_no_file_can_be_opened)
{
    struct successor_check check = {0};
    struct rlimit limit, none;
    char expected[120];
    install("exit 0");
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    assert_false(successor_check(&check, path, arguments, 1, &error));
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    snprintf(expected, sizeof expected, "%s cannot be checked: Too many open files", path);
    assert_string_equal(error.text, expected);
}

static void begin(void)
{
    test_folder_make();
    snprintf(path, sizeof path, "%s", test_folder_path("program"));
}

ALL_TESTS(begin, test_folder_remove);
