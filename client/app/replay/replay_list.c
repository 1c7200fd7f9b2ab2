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
    time_t time;
    off_t bytes;
};

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

static void describe(struct menu_replay *replay, const struct found *found, const struct replay_reader *reader)
{
    uint32_t seconds = (reader->last_tick - reader->first.tick) / TICKS_PER_SECOND;
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
    facts->replay_count = 0;
    for (uint32_t i = 0; i < count && facts->replay_count < MENU_REPLAY_CAPACITY; i++)
        if (look_into(reader, &all[i]))
            describe(&facts->replays[facts->replay_count++], &all[i], reader);
    free(reader);
    free(all);
}
