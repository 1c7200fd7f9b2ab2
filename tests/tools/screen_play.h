// SPDX-License-Identifier: MIT
//
// Plays a script in the windows that it opens. Each window is a process that runs the whole program; between two frames
// it does the steps that are its own. All share how far the script is, so a step waits for the one before it in another
// window.
#ifndef TOOLS_SCREEN_PLAY_H
#define TOOLS_SCREEN_PLAY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "screen_script.h"

#define SCREEN_PLAY_PATH_BYTES 256
#define SCREEN_PLAY_TEXT_BYTES 512
#define SCREEN_PLAY_NOTES      8
#define SCREEN_PLAY_NOTE_BYTES 128

/// What the processes share.
struct screen_stage {
    _Atomic uint32_t at; ///< the step that is due
    _Atomic bool failed; ///< the fault has been reported
    uint32_t note_count;
    struct {
        char name[SCREEN_PLAY_NOTE_BYTES]; ///< with braces
        char text[SCREEN_PLAY_NOTE_BYTES];
    } notes[SCREEN_PLAY_NOTES];
};

/// A script that is played.
struct screen_play {
    const struct screen_script *script;
    const char *path; ///< of the script
    char name[64];    ///< of the script, for pictures
    char folder[SCREEN_PLAY_PATH_BYTES];
    bool is_real; ///< in a real window and real time
    struct screen_stage *stage;
};

/// Keeps a text for later steps, which name it in braces.
void screen_play_note(const struct screen_play *play, const char *name, const char *text, size_t bytes);
/// Writes a word of a step with what the names in braces stand for.
void screen_play_expand(const struct screen_play *play, const char *word, char text[SCREEN_PLAY_TEXT_BYTES]);

/// Returns whether a step that has been tried in so many frames, since then, may go on to wait. What is waited for in a
/// real window comes when it comes.
bool screen_play_may_wait(const struct screen_play *play, const struct screen_step *step, uint32_t frames,
                          uint64_t since_ns);

/// Reports what the step that is due waited for in vain.
void screen_play_fail(const struct screen_play *play, const char *fault);

/// Where faults are reported; without it, on stderr.
void screen_play_report_to(FILE *out);

/// Says that the window of this process is number `window`; its program logs to `log_path`.
void screen_play_enter(const struct screen_play *play, uint32_t window, const char *log_path);

#endif
