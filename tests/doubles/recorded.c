// SPDX-License-Identifier: MIT
#include "recorded.h"

#include <assert.h>

static struct recorder *wait_for_head(struct recorder *recorder, struct error *error)
{
    if (recorder_wait(recorder, error))
        return recorder;
    recorder_close(recorder, NULL);
    return NULL;
}

struct recorder *recorded_in(const char *folder, int64_t unix_time, const struct map *map, const struct world *first,
                             struct error *error)
{
    struct recorder *recorder = recorder_open();
    assert(recorder);
    recorder_begin(recorder, folder, unix_time, map, first);
    return wait_for_head(recorder, error);
}

struct recorder *recorded_at(const char *path, const struct map *map, const struct world *first, struct error *error)
{
    struct recorder *recorder = recorder_open();
    assert(recorder);
    recorder_begin_at(recorder, path, map, first);
    return wait_for_head(recorder, error);
}

static struct disk_report report;

const char *recorded_path(struct recorder *recorder)
{
    report = recorder_report(recorder, recorder_number(recorder));
    return report.path;
}

const char *recorded_fault(struct recorder *recorder)
{
    report = recorder_report(recorder, recorder_number(recorder));
    return report.state == DISK_FAILED ? report.fault : NULL;
}
