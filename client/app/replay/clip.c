// SPDX-License-Identifier: MIT
#include "clip.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/platform/child.h"
#include "base/platform/disk.h"
#include "base/platform/process.h"
#include "base/utf8.h"
#include "options/options.h"
#include "replay_viewer.h"
#include "text/text.h"

#define PROGRAM      "ffmpeg"
#define COLUMNS      (CANVAS_WIDTH * CANVAS_FINE)
#define ROWS         (CANVAS_HEIGHT * CANVAS_FINE)
#define SECOND_US    1000000u
#define FOLDER_BYTES 4096
#define END_MS       5000 ///< for which a process that is to end is waited for
#define TEXT(number) #number
#define SIZE(w, h)   TEXT(w) "x" TEXT(h)

// Everything that is needed while a clip is written. Large.
struct work {
    struct replay_viewer viewer;
    struct presenter presenter;
    struct canvas canvas;
    uint8_t picture[COLUMNS * ROWS * 3]; ///< red, green, blue
    tick from, to;                       ///< of the replay
    tick apart;                          ///< ticks between two frames
    uint32_t percent;
    const struct clip *clip;
};

static bool ends_with(const char *path, const char *end)
{
    size_t length = strlen(path), least = strlen(end);
    return length > least && !strcmp(path + length - least, end);
}

static void enlarge(struct work *work)
{
    int32_t columns = canvas_columns(&work->canvas), size = COLUMNS / columns;
    uint8_t *to = work->picture;
    for (int32_t y = 0; y < ROWS; y++)
        for (int32_t x = 0; x < COLUMNS; x++) {
            argb from = work->canvas.pixels[y / size * columns + x / size];
            *to++ = (uint8_t)(from >> 16);
            *to++ = (uint8_t)(from >> 8);
            *to++ = (uint8_t)from;
        }
}

// Rounded up, so that a tick is over by then.
static uint64_t us_of(uint64_t ticks)
{
    return (ticks * SECOND_US + TICKS_PER_SECOND - 1) / TICKS_PER_SECOND;
}

// Shows the span frame by frame, to a pipe or (-1) to the sound file alone. These take `share` of 100 per cent, from
// `done` on. Returns false if the pipe is broken.
static bool show(struct work *work, int pipe, uint32_t done, uint32_t share)
{
    struct presenter *presenter = &work->presenter;
    uint64_t frames = (work->to - work->from) / work->apart + 1, shown = 0;
    presenter_begin(presenter);
    replay_viewer_seek(&work->viewer, work->from);
    work->viewer.speed = REPLAY_VIEWER_SPEED_NORMAL;
    for (uint64_t frame = 0; frame < frames && work->viewer.fault == REPLAY_OK; frame++) {
        for (; shown <= frame * work->apart; shown++) {
            uint64_t us = us_of(shown);
            replay_viewer_advance(&work->viewer, us - us_of(shown ? shown - 1 : 0), 0, &presenter->scene.camera);
            replay_viewer_draw(&work->viewer, presenter, &work->canvas, &(struct draw_options){0});
            sound_device_write(&presenter->sound, us);
        }
        enlarge(work);
        if (process_is_stopping() || (pipe >= 0 && !file_write_all(pipe, work->picture, sizeof work->picture)))
            return false;
        uint32_t percent = done + (uint32_t)((frame + 1) * share / frames);
        if (percent != work->percent && work->clip->progress)
            work->clip->progress(percent);
        work->percent = percent;
    }
    return true;
}

// Shows the span to ffmpeg. Returns whether it has written the clip.
static bool encode(struct work *work, const char *const *arguments, uint32_t done, uint32_t share)
{
    struct child child;
    if (!child_start(&child, &(struct child_command){PROGRAM, arguments, .takes_input = true}))
        return false;
    bool shown = show(work, child.input, done, share);
    return child_wait(&child) == 0 && shown;
}

// Each frame of a GIF has its own colours; a point becomes a pixel again.
static bool write_gif(struct work *work, const char *part)
{
    const char *arguments[] = {
        PROGRAM,
        "-v",
        "error",
        "-f",
        "rawvideo",
        "-pix_fmt",
        "rgb24",
        "-s",
        SIZE(1280, 720),
        "-r",
        TEXT(20),
        "-i",
        "-",
        "-filter_complex",
        "scale=640:360:flags=area,split[a][b];[a]palettegen=stats_mode=single:reserve_transparent=0[p];"
        "[b][p]paletteuse=new=1:dither=none",
        "-f",
        "gif",
        "-y",
        part,
        NULL};
    return encode(work, arguments, 0, 100);
}

// The sound is heard first, into a file beside the clip; then the same span is seen.
static bool write_webm(struct work *work, const char *part, struct error *error)
{
    char sound[FOLDER_BYTES + 16];
    struct presenter *presenter = &work->presenter;
    snprintf(sound, sizeof sound, "%s.wav", part);
    const char *arguments[] = {PROGRAM,     "-v",         "error",
                               "-f",        "rawvideo",   "-pix_fmt",
                               "rgb24",     "-s",         SIZE(1280, 720),
                               "-r",        TEXT(60),     "-i",
                               "-",         "-i",         sound,
                               "-c:v",      "libvpx-vp9", "-crf",
                               "20",        "-b:v",       "0",
                               "-deadline", "realtime",   "-cpu-used",
                               "6",         "-row-mt",    "1",
                               "-pix_fmt",  "yuv420p",    "-c:a",
                               "libopus",   "-b:a",       "128k",
                               "-shortest", "-f",         "webm",
                               "-y",        part,         NULL};
    if (!presenter_open(presenter, sound, error))
        return false;
    bool shown = show(work, -1, 0, 10);
    shown &= presenter_close(presenter, error);
    bool done = shown && encode(work, arguments, 10, 90);
    disk_remove(sound);
    return done;
}

// Opens the replay and finds the ticks of the span.
static bool begin(struct work *work, bool gif, struct error *error)
{
    const struct clip *clip = work->clip;
    if (!replay_viewer_open(&work->viewer, clip->replay, error)) {
        error->code = EXIT_DATA;
        return false;
    }
    uint64_t length = work->viewer.last - work->viewer.first, from = (uint64_t)clip->from_ms * TICKS_PER_SECOND / 1000;
    uint64_t to = clip->to_ms ? (uint64_t)clip->to_ms * TICKS_PER_SECOND / 1000 : length;
    to = to < length ? to : length;
    if (from >= to)
        return error_set_code(error, EXIT_USAGE, text_of("The clip is empty: the replay is %u s long."),
                              (uint32_t)(length / TICKS_PER_SECOND));
    if (to - from > CLIP_SECONDS_MAX * TICKS_PER_SECOND)
        return error_set_code(error, EXIT_USAGE, text_of("A clip has at most %u seconds: choose a part."),
                              CLIP_SECONDS_MAX);
    work->from = work->viewer.first + (tick)from;
    work->to = work->viewer.first + (tick)to - 1;
    work->apart = TICKS_PER_SECOND / (tick)(gif ? CLIP_GIF_HZ : CLIP_WEBM_HZ);
    work->presenter.display = DISPLAY_OPTIONS_DEFAULT;
    work->presenter.display.kill_replays = false;
    work->presenter.volumes = (struct sound_volumes){100, 100, 60, 70, 80};
    return true;
}

// With memory to work in.
static bool write_clip(struct work *work, struct error *error)
{
    char part[FOLDER_BYTES];
    const char *path = work->clip->path;
    bool gif = ends_with(path, ".gif");
    error->text[0] = 0;
    if (!gif && !ends_with(path, ".webm"))
        return error_set_code(error, EXIT_USAGE, text_of("A clip is a .gif or a .webm file."));
    if ((size_t)snprintf(part, sizeof part, "%s.part", path) >= sizeof part - 8)
        return error_set_code(error, EXIT_USAGE, "%s", strerror(ENAMETOOLONG));
    if (!child_is_installed(PROGRAM))
        return error_set_code(error, EXIT_UNAVAILABLE,
                              text_of("Clips need %s. Install it (Debian, Ubuntu: apt install %s) and try again."),
                              PROGRAM, PROGRAM);
    if (!begin(work, gif, error))
        return false;
    if ((gif ? write_gif(work, part) : write_webm(work, part, error)) && file_place(part, path))
        return true;
    disk_remove(part);
    return error_set_code(error, EXIT_IO, text_of("The clip %s cannot be written."), path);
}

bool clip_write(const struct clip *clip, struct error *error)
{
    struct work *work = calloc(1, sizeof *work);
    if (!work)
        return error_set_code(error, EXIT_FAILED, text_of("Not enough memory."));
    work->clip = clip;
    process_ignore_write_signals();
    process_catch_stop();
    bool written = write_clip(work, error);
    replay_viewer_close(&work->viewer);
    free(work);
    return written;
}

// --- in a process of its own

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

void clip_job_start(struct clip_job *job, const char *folder, const char *extension, const struct clip *clip)
{
    char program[FILE_PATH_BYTES], from[32], to[32];
    if (job->child.process > 0)
        return;
    *job = (struct clip_job){0};
    snprintf(from, sizeof from, "%" PRId64 "ms", clip->from_ms);
    snprintf(to, sizeof to, "%" PRId64 "ms", clip->to_ms);
    const char *arguments[] = {"deadfall", "--export", job->path, "--replay",    clip->replay, "--from",
                               from,       "--to",     to,        "--log-level", "error",      NULL};
    struct child_command command = {program, arguments, .gives_output = true, .gives_errors = true};
    bool good = *folder && find_path(job, folder, extension, clip->replay) && process_path(program, sizeof program) &&
                child_start(&job->child, &command);
    say(job, good ? text_of("Writing the clip:") : text_of("The clip cannot be written:"),
        good ? "0 %" : strerror(errno));
}

void clip_job_update(struct clip_job *job)
{
    int code;
    if (job->child.process <= 0)
        return;
    for (const char *line; (line = child_line(&job->child, 0));) { // "43 %", or what went wrong
        size_t digits = strspn(line, "0123456789");
        if (digits && !strcmp(line + digits, " %"))
            say(job, text_of("Writing the clip:"), line);
        else if (line[0])
            utf8_copy(job->message, sizeof job->message, line);
    }
    if (child_has_ended(&job->child, &code) && code == 0)
        say(job, text_of("The clip is in"), job->path);
}

void clip_job_stop(struct clip_job *job)
{
    if (job->child.process > 0 && child_stop(&job->child, END_MS) == 0)
        say(job, text_of("The clip is in"), job->path);
}
