// SPDX-License-Identifier: MIT
#include "retention.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/platform/disk.h"

#define NAME_BYTES 256
#define DAY_S      86400
#define SECOND_NS  INT64_C(1000000000)
#define LIMIT_MAX  1000000000 // of the number in a limit

// Beyond these, the others wait for the next time.
#define FILES_MAX 100000

struct recording {
    int64_t written_s;
    uint64_t bytes;
    char name[NAME_BYTES];
};

struct recordings {
    struct recording *of;
    size_t count, capacity;
};

bool retention_parse(const char *text, struct retention *retention)
{
    static const struct {
        char letter;
        int64_t age_s;
        uint64_t bytes;
    } units[] = {{'h', 3600, 0},       {'d', DAY_S, 0},      {'w', (int64_t)7 * DAY_S, 0},
                 {'M', 0, 1ull << 20}, {'G', 0, 1ull << 30}, {'T', 0, 1ull << 40}};
    char *end;
    long long number = strtoll(text, &end, 10);
    if (!isdigit((unsigned char)*text) || number < 1 || number > LIMIT_MAX)
        return false;
    if (!*end) {
        retention->files = (uint32_t)number;
        return true;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (units[i].letter != end[0] || end[1] || (units[i].letter == 'T' && number > 1 << 20))
            continue;
        if (units[i].age_s)
            retention->age_s = number * units[i].age_s;
        else
            retention->bytes = (uint64_t)number * units[i].bytes;
        return true;
    }
    return false;
}

// A recording is called MAP-YYYYMMDD-HHMMSS.dfr, or has another number behind the second.
static bool is_recording(const char *name)
{
    static const char pattern[] = "-########-######";
    size_t length = strlen(name);
    if (length >= NAME_BYTES || length < sizeof pattern + 4 || strcmp(name + length - 4, ".dfr") != 0)
        return false;
    for (const char *at = strchr(name, '-'); at; at = strchr(at + 1, '-')) {
        size_t i = 0;
        while (pattern[i] && (pattern[i] == '#' ? isdigit((unsigned char)at[i]) : at[i] == pattern[i]))
            i++;
        if (!pattern[i] && (at[i] == '.' || at[i] == '-'))
            return true;
    }
    return false;
}

static bool add(struct recordings *recordings, const char *name, const struct disk_facts *facts)
{
    if (recordings->count == recordings->capacity) {
        size_t capacity = recordings->capacity ? 2 * recordings->capacity : 64;
        struct recording *grown = realloc(recordings->of, capacity * sizeof *grown);
        if (!grown)
            return false;
        recordings->of = grown;
        recordings->capacity = capacity;
    }
    struct recording *recording = &recordings->of[recordings->count++];
    *recording = (struct recording){.written_s = facts->modified_ns / SECOND_NS, .bytes = facts->byte_count};
    strcpy(recording->name, name);
    return true;
}

// Opens a file of the folder itself, not what a link there leads to. Returns its number, or -1.
static int open_recording(const char *directory, const char *name)
{
    char path[FILE_PATH_BYTES];
    return snprintf(path, sizeof path, "%s/%s", directory, name) < (int)sizeof path
               ? disk_open(path, DISK_READ_AT_ONCE | DISK_NO_LINK, 0)
               : -1;
}

static int newest_first(const void *left, const void *right)
{
    const struct recording *a = left, *b = right;
    if (a->written_s != b->written_s)
        return a->written_s < b->written_s ? 1 : -1;
    return strcmp(b->name, a->name);
}

void retention_apply(const char *directory, const struct retention *limits, int64_t unix_s)
{
    struct recordings recordings = {0};
    struct disk_list *names = disk_list_open(directory);
    if (!names)
        return;
    bool has_room = true;
    for (const char *name; has_room && recordings.count < FILES_MAX && (name = disk_list_next(names));) {
        struct disk_facts facts;
        int file = is_recording(name) ? open_recording(directory, name) : -1;
        if (file < 0)
            continue;
        if (disk_look_at(file, &facts) && facts.kind == DISK_FILE)
            has_room = add(&recordings, name, &facts);
        disk_close(file);
    }
    disk_list_close(names);
    if (recordings.count > 0)
        qsort(recordings.of, recordings.count, sizeof *recordings.of, newest_first);
    size_t kept = 0;
    for (uint64_t bytes = 0; kept < recordings.count; kept++) {
        const struct recording *recording = &recordings.of[kept];
        bytes += recording->bytes;
        if ((limits->files && kept >= limits->files) || (limits->bytes && bytes > limits->bytes) ||
            (limits->age_s && unix_s - recording->written_s > limits->age_s))
            break;
    }
    for (size_t i = recordings.count; i > kept; i--) {
        char path[FILE_PATH_BYTES];
        int file = open_recording(directory, recordings.of[i - 1].name);
        if (file < 0)
            continue;
        if (disk_lock(file) && // else a recorder writes it
            snprintf(path, sizeof path, "%s/%s", directory, recordings.of[i - 1].name) < (int)sizeof path)
            disk_remove(path);
        disk_close(file);
    }
    free(recordings.of);
}
