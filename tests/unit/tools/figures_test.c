// SPDX-License-Identifier: MIT
// Tests how figures of recorded play are compared and kept.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "figures.h"
#include "test.h"

static char path[] = "/tmp/deadfall_figures_XXXXXX";

static void make_file(void)
{
    close(mkstemp(path));
}

static void remove_file(void)
{
    unlink(path);
}

static void write_figures(void)
{
    unsetenv("DEADFALL_RENEW");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("duel 12 34\nduel-by-frames 5\nfoundry 7\n", file);
    assert_int_equal(fclose(file), 0);
}

ALL_TESTS(make_file, remove_file);
EACH_TEST(write_figures, NULL);

static void expect_file(const char *wanted)
{
    char text[200] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    assert_string_equal(text, wanted);
}

TEST(only_the_figures_that_are_kept_are_the_same)
{
    assert_true(figures_are_kept(path, "duel", "%d %d", 12, 34));
    assert_true(figures_are_kept(path, "foundry", "%d", 7));
    assert_false(figures_are_kept(path, "duel", "%d", 12));
    assert_false(figures_are_kept(path, "duel", "%d %d", 12, 35));
    assert_false(figures_are_kept(path, "duel", "%d %d %d", 12, 34, 0));
    assert_false(figures_are_kept(path, "due", "%d %d", 12, 34));
    assert_false(figures_are_kept(path, "lms", "%d", 7));
    assert_false(figures_are_kept("/nowhere/none.figures", "duel", "%d %d", 12, 34));
    expect_file("duel 12 34\nduel-by-frames 5\nfoundry 7\n");
}

TEST(a_renewal_changes_the_lines_that_differ_and_adds_those_that_are_new)
{
    setenv("DEADFALL_RENEW", "1", 1);
    assert_true(figures_are_kept(path, "duel-by-frames", "%d", 6));
    assert_true(figures_are_kept(path, "foundry", "%d", 7));
    assert_true(figures_are_kept(path, "lms", "%d", 8));
    expect_file("duel 12 34\nduel-by-frames 6\nfoundry 7\nlms 8\n");
    assert_false(figures_are_kept("/nowhere/none.figures", "duel", "%d", 1));
}
