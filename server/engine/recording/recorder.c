// SPDX-License-Identifier: MIT
#include "recorder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/platform/disk.h"
#include "sync/game.h"

struct recorder {
    struct replay_writer replay;
    struct disk_writer *disk;
    uint32_t number; // of the newest recording
    bool records;    // it has not ended
};

struct recorder *recorder_open(void)
{
    struct recorder *recorder = calloc(1, sizeof *recorder);
    if (recorder && !(recorder->disk = disk_writer_open())) {
        free(recorder);
        return NULL;
    }
    return recorder;
}

// The sink of the replay writer.
static bool put(void *context, const uint8_t *bytes, size_t byte_count)
{
    struct recorder *recorder = context;
    return disk_writer_put(recorder->disk, bytes, byte_count);
}

// A fault is in the report of the disk writer, as any later one.
static bool write_head(struct recorder *recorder, uint32_t number, const struct map *map, const struct world *first)
{
    recorder->records = number > 0;
    if (!recorder->records)
        return false;
    recorder->number = number;
    replay_writer_begin(&recorder->replay, put, recorder, map, first);
    disk_writer_sync(recorder->disk);
    return true;
}

bool recorder_begin(struct recorder *recorder, const char *directory, int64_t unix_time, const struct map *map,
                    const struct world *first)
{
    char path[DISK_WRITER_PATH_BYTES], when[CLOCK_DATE_BYTES];
    if (!clock_date_utc(unix_time, "%Y%m%d-%H%M%S", when, sizeof when))
        strcpy(when, "undated");
    snprintf(path, sizeof path, "%.1000s/%.*s-%s", directory, GAME_MAP_NAME_BYTES, game_map_name(map), when);
    return write_head(recorder, disk_writer_begin(recorder->disk, path, ".dfr"), map, first);
}

bool recorder_begin_at(struct recorder *recorder, const char *path, const struct map *map, const struct world *first)
{
    return write_head(recorder, disk_writer_begin(recorder->disk, path, NULL), map, first);
}

bool recorder_wait(struct recorder *recorder, struct error *error)
{
    disk_writer_wait(recorder->disk, recorder->number);
    struct disk_report report = disk_writer_report(recorder->disk, recorder->number);
    if (report.state != DISK_FAILED)
        return true;
    recorder_end(recorder);
    disk_writer_wait_all(recorder->disk);
    return error_set(error, "cannot record into %.500s: %s", report.path, report.fault);
}

bool recorder_check(const char *directory, struct error *error)
{
    bool made = disk_make_folder(directory, DISK_PUBLIC_FOLDER);
    bool good = (made || errno == EEXIST) && disk_can_create(directory);
    if (!good)
        error_set(error, "cannot record into %.500s: %s", directory, strerror(errno));
    if (made)
        disk_remove_folder(directory);
    return good;
}

void recorder_retain(struct recorder *recorder, const struct retention *limits, int64_t unix_s)
{
    if (recorder)
        disk_writer_retain(recorder->disk, limits, unix_s);
}

uint32_t recorder_number(const struct recorder *recorder)
{
    return recorder ? recorder->number : 0;
}

enum disk_state recorder_state(struct recorder *recorder, uint32_t number, uint32_t *syncs)
{
    return disk_writer_state(recorder->disk, number, syncs);
}

struct disk_report recorder_report(struct recorder *recorder, uint32_t number)
{
    return disk_writer_report(recorder->disk, number);
}

void recorder_tick(struct recorder *recorder, const struct command *commands, uint32_t command_count,
                   const struct player_input *inputs, const struct world *world)
{
    if (!recorder)
        return;
    replay_writer_tick(&recorder->replay, commands, command_count, inputs, world);
    if (world->tick % TICKS_PER_SECOND == 0)
        disk_writer_sync(recorder->disk);
}

void recorder_seats(struct recorder *recorder, const struct replay_seat *seats, uint32_t seat_count)
{
    if (recorder)
        replay_writer_seats(&recorder->replay, seats, seat_count);
}

void recorder_note(struct recorder *recorder, enum replay_note note, const uint8_t *bytes, size_t byte_count)
{
    if (recorder)
        replay_writer_note(&recorder->replay, note, bytes, byte_count);
}

void recorder_hats(struct recorder *recorder, const uint8_t *hats)
{
    if (recorder)
        replay_writer_hats(&recorder->replay, hats);
}

void recorder_dice(struct recorder *recorder, const struct dice *dice, bool reveals)
{
    if (!recorder)
        return;
    replay_writer_dice(&recorder->replay, dice->commitment, reveals ? dice->secret : NULL);
    disk_writer_sync(recorder->disk);
}

size_t recorder_backlog_bytes(struct recorder *recorder)
{
    return disk_writer_backlog_bytes(recorder->disk);
}

void recorder_end(struct recorder *recorder)
{
    if (!recorder || !recorder->records)
        return;
    recorder->records = false;
    replay_writer_end(&recorder->replay);
    disk_writer_end(recorder->disk);
}

bool recorder_finish(struct recorder *recorder, struct error *error)
{
    recorder_end(recorder);
    if (recorder_number(recorder) == 0)
        return true;
    disk_writer_wait_all(recorder->disk);
    struct disk_report report = disk_writer_report(recorder->disk, recorder->number);
    return report.state != DISK_FAILED ||
           error_set(error, "%s: the recording ends here: %s", report.path, report.fault);
}

bool recorder_close(struct recorder *recorder, struct error *error)
{
    bool good = recorder_finish(recorder, error);
    if (recorder)
        disk_writer_close(recorder->disk);
    free(recorder);
    return good;
}
