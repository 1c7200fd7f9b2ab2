// SPDX-License-Identifier: MIT
#include "successor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define FIRST_FILE 3

unsigned successor_take(char *(*environment)(const char *name), long self, int sockets[SUCCESSOR_SOCKETS])
{
    const char *process = environment("LISTEN_PID"), *files = environment("LISTEN_FDS");
    long count = process && files && strtol(process, NULL, 10) == self ? strtol(files, NULL, 10) : 0;
    unsetenv("LISTEN_PID"); // they are not for the children of this process
    unsetenv("LISTEN_FDS");
    unsetenv("LISTEN_FDNAMES");
    unsigned taken = 0;
    for (long i = 0; i < count && i < 64; i++) {
        int file = FIRST_FILE + (int)i;
        if (fcntl(file, F_SETFD, FD_CLOEXEC) != 0)
            continue;
        if (taken < SUCCESSOR_SOCKETS)
            sockets[taken++] = file;
        else
            close(file);
    }
    return taken;
}

bool successor_find(char *path, size_t path_bytes, struct error *error)
{
    static const char REPLACED[] = " (deleted)"; // what the kernel adds when another file has its name
    ssize_t length = readlink("/proc/self/exe", path, path_bytes - 1);
    if (length <= 0)
        return error_set(error, "the file of this program cannot be found: %s", strerror(errno));
    path[length] = 0;
    char *end = path + length - (sizeof REPLACED - 1);
    if (end > path && strcmp(end, REPLACED) == 0)
        *end = 0;
    return access(path, X_OK) == 0 || error_set(error, "%.400s cannot be run: %s", path, strerror(errno));
}

void successor_keep(const int sockets[SUCCESSOR_SOCKETS], int kept[SUCCESSOR_SOCKETS])
{
    for (size_t i = 0; i < SUCCESSOR_SOCKETS; i++)
        kept[i] = sockets[i] < 0 ? -1 : fcntl(sockets[i], F_DUPFD_CLOEXEC, 0);
}

void successor_run(const char *path, char **arguments, const int sockets[SUCCESSOR_SOCKETS], struct error *error)
{
    char process[24], files[24];
    int count = 0, moved[SUCCESSOR_SOCKETS];
    for (size_t i = 0; i < SUCCESSOR_SOCKETS; i++) // first out of the way: one may be where another has to go
        if (sockets[i] >= 0)
            moved[count++] = fcntl(sockets[i], F_DUPFD_CLOEXEC, FIRST_FILE + SUCCESSOR_SOCKETS);
    for (int i = 0; i < count; i++)
        dup2(moved[i], FIRST_FILE + i);
    snprintf(process, sizeof process, "%ld", (long)getpid());
    snprintf(files, sizeof files, "%d", count);
    setenv("LISTEN_PID", process, 1);
    setenv("LISTEN_FDS", files, 1);
    signal(SIGUSR2, SIG_IGN); // until the program has a handler for it
    execv(path, arguments);
    error_set(error, "%.400s cannot be run: %s", path, strerror(errno));
}

static int spawn(pid_t *process, const char *path, char **arguments, int output)
{
    posix_spawn_file_actions_t actions;
    int reason = posix_spawn_file_actions_init(&actions);
    if (reason != 0)
        return reason;
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    reason = posix_spawn(process, path, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return reason;
}

bool successor_check(struct successor_check *check, const char *path, char **arguments, uint64_t now_ns,
                     struct error *error)
{
    static char log_level[] = "--log-level=error", log_format[] = "--log-format=text",
                check_config[] = "--check-config";
    char *asked[SUCCESSOR_ARGUMENTS_MAX + 4];
    int pipe_ends[2];
    size_t count = 0;
    for (; arguments[count] && count < SUCCESSOR_ARGUMENTS_MAX; count++)
        asked[count] = arguments[count];
    memcpy(asked + count, (char *[]){log_level, log_format, check_config, NULL}, 4 * sizeof *asked);
    if (pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return error_set(error, "%.400s cannot be checked: %s", path, strerror(errno));
    pid_t process;
    int reason = spawn(&process, path, asked, pipe_ends[1]);
    close(pipe_ends[1]);
    if (reason != 0) {
        close(pipe_ends[0]);
        return error_set(error, "%.400s cannot be run: %s", path, strerror(reason));
    }
    *check = (struct successor_check){
        .process = process, .output = pipe_ends[0], .deadline_ns = now_ns + SUCCESSOR_CHECK_NS_MAX};
    return true;
}

// What does not fit is read and dropped, so that the process never waits.
static void read_output(struct successor_check *check)
{
    char dropped[512];
    ssize_t count;
    do {
        size_t room = sizeof check->text - 1 - check->output_bytes;
        char *to = room > 0 ? check->text + check->output_bytes : dropped;
        count = read(check->output, to, room > 0 ? room : sizeof dropped);
        check->output_bytes += room > 0 && count > 0 ? (size_t)count : 0;
    } while (count > 0);
}

enum successor_outcome successor_poll(struct successor_check *check, uint64_t now_ns, struct error *error)
{
    static const char *const BEFORE[] = {" error: ", "deadfall-server: "};
    int status = 0;
    bool late = now_ns >= check->deadline_ns;
    read_output(check);
    pid_t ended = waitpid(check->process, &status, WNOHANG);
    if (ended == 0 && !late)
        return SUCCESSOR_CHECKING;
    if (ended == 0) {
        kill(check->process, SIGKILL);
        waitpid(check->process, &status, 0);
    }
    read_output(check);
    close(check->output);
    check->process = 0;
    if (ended == 0) {
        error_set(error, "the installed program would not start: it takes longer than %d s to check its options",
                  (int)(SUCCESSOR_CHECK_NS_MAX / 1000000000));
        return SUCCESSOR_BAD;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return SUCCESSOR_GOOD;
    // why is the first error among its lines, without what stands before it on its line
    char *why = NULL;
    check->text[check->output_bytes] = '\0';
    for (size_t i = 0; i < sizeof BEFORE / sizeof *BEFORE && !why; i++)
        if ((why = strstr(check->text, BEFORE[i]))) {
            why += strlen(BEFORE[i]);
            why[strcspn(why, "\n")] = '\0';
        }
    if (why)
        error_set(error, "the installed program would not start: %.600s", why);
    else if (WIFEXITED(status))
        error_set(error, "the installed program would not start: it exits with code %d", WEXITSTATUS(status));
    else
        error_set(error, "the installed program would not start: it is ended by signal %d", WTERMSIG(status));
    return SUCCESSOR_BAD;
}
