// SPDX-License-Identifier: MIT
#include "recording.h"

#include <string.h>

bool recording_begin(struct match *match, struct recorder *recorder, const char *folder,
                     const struct settings *settings, int64_t unix_time)
{
    struct retention retention = settings_retention(settings);
    if (!recorder_begin(recorder, folder, unix_time, &match->map, &match->world))
        return false;
    match->recorder = recorder;
    recorder_dice(recorder, &match->dice, false);
    if (settings->record_keep.count > 0)
        recorder_retain(recorder, &retention, unix_time);
    return true;
}

void recording_end(struct match *match, bool match_is_over)
{
    if (match_is_over)
        recorder_dice(match->recorder, &match->dice, true);
    recorder_end(match->recorder);
    match->recorder = NULL;
}

// What a store writes with, and whether the settings ask for it.
struct writer {
    struct recorder *recorder;
    bool is_on, wanted;
    const char *name, *what, *placed; // of the store, to say of a fault, and before the path if that is worth a line
};

static void report(struct store_health *store, const struct writer *writer, const struct log *log, int64_t unix_s)
{
    uint32_t syncs, number = recorder_number(writer->recorder), last = number - (writer->is_on ? 1 : 0);
    bool had_failed = store->wanted && !store->up;
    store->wanted = writer->wanted || writer->is_on;
    // faults of files that have ended since; what was lost before that is in the log already
    while (store->ended < last) {
        enum disk_state state = recorder_state(writer->recorder, store->ended + 1, NULL);
        if (state < DISK_DONE)
            break;
        store->ended++;
        if (state != DISK_FAILED || store->ended == store->lost)
            continue;
        struct disk_report report = recorder_report(writer->recorder, store->ended);
        log_write(log, LOG_ERROR, "%s: the recording ends here: %s", report.path, report.fault);
    }
    if (!writer->is_on) {
        store->up = false;
        store->failures += store->wanted && !had_failed;
        return;
    }
    enum disk_state state = recorder_state(writer->recorder, number, &syncs);
    store->up = state != DISK_FAILED;
    if (state == DISK_SAFE && store->placed != number) {
        store->placed = number;
        struct disk_report report = recorder_report(writer->recorder, number);
        if (writer->placed)
            log_write(log, LOG_INFO, "%s %s", writer->placed, report.path);
    }
    if (!store->up && store->lost != number) {
        store->lost = number;
        store->failures++;
        struct disk_report report = recorder_report(writer->recorder, number);
        log_event(log, LOG_ERROR,
                  &(struct fields){"store_lost",
                                   "{consequence}: {reason}",
                                   {{"store", .text = writer->name},
                                    {"consequence", .text = writer->what},
                                    {"reason", .text = report.fault},
                                    {"path", .text = report.path}}});
    }
    if (store->up && syncs != store->syncs) {
        store->syncs = syncs;
        store->success_s = unix_s;
    }
}

void recording_report(struct server_health *health, const struct recording_stores *stores, const struct log *log,
                      int64_t unix_s)
{
    struct writer recording = {
        stores->recorder, stores->match->recorder,   strcmp(stores->settings->record, "off") != 0,
        "recording",      "the recording ends here", "recording to"};
    struct writer journal = {stores->journal,
                             stores->match->journal,
                             stores->settings->resume == RESUME_AUTO,
                             "journal",
                             "the match cannot be restored after a crash",
                             NULL};
    report(&health->stores[STORE_RECORDING], &recording, log, unix_s);
    report(&health->stores[STORE_JOURNAL], &journal, log, unix_s);
}
