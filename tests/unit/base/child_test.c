// SPDX-License-Identifier: MIT
#include <string.h>

#include "base/file.h"
#include "base/platform/child.h"
#include "test.h"

#define PATIENCE_MS 60000

static struct child child;

static void start(const char *script)
{
    const char *arguments[] = {"sh", "-c", script, NULL};
    struct child_command command = {"sh", arguments, .takes_input = true, .gives_output = true, .gives_errors = true};
    assert_true(child_start(&child, &command));
}

TEST(what_a_child_says_comes_line_by_line)
{
    start("echo one; echo two >&2; echo; printf no-end");
    assert_string_equal(child_line(&child, PATIENCE_MS), "one");
    assert_string_equal(child_line(&child, PATIENCE_MS), "two");
    assert_string_equal(child_line(&child, PATIENCE_MS), "");
    assert_null(child_line(&child, PATIENCE_MS));
    assert_int_equal(child_wait(&child), 0);
    assert_int_equal(child.process, 0);
    assert_null(child_line(&child, 0));
}

TEST(a_long_line_is_cut_and_the_next_is_whole)
{
    start("printf '%0300d\\nnext\\n' 7");
    assert_int_equal(strlen(child_line(&child, PATIENCE_MS)), CHILD_LINE_BYTES - 1);
    assert_string_equal(child_line(&child, PATIENCE_MS), "next");
    child_wait(&child);
}

TEST(a_child_that_says_nothing_is_not_waited_for)
{
    int code;
    start("read line; echo \"$line\"; exit 3");
    assert_null(child_line(&child, 0));
    assert_false(child_has_ended(&child, &code));
    assert_true(file_write_all(child.input, "hello\n", 6));
    assert_string_equal(child_line(&child, PATIENCE_MS), "hello");
    assert_null(child_line(&child, PATIENCE_MS)); // its end
    while (!child_has_ended(&child, &code))
        ;
    assert_int_equal(code, 3);
    assert_int_equal(child.process, 0);
}

TEST(the_end_of_the_input_ends_a_child)
{
    start("cat");
    assert_int_equal(child_wait(&child), 0);
}

TEST(a_child_is_asked_to_stop_and_then_killed)
{
    start("trap 'exit 5' TERM; echo ready; while :; do read line; done");
    assert_string_equal(child_line(&child, PATIENCE_MS), "ready");
    child_close_input(&child);
    assert_int_equal(child_stop(&child, PATIENCE_MS), 5);
    start("trap '' TERM; echo ready; while :; do sleep 1; done");
    assert_string_equal(child_line(&child, PATIENCE_MS), "ready");
    assert_int_equal(child_stop(&child, 0), CHILD_KILLED);
    assert_int_equal(child.process, 0);
}

TEST(a_program_that_is_nowhere_ends_at_once)
{
    const char *arguments[] = {"/nowhere/program", NULL};
    assert_true(child_start(&child, &(struct child_command){.program = arguments[0], .arguments = arguments}));
    assert_int_equal(child_wait(&child), 127);
    assert_true(child_is_installed("sh"));
    assert_false(child_is_installed("no-such-program"));
}
