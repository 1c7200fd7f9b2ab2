// SPDX-License-Identifier: MIT
#include "replay_list.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/text/text.h"
#include "base/clock.h"
#include "wire/replay.h"

#define FILE_BYTES_MAX (1 << 30)
#define NAMES_CAPACITY 1000

// A file that may be a replay.
struct found {
    char path[512];
    time_t time; // when the match began; if `is_end`, when the file was written last
    bool is_end;
    off_t bytes;
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
    DIR *directory = *folder ? opendir(folder) : NULL;
    uint32_t count = 0;
    for (const struct dirent *entry; directory && count < NAMES_CAPACITY && (entry = readdir(directory));) {
        size_t length = strlen(entry->d_name);
        struct stat state;
        struct found *found = &all[count];
        if (length < 4 || strcmp(entry->d_name + length - 4, ".dfr") ||
            (size_t)snprintf(found->path, sizeof found->path, "%s/%s", folder, entry->d_name) >= sizeof found->path ||
            stat(found->path, &state) || !S_ISREG(state.st_mode) || !state.st_size || state.st_size > FILE_BYTES_MAX)
            continue;
        found->is_end = !read_time(entry->d_name, &found->time);
        if (found->is_end)
            found->time = state.st_mtime;
        found->bytes = state.st_size;
        count++;
    }
    if (directory)
        closedir(directory);
    qsort(all, count, sizeof *all, newer);
    return count;
}

// Maps the file, since only its header and its index are read.
static bool look_into(struct replay_reader *reader, const struct found *found)
{
    int file = open(found->path, O_RDONLY | O_CLOEXEC);
    size_t bytes = (size_t)found->bytes;
    void *content = file < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (file >= 0)
        close(file);
    if (content == MAP_FAILED)
        return false;
    enum replay_fault fault = replay_reader_open(reader, content, bytes);
    munmap(content, bytes);
    return fault == REPLAY_OK;
}

static void describe(struct menu_replay *replay, struct found *found, const struct replay_reader *reader)
{
    uint32_t seconds = (reader->last_tick - reader->first.tick) / TICKS_PER_SECOND;
    if (found->is_end && reader->last_tick > reader->first.tick)
        found->time -= seconds;
    clock_date_local(found->time, "%Y-%m-%d %H:%M", replay->name, sizeof replay->name);
    snprintf(replay->path, sizeof replay->path, "%s", found->path);
    snprintf(replay->map, sizeof replay->map, "%.*s", MAP_NAME_CAPACITY, reader->map.name);
    if (reader->last_tick > reader->first.tick)
        snprintf(replay->length, sizeof replay->length, "%u:%02u", seconds / 60, seconds % 60);
    else
        snprintf(replay->length, sizeof replay->length, "%s", text_of("unfinished"));
}

void replay_list_read(struct menu_facts *facts, const char *folder)
{
    struct found *all = calloc(NAMES_CAPACITY, sizeof *all);
    struct replay_reader *reader = calloc(1, sizeof *reader);
    uint32_t count = all && reader ? find(all, folder) : 0;
    time_t times[MENU_REPLAY_CAPACITY];
    facts->replay_count = 0;
    for (uint32_t i = 0; i < count && facts->replay_count < MENU_REPLAY_CAPACITY; i++) {
        struct menu_replay replay = {.path = ""};
        if (!look_into(reader, &all[i]))
            continue;
        describe(&replay, &all[i], reader);
        uint32_t at = facts->replay_count++; // a file without a date in its name began earlier than it was written
        for (; at > 0 && times[at - 1] < all[i].time; at--) {
            times[at] = times[at - 1];
            facts->replays[at] = facts->replays[at - 1];
        }
        times[at] = all[i].time;
        facts->replays[at] = replay;
    }
    free(reader);
    free(all);
}
