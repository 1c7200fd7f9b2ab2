// SPDX-License-Identifier: MIT
//
// Writes a span of a replay to a video (WebM with sound) or to a moving picture (GIF). Draws each frame as the replay
// viewer does, without a window, and gives it to ffmpeg through a pipe. The file takes its place when it is whole.
#ifndef APP_REPLAY_CLIP_H
#define APP_REPLAY_CLIP_H

#include <stdint.h>

#include "base/error.h"
#include "base/platform/child.h"

/// Frames a second. Both divide the ticks of a second, so each frame is a tick.
#define CLIP_GIF_HZ  20
#define CLIP_WEBM_HZ 60
/// The longest clip.
#define CLIP_SECONDS_MAX 600

/// What to write.
struct clip {
    const char *replay;     ///< the file of the replay
    const char *path;       ///< of the clip; ends with .gif or .webm
    int64_t from_ms, to_ms; ///< of the replay, from its begin; to_ms 0: to its end
    /// Is called whenever another per cent is done. NULL: nobody.
    void (*progress)(uint32_t per_cent);
};

/// Writes it, and removes what it has written when the process is asked to end (SIGTERM, SIGINT). Returns false with an
/// error and its exit code.
bool clip_write(const struct clip *clip, struct error *error);

/// A clip that a process of its own writes (this program with --export), so that the window never waits for it. One at
/// a time. Zero-initialise.
struct clip_job {
    struct child child;
    char path[4096];
    char message[256]; ///< for people: how far it is, or what became of it; empty: nothing yet
};

/// Begins to write a clip to a new file in a folder, named after the replay; its `path` and `progress` are not used.
/// Nothing happens while one is being written.
void clip_job_start(struct clip_job *job, const char *folder, const char *extension, const struct clip *clip);
/// Takes what the process says and how it ends; never waits.
void clip_job_update(struct clip_job *job);
/// Ends the process, if one runs.
void clip_job_stop(struct clip_job *job);

#endif
