// SPDX-License-Identifier: MIT
#include "recording.h"

#include <stdio.h>

bool recording_begin(struct match *match, const char *directory, int64_t unix_time, char *answer, size_t answer_bytes)
{
    struct error error;
    match->recorder = recorder_open(directory, unix_time, &match->map, &match->world, &error);
    recorder_dice(match->recorder, &match->dice, false);
    if (match->recorder)
        snprintf(answer, answer_bytes, "recording to %s", recorder_path(match->recorder));
    else
        snprintf(answer, answer_bytes, "%s", error.text);
    return match->recorder != NULL;
}

bool recording_end(struct match *match, bool match_is_over, char *answer, size_t answer_bytes)
{
    struct recorder *recorder = match->recorder;
    match->recorder = NULL;
    struct error error;
    if (match_is_over)
        recorder_dice(recorder, &match->dice, true);
    if (recorder)
        snprintf(answer, answer_bytes, "recorded to %s", recorder_path(recorder));
    if (recorder_close(recorder, &error))
        return true;
    snprintf(answer, answer_bytes, "%s", error.text);
    return false;
}

static void report(bool *reported, struct recorder *recorder, const struct log *log, const char *what)
{
    const char *fault = recorder_fault(recorder);
    if (fault && !*reported)
        log_write(log, LOG_ERROR, "%s: %s", what, fault);
    *reported = fault != NULL;
}

void recording_report(struct recording_reported *reported, const struct match *match, const struct log *log)
{
    report(&reported->recording, match->recorder, log, "the recording ends here");
    report(&reported->journal, match->journal, log, "the match cannot be restored after a crash");
}
