// SPDX-License-Identifier: MIT
//
// Tests the lock of a state directory, which belongs to one server for as long as it runs.
#include "admin/admin_state.h"
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[40];

static void begin(void)
{
    strcpy(folder, "/tmp/state_lock_test_XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static void end(void)
{
    char command[80];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

EACH_TEST(begin, end);

static const char *path_of(const char *file)
{
    static char path[120];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    return path;
}

// Another server on the same folder; returns whether it gets the lock, and why not.
static bool other_takes(const char *path, char *why, size_t why_bytes)
{
    int answers[2], status;
    assert_int_equal(pipe(answers), 0);
    pid_t other = fork();
    if (other == 0) {
        struct error error = {0};
        bool taken = admin_state_lock(path, &error);
        ssize_t written = write(answers[1], error.text, strlen(error.text));
        _exit(taken && written == 0 ? 0 : 1);
    }
    close(answers[1]);
    ssize_t length = read(answers[0], why, why_bytes - 1);
    why[length > 0 ? length : 0] = '\0';
    close(answers[0]);
    assert_int_equal(waitpid(other, &status, 0), other);
    return WEXITSTATUS(status) == 0;
}

TEST(the_first_server_keeps_the_lock_and_is_named_to_the_next)
{
    struct error error;
    struct stat status;
    char why[ERROR_TEXT_BYTES], wanted[40], text[40] = "";
    assert_true(other_takes(path_of("in/new/folders/lock"), why, sizeof why)); // and it has ended
    assert_true(admin_state_lock(path_of("in/new/folders/lock"), &error));
    assert_false(other_takes(path_of("in/new/folders/lock"), why, sizeof why));
    snprintf(wanted, sizeof wanted, "another server (process %ld)", (long)getpid());
    assert_non_null(strstr(why, wanted));
    assert_non_null(strstr(why, "in/new/folders/lock"));
    assert_int_equal(stat(path_of("in/new/folders/lock"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    FILE *file = fopen(path_of("in/new/folders/lock"), "r");
    assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    snprintf(wanted, sizeof wanted, "%ld\n", (long)getpid());
    assert_string_equal(text, wanted);
}

static int open_files(void)
{
    int count = 0;
    for (int file = 0; file < 256; file++)
        count += fcntl(file, F_GETFD) >= 0;
    return count;
}

TEST(a_refused_lock_leaves_no_file_open)
{
    struct error error;
    assert_true(admin_state_lock(path_of("lock"), &error));
    int before = open_files();
    for (int i = 0; i < 3; i++)
        assert_false(admin_state_lock(path_of("lock"), &error));
    assert_int_equal(open_files(), before);
}

TEST(a_longer_number_of_an_earlier_server_is_overwritten)
{
    struct error error;
    char text[60] = "";
    FILE *file = fopen(path_of("lock"), "w");
    fputs("12345678901234567890\nmore\n", file);
    fclose(file);
    assert_true(admin_state_lock(path_of("lock"), &error));
    file = fopen(path_of("lock"), "r");
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_int_equal(strtol(text, NULL, 10), getpid());
    assert_null(strstr(text, "more"));
}

TEST(a_file_that_cannot_be_a_lock_is_an_error)
{
    struct error error;
    assert_int_equal(mkdir(path_of("lock"), 0700), 0);
    assert_false(admin_state_lock(path_of("lock"), &error));
    assert_non_null(strstr(error.text, "/lock: Is a directory"));
    assert_int_equal(symlink("/dev/null", path_of("link")), 0);
    assert_false(admin_state_lock(path_of("link"), &error)); // somebody else may have put it there
    assert_non_null(strstr(error.text, "/link: Too many levels of symbolic links"));
}
