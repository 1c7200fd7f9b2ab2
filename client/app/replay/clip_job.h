// SPDX-License-Identifier: MIT
//
// Writes a clip in a process of its own (this program with --export), so that the window never waits for it.
#ifndef APP_REPLAY_CLIP_JOB_H
#define APP_REPLAY_CLIP_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "base/platform/child.h"

/// One clip at a time. Zero-initialise.
struct clip_job {
    struct child child;
    char path[4096];
    char message[256]; ///< for people: how far it is, or what became of it; empty: nothing yet
};

/// Begins to write a clip to a new file in a folder, named after the replay. Nothing happens while one is being
/// written.
void clip_job_start(struct clip_job *job, const char *folder, const char *extension, const char *replay,
                    int64_t from_ms, int64_t to_ms);
/// Takes what the process says and how it ends; never waits.
void clip_job_update(struct clip_job *job);
/// Ends the process, if one runs.
void clip_job_stop(struct clip_job *job);

#endif
