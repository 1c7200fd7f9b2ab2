// SPDX-License-Identifier: MIT
//
// Tests how sockets go from one server to the next: each case is a child process with its own files and environment.
// This program is its own successor: run with "next", it prints what it got.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lifecycle/successor.h"
#include "test.h"

enum { FIRST = 3, LEFT = 6, SOME_FILE = 20, NOTHING = -1 };

static char program[512];

static bool is_open(int file)
{
    return fcntl(file, F_GETFD) >= 0;
}

// Runs a check in a child, so that its files and its environment are its own. Returns its exit code.
static int run(int (*check)(const void *row), const void *row)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        _Exit(check(row));
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

struct left {
    const char *process, *files; // "self": this process; null: not set
    unsigned taken;
    int first_open_after; // of those from FIRST to LEFT, the first that was closed; NOTHING: none
};

static int take(const void *row)
{
    const struct left *left = row;
    char self[24];
    int sockets[SUCCESSOR_SOCKETS] = {NOTHING, NOTHING};
    snprintf(self, sizeof self, "%ld", (long)getpid());
    for (int file = FIRST; file < FIRST + LEFT; file++)
        dup2(STDIN_FILENO, file);
    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDS");
    if (left->process)
        setenv("LISTEN_PID", strcmp(left->process, "self") == 0 ? self : left->process, 1);
    if (left->files)
        setenv("LISTEN_FDS", left->files, 1);
    setenv("LISTEN_FDNAMES", "game", 1);
    if (successor_take(getenv, getpid(), sockets) != left->taken)
        return 1;
    for (unsigned i = 0; i < SUCCESSOR_SOCKETS; i++)
        if (sockets[i] != (i < left->taken ? FIRST + (int)i : NOTHING))
            return 2;
    for (unsigned i = 0; i < left->taken; i++)
        if (fcntl(sockets[i], F_GETFD) != FD_CLOEXEC)
            return 3;
    if (getenv("LISTEN_PID") || getenv("LISTEN_FDS") || getenv("LISTEN_FDNAMES"))
        return 4;
    for (int file = FIRST; file < FIRST + LEFT; file++)
        if (!is_open(file))
            return left->first_open_after == file ? 0 : 5;
    return left->first_open_after == NOTHING ? 0 : 6;
}

TEST(only_files_for_this_process_are_taken)
{
    static const struct left rows[] = {
        /* 0 */ {NULL, NULL, 0, NOTHING},
        /* 1 */ {"self", "1", 1, NOTHING},
        /* 2 */ {"self", "2", 2, NOTHING},
        /* 3 */ {"self", "4", 2, FIRST + 2}, // those beyond are closed
        /* 4 */ {"1", "2", 0, NOTHING},      // for another process; this one has its environment
        /* 5 */ {"self", NULL, 0, NOTHING},
        /* 6 */ {NULL, "2", 0, NOTHING},
        /* 7 */ {"self", "0", 0, NOTHING},
        /* 8 */ {"self", "-3", 0, NOTHING},
        /* 9 */ {"self", "two", 0, NOTHING},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int code = run(take, &rows[i]);
        if (code != 0)
            fail_msg("row %zu: %d", i, code);
    }
}

struct handed {
    int files[SUCCESSOR_SOCKETS]; // numbers in the process before
    int count;
};

// The next program checks what it got and ends with 0 if that is right.
static int next(int count)
{
    int sockets[SUCCESSOR_SOCKETS];
    if (successor_take(getenv, getpid(), sockets) != (unsigned)count)
        return 1;
    for (int i = 0; i < count; i++) // "IPv4" is at 4, and "IPv6" at 6
        if (lseek(sockets[i], 0, SEEK_CUR) != (count == 2 ? 4 + 2 * i : 4))
            return 2;
    for (int file = FIRST + count; file < 64; file++)
        if (is_open(file))
            return 3;
    struct sigaction action;
    sigaction(SIGUSR2, NULL, &action);
    return action.sa_handler == SIG_IGN ? 0 : 4;
}

static int hand_over(const void *row)
{
    const struct handed *handed = row;
    struct error error;
    char *arguments[] = {program, (char *)(uintptr_t) "next", (char *)(uintptr_t)(handed->count == 2 ? "2" : "1"),
                         NULL};
    int opened[SUCCESSOR_SOCKETS];
    close_range(FIRST, ~0u, 0);
    for (int i = 0; i < SUCCESSOR_SOCKETS; i++) {
        char path[] = "/tmp/deadfall_successor_XXXXXX";
        opened[i] = mkstemp(path);
        unlink(path);
        fcntl(opened[i], F_SETFD, FD_CLOEXEC);
        lseek(opened[i], 4 + 2 * i, SEEK_SET); // by which the next program knows it
        int away = fcntl(opened[i], F_DUPFD_CLOEXEC, SOME_FILE);
        close(opened[i]);
        opened[i] = away;
    }
    for (int i = 0; i < SUCCESSOR_SOCKETS; i++)
        if (handed->files[i] >= 0)
            dup3(opened[i], handed->files[i], O_CLOEXEC);
    successor_run(program, arguments, handed->files, &error);
    return 9;
}

TEST(the_next_program_gets_them_from_file_3_on)
{
    static const struct handed rows[] = {
        /* 0 */ {{10, NOTHING}, 1}, /* 1 */ {{3, NOTHING}, 1}, /* 2 */ {{10, 11}, 2},
        /* 3 */ {{3, 4}, 2},        /* 4 */ {{4, 3}, 2}, // each is where the other has to go
        /* 5 */ {{5, 6}, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int code = run(hand_over, &rows[i]);
        if (code != 0)
            fail_msg("row %zu: %d", i, code);
    }
}

TEST(a_program_that_cannot_run_is_an_error)
{
    struct error error = {0};
    int sockets[SUCCESSOR_SOCKETS] = {NOTHING, NOTHING};
    char *arguments[] = {program, NULL};
    successor_run("/proc/none", arguments, sockets, &error);
    assert_non_null(strstr(error.text, "/proc/none cannot be run"));
    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDS");
}

// A copy of this program runs, is replaced by another file, and finds that one.
TEST(an_upgraded_program_is_found_by_its_name)
{
    char path[300], command[1600], found[512] = "";
    snprintf(path, sizeof path, "/tmp/deadfall_successor_%ld", (long)getpid());
    snprintf(command, sizeof command, "cp %s %s && %s find %s", program, path, path, path);
    FILE *copy = popen(command, "r");
    assert_non_null(copy);
    assert_non_null(fgets(found, sizeof found, copy));
    assert_int_equal(pclose(copy), 0);
    unlink(path);
    assert_string_equal(found, path);
}

static int find(const char *path)
{
    char found[512];
    struct error error = {0};
    if (!successor_find(found, sizeof found, &error) || strcmp(found, path) != 0)
        return 1;
    unlink(path);
    if (successor_find(found, sizeof found, &error) || !strstr(error.text, "cannot be run"))
        return 2;
    int file = open(path, O_WRONLY | O_CREAT, 0700);
    close(file);
    if (!successor_find(found, sizeof found, &error))
        return 3;
    return printf("%s", found) < 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "next") == 0)
        return next(atoi(argv[2]));
    if (argc == 3 && strcmp(argv[1], "find") == 0)
        return find(argv[2]);
    return readlink("/proc/self/exe", program, sizeof program - 1) > 0 ? test_main(argc, argv) : 1;
}
