// SPDX-License-Identifier: MIT
#include "preflight.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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

bool preflight_begin(struct preflight *preflight, const char *path, char **arguments, uint64_t now_ns,
                     struct error *error)
{
    static char log_level[] = "--log-level=error", log_format[] = "--log-format=text", check[] = "--check-config";
    char *asked[PREFLIGHT_ARGUMENTS_MAX + 4];
    int pipe_ends[2];
    size_t count = 0;
    for (; arguments[count] && count < PREFLIGHT_ARGUMENTS_MAX; count++)
        asked[count] = arguments[count];
    memcpy(asked + count, (char *[]){log_level, log_format, check, NULL}, 4 * sizeof *asked);
    if (pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return error_set(error, "%.400s cannot be checked: %s", path, strerror(errno));
    pid_t process;
    int reason = spawn(&process, path, asked, pipe_ends[1]);
    close(pipe_ends[1]);
    if (reason != 0) {
        close(pipe_ends[0]);
        return error_set(error, "%.400s cannot be run: %s", path, strerror(reason));
    }
    *preflight =
        (struct preflight){.process = process, .output = pipe_ends[0], .deadline_ns = now_ns + PREFLIGHT_NS_MAX};
    return true;
}

// What does not fit is read and dropped, so that the process never waits.
static void read_output(struct preflight *preflight)
{
    char dropped[512];
    ssize_t count;
    do {
        size_t room = sizeof preflight->text - 1 - preflight->output_bytes;
        char *to = room > 0 ? preflight->text + preflight->output_bytes : dropped;
        count = read(preflight->output, to, room > 0 ? room : sizeof dropped);
        preflight->output_bytes += room > 0 && count > 0 ? (size_t)count : 0;
    } while (count > 0);
}

// Finds the first error among the lines of the program, without what stands before it on its line.
static const char *find_error(struct preflight *preflight)
{
    static const char *const BEFORE[] = {" error: ", "deadfall-server: "};
    preflight->text[preflight->output_bytes] = '\0';
    for (size_t i = 0; i < sizeof BEFORE / sizeof *BEFORE; i++) {
        char *found = strstr(preflight->text, BEFORE[i]);
        if (!found)
            continue;
        found += strlen(BEFORE[i]);
        found[strcspn(found, "\n")] = '\0';
        return found;
    }
    return NULL;
}

static enum preflight_outcome conclude(struct preflight *preflight, int status, struct error *error)
{
    const char *why = find_error(preflight);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return PREFLIGHT_GOOD;
    if (why)
        error_set(error, "the installed program would not start: %.600s", why);
    else if (WIFEXITED(status))
        error_set(error, "the installed program would not start: it exits with code %d", WEXITSTATUS(status));
    else
        error_set(error, "the installed program would not start: it is ended by signal %d", WTERMSIG(status));
    return PREFLIGHT_BAD;
}

enum preflight_outcome preflight_poll(struct preflight *preflight, uint64_t now_ns, struct error *error)
{
    int status = 0;
    bool late = now_ns >= preflight->deadline_ns;
    read_output(preflight);
    pid_t ended = waitpid(preflight->process, &status, WNOHANG);
    if (ended == 0 && !late)
        return PREFLIGHT_RUNS;
    if (ended == 0) {
        kill(preflight->process, SIGKILL);
        waitpid(preflight->process, &status, 0);
    }
    read_output(preflight);
    close(preflight->output);
    preflight->process = 0;
    if (ended != 0)
        return conclude(preflight, status, error);
    error_set(error, "the installed program would not start: it takes longer than %d s to check its options",
              (int)(PREFLIGHT_NS_MAX / 1000000000));
    return PREFLIGHT_BAD;
}
