// SPDX-License-Identifier: MIT
#include "clip_job.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/text/text.h"
#include "base/file.h"
#include "base/platform/disk.h"
#include "base/platform/process.h"
#include "base/utf8.h"

#define END_MS 5000

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
        if (!disk_exists(job->path))
            return errno == ENOENT;
    }
    errno = EEXIST;
    return false;
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
    char program[FILE_PATH_BYTES], from[32], to[32];
    if (job->child.process > 0)
        return;
    *job = (struct clip_job){0};
    snprintf(from, sizeof from, "%" PRId64 "ms", from_ms);
    snprintf(to, sizeof to, "%" PRId64 "ms", to_ms);
    const char *arguments[] = {"deadfall", "--export", job->path, "--replay",    replay,  "--from",
                               from,       "--to",     to,        "--log-level", "error", NULL};
    struct child_command command = {program, arguments, .gives_output = true, .gives_errors = true};
    bool good = *folder && find_path(job, folder, extension, replay) && process_path(program, sizeof program) &&
                child_start(&job->child, &command);
    say(job, good ? text_of("Writing the clip:") : text_of("The clip cannot be written:"),
        good ? "0 %" : strerror(errno));
}

// A line is "43 %", or what went wrong.
static void take_line(struct clip_job *job, const char *line)
{
    size_t digits = strspn(line, "0123456789");
    if (digits && !strcmp(line + digits, " %"))
        say(job, text_of("Writing the clip:"), line);
    else if (line[0])
        utf8_copy(job->message, sizeof job->message, line);
}

static void take_lines(struct clip_job *job)
{
    for (const char *line; (line = child_line(&job->child, 0));)
        take_line(job, line);
}

void clip_job_update(struct clip_job *job)
{
    int code;
    if (job->child.process <= 0)
        return;
    take_lines(job);
    if (child_has_ended(&job->child, &code) && code == 0)
        say(job, text_of("The clip is in"), job->path);
}

void clip_job_stop(struct clip_job *job)
{
    if (job->child.process > 0 && child_stop(&job->child, END_MS) == 0)
        say(job, text_of("The clip is in"), job->path);
}
