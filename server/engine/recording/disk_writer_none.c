// SPDX-License-Identifier: MIT
//
// Where there are no threads, and the disk is memory: files are written as their bytes come.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/platform/disk.h"
#include "disk_writer.h"

struct entry {
    char path[DISK_WRITER_PATH_BYTES];
    int file; // -1: not open
    uint32_t syncs;
    char fault[sizeof((struct disk_report *)0)->fault]; // "": none
};

struct disk_writer {
    struct entry entries[DISK_WRITER_FILES];
    uint32_t begun; // number of the newest file
};

static struct entry *entry_of(struct disk_writer *writer, uint32_t number)
{
    return &writer->entries[number % DISK_WRITER_FILES];
}

static void fail(struct entry *entry)
{
    snprintf(entry->fault, sizeof entry->fault, "%s", strerror(errno));
}

struct disk_writer *disk_writer_open(void)
{
    return calloc(1, sizeof(struct disk_writer));
}

uint32_t disk_writer_begin(struct disk_writer *writer, const char *path, const char *suffix)
{
    struct entry *entry = entry_of(writer, ++writer->begun);
    *entry = (struct entry){.file = -1};
    snprintf(entry->path, sizeof entry->path, "%s", path);
    entry->file =
        suffix ? file_open_new(entry->path, sizeof entry->path, suffix) : disk_open(path, DISK_REPLACE, DISK_OWNER);
    if (entry->file < 0)
        fail(entry);
    return writer->begun;
}

bool disk_writer_put(struct disk_writer *writer, const void *bytes, size_t byte_count)
{
    struct entry *entry = entry_of(writer, writer->begun);
    if (!entry->fault[0] && disk_write(entry->file, bytes, byte_count) != (int64_t)byte_count)
        fail(entry);
    return !entry->fault[0];
}

void disk_writer_sync(struct disk_writer *writer)
{
    entry_of(writer, writer->begun)->syncs++;
}

void disk_writer_retain(struct disk_writer *writer, const struct retention *limits, int64_t unix_s)
{
    char folder[DISK_WRITER_PATH_BYTES];
    const char *path = entry_of(writer, writer->begun)->path, *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    retention_apply(folder, limits, unix_s);
}

void disk_writer_end(struct disk_writer *writer)
{
    struct entry *entry = entry_of(writer, writer->begun);
    if (writer->begun == 0 || entry->file < 0)
        return;
    if (!disk_close(entry->file) && !entry->fault[0])
        fail(entry);
    entry->file = -1;
    entry->syncs++;
}

enum disk_state disk_writer_state(struct disk_writer *writer, uint32_t number, uint32_t *syncs)
{
    const struct entry *entry = entry_of(writer, number);
    if (syncs)
        *syncs = entry->syncs;
    if (entry->fault[0])
        return DISK_FAILED;
    return entry->file >= 0 ? DISK_SAFE : DISK_DONE;
}

struct disk_report disk_writer_report(struct disk_writer *writer, uint32_t number)
{
    const struct entry *entry = entry_of(writer, number);
    struct disk_report report = {.state = disk_writer_state(writer, number, NULL)};
    strcpy(report.path, entry->path);
    strcpy(report.fault, entry->fault);
    return report;
}

size_t disk_writer_backlog_bytes(struct disk_writer *writer)
{
    (void)writer;
    return 0;
}

void disk_writer_wait(struct disk_writer *writer, uint32_t number)
{
    (void)writer, (void)number;
}

void disk_writer_wait_all(struct disk_writer *writer)
{
    (void)writer;
}

void disk_writer_close(struct disk_writer *writer)
{
    if (writer)
        disk_writer_end(writer);
    free(writer);
}
