// SPDX-License-Identifier: MIT
#include "clip_job.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/text/text.h"
#include "base/file.h"
#include "base/utf8.h"

// FOLDER/REPLAY.EXTENSION, or REPLAY-2.EXTENSION if that is there, and so on.
static bool find_path(struct clip_job *job, const char *folder, const char *extension, const char *replay)
{
    const char *slash = strrchr(replay, '/'), *name = slash ? slash + 1 : replay, *dot = strrchr(name, '.');
    int length = dot ? (int)(dot - name) : (int)strlen(name);
    for (uint32_t number = 1; number < 1000; number++) {
        char count[16] = "";
        if (number > 1)
            snprintf(count, sizeof count, "-%u", number);
        if ((size_t)snprintf(job->path, sizeof job->path, "%s/%.*s%s%s", folder, length, name, count, extension) >=
            sizeof job->path)
            break;
        file_make_folders(job->path);
        if (access(job->path, F_OK))
            return errno == ENOENT;
    }
    errno = EEXIST;
    return false;
}

static void run(const char *const *arguments, int output, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(127);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    execv("/proc/self/exe", (char *const *)(uintptr_t)arguments);
    _exit(127);
}

static void say(struct clip_job *job, const char *format, const char *what)
{
    char text[sizeof job->path + 64];
    snprintf(text, sizeof text, "%s %s", format, what);
    utf8_copy(job->message, sizeof job->message, text);
}

void clip_job_start(struct clip_job *job, const char *folder, const char *extension, const char *replay,
                    int64_t from_ms, int64_t to_ms)
{
    char from[32], to[32];
    int ends[2];
    if (job->process > 0)
        return;
    *job = (struct clip_job){0};
    if (!*folder || !find_path(job, folder, extension, replay) || pipe2(ends, O_CLOEXEC)) {
        say(job, text_of("The clip cannot be written:"), strerror(errno));
        return;
    }
    snprintf(from, sizeof from, "%" PRId64 "ms", from_ms);
    snprintf(to, sizeof to, "%" PRId64 "ms", to_ms);
    const char *arguments[] = {"deadfall", "--export", job->path, "--replay",    replay,  "--from",
                               from,       "--to",     to,        "--log-level", "error", NULL};
    pid_t parent = getpid();
    job->process = fork();
    if (job->process == 0)
        run(arguments, ends[1], parent);
    close(ends[1]);
    job->output = ends[0];
    fcntl(job->output, F_SETFL, O_NONBLOCK);
    say(job, text_of("Writing the clip:"), "0 %");
}

// A line is "43 %", or what went wrong.
static void take_line(struct clip_job *job)
{
    size_t digits = strspn(job->line, "0123456789");
    job->line[job->line_bytes] = 0;
    job->line_bytes = 0;
    if (digits && !strcmp(job->line + digits, " %"))
        say(job, text_of("Writing the clip:"), job->line);
    else if (job->line[0])
        utf8_copy(job->message, sizeof job->message, job->line);
}

static void end(struct clip_job *job, int status)
{
    bool good = WIFEXITED(status) && !WEXITSTATUS(status);
    close(job->output);
    job->process = 0;
    if (good)
        say(job, text_of("The clip is in"), job->path);
}

void clip_job_update(struct clip_job *job)
{
    char letter;
    int status;
    if (job->process <= 0)
        return;
    while (read(job->output, &letter, 1) == 1)
        if (letter == '\n' || job->line_bytes == sizeof job->line - 1)
            take_line(job);
        else
            job->line[job->line_bytes++] = letter;
    if (waitpid(job->process, &status, WNOHANG) > 0)
        end(job, status);
}

void clip_job_stop(struct clip_job *job)
{
    int status = 0;
    if (job->process <= 0)
        return;
    kill(job->process, SIGTERM);
    waitpid(job->process, &status, 0);
    end(job, status);
}
