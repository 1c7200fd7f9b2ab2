// SPDX-License-Identifier: MIT
#include "replay_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/text/text.h"
#include "base/clock.h"
#include "base/little_endian.h"
#include "base/platform/disk.h"
#include "wire/message.h"
#include "wire/replay.h"

#define FILE_BYTES_MAX (1u << 30)
#define NAMES_CAPACITY 4000

// A file that may be a replay.
struct found {
    char path[512];
    time_t time; // when the match began; if `is_end`, when the file was written last
    bool is_end;
};

// A server names a recording MAP-20261123-174500, by when it began in UTC; a further number may follow.
static bool read_time(const char *name, time_t *time)
{
    static const char SHAPE[] = "-dddddddd-dddddd";
    for (; (name = strchr(name, '-')); name++) {
        size_t at = 0;
        struct tm date = {0};
        while (SHAPE[at] && (SHAPE[at] == 'd' ? name[at] >= '0' && name[at] <= '9' : name[at] == '-'))
            at++;
        if (SHAPE[at] || !strptime(name, "-%Y%m%d-%H%M%S", &date))
            continue;
        *time = timegm(&date);
        return true;
    }
    return false;
}

static int newer(const void *a, const void *b)
{
    time_t first = ((const struct found *)a)->time, second = ((const struct found *)b)->time;
    return first < second ? 1 : first > second ? -1 : 0;
}

static uint32_t find(struct found *all, const char *folder)
{
    struct disk_list *list = *folder ? disk_list_open(folder) : NULL;
    uint32_t count = 0;
    for (const char *name; count < NAMES_CAPACITY && (name = disk_list_next(list));) {
        size_t length = strlen(name);
        struct disk_facts facts;
        struct found *found = &all[count];
        if (length < 4 || strcmp(name + length - 4, ".dfr") ||
            (size_t)snprintf(found->path, sizeof found->path, "%s/%s", folder, name) >= sizeof found->path ||
            !disk_look(found->path, &facts) || facts.kind != DISK_FILE || facts.byte_count == 0 ||
            facts.byte_count > FILE_BYTES_MAX)
            continue;
        found->is_end = !read_time(name, &found->time);
        if (found->is_end)
            found->time = (time_t)(facts.modified_ns / (int64_t)CLOCK_SECOND_NS);
        count++;
    }
    disk_list_close(list);
    qsort(all, count, sizeof *all, newer);
    return count;
}

// Returns whether a file begins as a replay of this version does.
static bool begins_well(const char *path)
{
    uint8_t begin[REPLAY_HEADER_BYTES];
    int file = disk_open(path, DISK_READ, 0);
    bool good = file >= 0 && disk_read(file, begin, sizeof begin) == sizeof begin && !memcmp(begin, REPLAY_MAGIC, 4) &&
                little_endian_read(begin + 4, 4) == PROTOCOL_VERSION;
    if (file >= 0)
        disk_close(file);
    return good;
}

// Maps the file, since only its header and its index are read.
static bool look_into(struct replay_reader *reader, const char *path)
{
    struct disk_facts facts;
    int file = disk_open(path, DISK_READ, 0);
    size_t bytes =
        file >= 0 && disk_look_at(file, &facts) && facts.byte_count <= FILE_BYTES_MAX ? (size_t)facts.byte_count : 0;
    const void *content = bytes ? disk_map(file, bytes) : NULL;
    if (file >= 0)
        disk_close(file);
    if (!content)
        return false;
    enum replay_fault fault = replay_reader_open(reader, content, bytes);
    disk_unmap(content, bytes);
    return fault == REPLAY_OK;
}

// Fills in what is within the file. Returns its length, s; 0 if it is not known.
static uint32_t describe(struct menu_replay *replay, struct replay_reader *reader)
{
    replay->is_read = true;
    if (!look_into(reader, replay->path))
        return 0;
    uint32_t seconds = (reader->last_tick - reader->first.tick) / TICKS_PER_SECOND;
    bool has_end = reader->last_tick > reader->first.tick;
    replay->mode = reader->first.rules.mode;
    snprintf(replay->map, sizeof replay->map, "%.*s", MAP_NAME_CAPACITY, reader->map.name);
    if (has_end)
        snprintf(replay->length, sizeof replay->length, "%u:%02u", seconds / 60, seconds % 60);
    else
        snprintf(replay->length, sizeof replay->length, "%s", text_of("unfinished"));
    return has_end ? seconds : 0;
}

// A file without a date in its name began earlier than it was written, by its length.
static void add(struct menu_facts *facts, const struct found *found, struct replay_reader *reader)
{
    struct menu_replay *replay = &facts->replays[facts->replay_count++];
    *replay = (struct menu_replay){.unix_s = found->time};
    snprintf(replay->path, sizeof replay->path, "%s", found->path);
    if (found->is_end)
        replay->unix_s -= describe(replay, reader);
    clock_date_local(replay->unix_s, "%Y-%m-%d %H:%M", replay->name, sizeof replay->name);
}

static int began_later(const void *a, const void *b)
{
    int64_t first = ((const struct menu_replay *)a)->unix_s, second = ((const struct menu_replay *)b)->unix_s;
    return first < second ? 1 : first > second ? -1 : 0;
}

void replay_list_read(struct menu_facts *facts, const char *folder)
{
    struct found *all = calloc(NAMES_CAPACITY, sizeof *all);
    struct replay_reader *reader = calloc(1, sizeof *reader);
    uint32_t count = all && reader ? find(all, folder) : 0;
    facts->replay_count = 0;
    for (uint32_t i = 0; i < count && facts->replay_count < MENU_REPLAY_CAPACITY; i++)
        if (begins_well(all[i].path))
            add(facts, &all[i], reader);
    qsort(facts->replays, facts->replay_count, sizeof *facts->replays, began_later);
    free(reader);
    free(all);
}

void replay_list_look(struct menu_facts *facts, uint32_t first, uint32_t count)
{
    struct replay_reader *reader = NULL;
    for (uint32_t i = first; i < first + count && i < facts->replay_count; i++) {
        if (facts->replays[i].is_read)
            continue;
        reader = reader ? reader : calloc(1, sizeof *reader);
        if (reader)
            describe(&facts->replays[i], reader);
    }
    free(reader);
}
