// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/platform/child.h"

#define PATIENCE_MS 60000

static struct child child;

static void start(const char *script)
{
    const char *arguments[] = {"sh", "-c", script, NULL};
    struct child_command command = {"sh", arguments, .takes_input = true, .gives_output = true, .gives_errors = true};
    assert_true(child_start(&child, &command));
}

static void what_a_child_says_comes_line_by_line(void **state)
{
    (void)state;
    start("echo one; echo two >&2; echo; printf no-end");
    assert_string_equal(child_line(&child, PATIENCE_MS), "one");
    assert_string_equal(child_line(&child, PATIENCE_MS), "two");
    assert_string_equal(child_line(&child, PATIENCE_MS), "");
    assert_null(child_line(&child, PATIENCE_MS));
    assert_int_equal(child_wait(&child), 0);
    assert_int_equal(child.process, 0);
    assert_null(child_line(&child, 0));
}

static void a_long_line_is_cut_and_the_next_is_whole(void **state)
{
    (void)state;
    start("printf '%0300d\\nnext\\n' 7");
    assert_int_equal(strlen(child_line(&child, PATIENCE_MS)), CHILD_LINE_BYTES - 1);
    assert_string_equal(child_line(&child, PATIENCE_MS), "next");
    child_wait(&child);
}

static void a_child_that_says_nothing_is_not_waited_for(void **state)
{
    int code;
    (void)state;
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

static void the_end_of_the_input_ends_a_child(void **state)
{
    (void)state;
    start("cat");
    assert_int_equal(child_wait(&child), 0);
}

static void a_child_is_asked_to_stop_and_then_killed(void **state)
{
    (void)state;
    start("trap 'exit 5' TERM; echo ready; while :; do read line; done");
    assert_string_equal(child_line(&child, PATIENCE_MS), "ready");
    child_close_input(&child);
    assert_int_equal(child_stop(&child, PATIENCE_MS), 5);
    start("trap '' TERM; echo ready; while :; do sleep 1; done");
    assert_string_equal(child_line(&child, PATIENCE_MS), "ready");
    assert_int_equal(child_stop(&child, 0), CHILD_KILLED);
    assert_int_equal(child.process, 0);
}

static void a_program_that_is_nowhere_ends_at_once(void **state)
{
    const char *arguments[] = {"/nowhere/program", NULL};
    (void)state;
    assert_true(child_start(&child, &(struct child_command){.program = arguments[0], .arguments = arguments}));
    assert_int_equal(child_wait(&child), 127);
    assert_true(child_is_installed("sh"));
    assert_false(child_is_installed("no-such-program"));
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_child_says_comes_line_by_line),
        cmocka_unit_test(a_long_line_is_cut_and_the_next_is_whole),
        cmocka_unit_test(a_child_that_says_nothing_is_not_waited_for),
        cmocka_unit_test(the_end_of_the_input_ends_a_child),
        cmocka_unit_test(a_child_is_asked_to_stop_and_then_killed),
        cmocka_unit_test(a_program_that_is_nowhere_ends_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
