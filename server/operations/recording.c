// SPDX-License-Identifier: MIT
#include "recording.h"

#include <stdio.h>

bool recording_begin(struct match *match, const char *directory, int64_t unix_time, char *sentence,
                     size_t sentence_bytes)
{
    match->recorder = recorder_open(directory, unix_time, &match->map, &match->world, sentence, sentence_bytes);
    if (match->recorder)
        snprintf(sentence, sentence_bytes, "recording to %s", recorder_path(match->recorder));
    return match->recorder != NULL;
}

bool recording_end(struct match *match, char *sentence, size_t sentence_bytes)
{
    struct recorder *recorder = match->recorder;
    match->recorder = NULL;
    if (recorder)
        snprintf(sentence, sentence_bytes, "recorded to %s", recorder_path(recorder));
    return recorder_close(recorder, sentence, sentence_bytes);
}

static void tell(bool *told, struct recorder *recorder, const struct log *log, const char *what)
{
    const char *fault = recorder_fault(recorder);
    if (fault && !*told)
        log_write(log, LOG_ERROR, "%s: %s", what, fault);
    *told = fault != NULL;
}

void recording_tell(struct recording_told *told, const struct match *match, const struct log *log)
{
    tell(&told->recording, match->recorder, log, "the recording ends here");
    tell(&told->journal, match->journal, log, "the match will not survive this server");
}
