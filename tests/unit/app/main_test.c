// SPDX-License-Identifier: MIT
//
// Tests the program `deadfall` from its command line to its exit code, with SDL's dummy window. The server that it
// hosts is real, so this takes a second.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "test_folder.h"

static char said[65536];

// Runs the program with these words and returns its exit code; `said` is all that it wrote.
static int run(const char *words)
{
    char command[1024];
    snprintf(command, sizeof command,
             "cd %s && USER=ada SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=none XDG_CACHE_HOME=%s '%s' --state-dir %s/state "
             "%s 2>&1",
             test_folder_path(""), test_folder_path(""), DEADFALL_PROGRAM, test_folder_path(""), words);
    FILE *output = popen(command, "r");
    assert_non_null(output);
    said[fread(said, 1, sizeof said - 1, output)] = 0;
    return WEXITSTATUS(pclose(output));
}

ALL_TESTS(test_folder_make, test_folder_remove);

TEST(help_is_printed_and_a_wrong_word_is_an_error)
{
    assert_int_equal(run("--help"), 0);
    assert_non_null(strstr(said, "--connect"));
    assert_int_equal(run("--no-such-option"), 64);
    assert_int_equal(strncmp(said, "deadfall: ", 10), 0);
    assert_non_null(strstr(said, "no-such-option"));
}

TEST(a_long_name_is_cut_with_a_warning)
{
    assert_int_equal(run("--frames 2 --name 0123456789abcdefg --log-level info"), 0);
    assert_non_null(strstr(said, "A name has at most 16 bytes: it is cut to \"0123456789abcdef\"."));
    assert_non_null(strstr(said, "drew 0 frames: "));
    assert_int_equal(run("--frames 2 --name 0123456789abcdef --log-level error"), 0);
    assert_string_equal(said, "");
}

TEST(an_input_script_that_cannot_be_read_is_an_error)
{
    assert_int_equal(run("--frames 2 --input-script nowhere"), 74);
    assert_non_null(strstr(said, "The input script nowhere cannot be read"));
    test_folder_write("bad", "10 fly\n");
    assert_int_equal(run("--frames 2 --input-script bad --log-format json"), 65);
    assert_non_null(strstr(said, "bad:1"));
    assert_int_equal(*said, '{');
}

TEST(an_input_script_plays_a_hosted_match)
{
    test_folder_write("script", "1 right\n5 screenshot shot.png\n");
    assert_int_equal(run("--host --frames 20 --input-script script --log-level info"), 0);
    assert_non_null(strstr(said, "joined as player 0"));
    assert_int_equal(access(test_folder_path("shot.png"), R_OK), 0);
}
