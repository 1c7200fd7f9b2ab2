// SPDX-License-Identifier: MIT
#include "recording.h"

#include <stdio.h>
#include <string.h>

static bool begin(struct match *match, struct recorder *recorder, const struct error *error, char *answer,
                  size_t answer_bytes)
{
    match->recorder = recorder;
    recorder_dice(recorder, &match->dice, false);
    if (recorder)
        snprintf(answer, answer_bytes, "recording to %s", recorder_path(recorder));
    else
        snprintf(answer, answer_bytes, "%s", error->text);
    return recorder != NULL;
}

bool recording_begin(struct match *match, const char *directory, int64_t unix_time, char *answer, size_t answer_bytes)
{
    struct error error;
    struct recorder *recorder = recorder_open(directory, unix_time, &match->map, &match->world, &error);
    return begin(match, recorder, &error, answer, answer_bytes);
}

bool recording_follow(struct match *match, const char *directory, int64_t unix_time, char *answer, size_t answer_bytes)
{
    struct error error;
    struct recorder *recorder = recorder_begin(directory, unix_time, &match->map, &match->world, &error);
    return begin(match, recorder, &error, answer, answer_bytes);
}

void recording_retain(const struct match *match, const struct settings *settings, int64_t unix_time)
{
    struct retention retention = settings_retention(settings);
    if (settings->record_keep.count > 0)
        recorder_retain(match->recorder, &retention, unix_time);
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

// What a store writes with, and whether the settings ask for it.
struct writer {
    struct recorder *recorder; // null: none
    bool wanted;
    const char *name, *what; // of the store, and to say of a fault
};

static void report(struct store_health *store, const struct writer *writer, const struct log *log, int64_t unix_s)
{
    bool had_failed = store->wanted && !store->up;
    const char *fault = recorder_fault(writer->recorder);
    store->wanted = writer->wanted || writer->recorder;
    store->up = writer->recorder && !fault;
    if (store->up && recorder_syncs(writer->recorder) != store->syncs) {
        store->syncs = recorder_syncs(writer->recorder);
        store->success_s = unix_s;
    }
    if (!store->wanted || store->up || had_failed)
        return;
    store->failures++;
    if (fault)
        log_event(
            log, LOG_ERROR,
            &(struct fields){
                "store_lost",
                "{consequence}: {reason}",
                {{"store", .text = writer->name}, {"consequence", .text = writer->what}, {"reason", .text = fault}}});
}

void recording_report(struct server_health *health, const struct settings *settings, const struct match *match,
                      const struct log *log, int64_t unix_s)
{
    struct writer recording = {match->recorder, strcmp(settings->record, "off") != 0, "recording",
                               "the recording ends here"};
    struct writer journal = {match->journal, settings->resume == RESUME_AUTO, "journal",
                             "the match cannot be restored after a crash"};
    report(&health->stores[STORE_RECORDING], &recording, log, unix_s);
    report(&health->stores[STORE_JOURNAL], &journal, log, unix_s);
}
