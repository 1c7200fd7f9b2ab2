// SPDX-License-Identifier: MIT
#include "../child.h"
#include "../disk.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROBE_MS   20
#define PATH_BYTES 4096

// The ends of the pipes, -1 where there is none: the child reads from input[0] and writes to output[1].
struct pipes {
    int input[2], output[2];
};

bool child_is_installed(const char *program)
{
    char path[PATH_BYTES];
    for (const char *folder = getenv("PATH"); folder; folder = strchr(folder, ':')) {
        folder += *folder == ':';
        int length = snprintf(path, sizeof path, "%.*s/%s", (int)strcspn(folder, ":"), folder, program);
        if (length < (int)sizeof path && access(path, X_OK) == 0)
            return true;
    }
    return false;
}

static void close_end(int *file)
{
    if (*file >= 0)
        disk_close_quietly(*file);
    *file = -1;
}

static void close_pipes(struct pipes *pipes)
{
    for (int i = 0; i < 2; i++) {
        close_end(&pipes->input[i]);
        close_end(&pipes->output[i]);
    }
}

static bool open_pipes(struct pipes *pipes, const struct child_command *command)
{
    *pipes = (struct pipes){{-1, -1}, {-1, -1}};
    bool has_output = command->gives_output || command->gives_errors;
    if ((!command->takes_input || pipe2(pipes->input, O_CLOEXEC) == 0) &&
        (!has_output || pipe2(pipes->output, O_CLOEXEC) == 0))
        return true;
    close_pipes(pipes);
    return false;
}

// In the child: becomes the program, unless this program has ended meanwhile.
static void run(const struct child_command *command, const struct pipes *pipes, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(127);
    if (command->takes_input)
        dup2(pipes->input[0], STDIN_FILENO);
    if (command->gives_output)
        dup2(pipes->output[1], STDOUT_FILENO);
    if (command->gives_errors)
        dup2(pipes->output[1], STDERR_FILENO);
    signal(SIGPIPE, SIG_DFL);
    execvp(command->program, (char *const *)(uintptr_t)command->arguments);
    _exit(127);
}

bool child_start(struct child *child, const struct child_command *command)
{
    struct pipes pipes;
    *child = (struct child){.input = -1, .output = -1};
    if (!open_pipes(&pipes, command))
        return false;
    pid_t parent = getpid(), process = fork();
    if (process == 0)
        run(command, &pipes, parent);
    if (process < 0) {
        close_pipes(&pipes);
        return false;
    }
    close_end(&pipes.input[0]);
    close_end(&pipes.output[1]);
    if (pipes.output[0] >= 0)
        fcntl(pipes.output[0], F_SETFL, O_NONBLOCK);
    child->process = process;
    child->input = pipes.input[1];
    child->output = pipes.output[0];
    return true;
}

static bool wait_for_output(const struct child *child, int timeout_ms)
{
    struct pollfd ready = {.fd = child->output, .events = POLLIN};
    int found;
    do
        found = timeout_ms > 0 ? poll(&ready, 1, timeout_ms) : 1;
    while (found < 0 && errno == EINTR);
    return found > 0;
}

bool child_can_wait(void)
{
    return true;
}

const char *child_line(struct child *child, int timeout_ms)
{
    char byte;
    while (child->process > 0 && child->output >= 0 && wait_for_output(child, timeout_ms) &&
           read(child->output, &byte, 1) == 1) {
        if (byte == '\n') {
            child->line[child->line_bytes] = 0;
            child->line_bytes = 0;
            return child->line;
        }
        if (child->line_bytes < sizeof child->line - 1)
            child->line[child->line_bytes++] = byte;
    }
    return NULL;
}

void child_close_input(struct child *child)
{
    close_end(&child->input);
}

// Forgets a child that has ended. What it has said until then is lost.
static int forget(struct child *child, int status)
{
    close_end(&child->input);
    close_end(&child->output);
    child->process = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : CHILD_KILLED;
}

bool child_has_ended(struct child *child, int *code)
{
    int status = 0;
    if (waitpid((pid_t)child->process, &status, WNOHANG) <= 0)
        return false;
    *code = forget(child, status);
    return true;
}

int child_wait(struct child *child)
{
    int status = 0;
    child_close_input(child);
    while (waitpid((pid_t)child->process, &status, 0) < 0 && errno == EINTR)
        ;
    return forget(child, status);
}

int child_stop(struct child *child, int patience_ms)
{
    int status = 0;
    kill((pid_t)child->process, SIGTERM);
    for (int waited_ms = 0; waitpid((pid_t)child->process, &status, WNOHANG) == 0; waited_ms += PROBE_MS) {
        if (waited_ms >= patience_ms)
            kill((pid_t)child->process, SIGKILL);
        poll(NULL, 0, PROBE_MS);
    }
    return forget(child, status);
}
