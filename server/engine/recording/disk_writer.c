// SPDX-License-Identifier: MIT
#include "disk_writer.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/platform/disk.h"

// A minute of a full match, because a disk may be busy for that long.
#define RING_BYTES (1u << 20)

struct entry {
    char path[DISK_WRITER_PATH_BYTES];
    char suffix[8];                     // of a file that was not there before; "": it replaces another
    char place[DISK_WRITER_PATH_BYTES]; // where the file goes when its first bytes are safe; "": it is there
    int file;                           // -1: not open
    bool ended;                         // no bytes follow those before `end`
    uint64_t end;                       // in bytes that went through the ring
    uint64_t sync_mark;                 // bytes that the newest sync is to make safe
    uint32_t syncs_requested, syncs_done;
    bool failed;
    char fault[sizeof((struct disk_report *)0)->fault];
};

struct disk_writer {
    pthread_t writer_thread, syncer_thread;
    pthread_mutex_t lock;    // of everything below
    pthread_cond_t work;     // for the writer: there is something to write, or it may open a file
    pthread_cond_t due;      // for the syncer: there may be a sync to do, or a file to close
    pthread_cond_t progress; // for the caller, if it waits
    struct entry entries[DISK_WRITER_FILES];
    uint32_t begun, writing, finished; // numbers of files: the newest, the writer's, and the last one that is closed
    uint64_t put, written;             // bytes that went through the ring so far
    bool retains;                      // old recordings are to be removed
    struct retention retention;
    int64_t retention_s; // when that was asked for
    char retention_folder[DISK_WRITER_PATH_BYTES];
    bool closing;
    uint8_t ring[RING_BYTES];
};

static struct entry *entry_of(struct disk_writer *writer, uint32_t number)
{
    return &writer->entries[number % DISK_WRITER_FILES];
}

static void wake(struct disk_writer *writer)
{
    pthread_cond_signal(&writer->work);
    pthread_cond_signal(&writer->due);
    pthread_cond_signal(&writer->progress);
}

// The first fault counts.
static void fail(struct disk_writer *writer, struct entry *entry, const char *why)
{
    if (entry->failed)
        return;
    entry->failed = true;
    snprintf(entry->fault, sizeof entry->fault, "%s", why);
    wake(writer);
}

// Releases the lock meanwhile. The path is the writer's until the file is open.
static void open_file(struct disk_writer *writer, struct entry *entry)
{
    char path[DISK_WRITER_PATH_BYTES];
    strcpy(path, entry->path);
    pthread_mutex_unlock(&writer->lock);
    int file =
        entry->suffix[0] ? file_open_new(path, sizeof path, entry->suffix) : disk_open(path, DISK_REPLACE, DISK_OWNER);
    int reason = errno;
    if (file >= 0)
        disk_lock(file); // so that no server removes it as an old one
    pthread_mutex_lock(&writer->lock);
    strcpy(entry->path, path);
    entry->file = file;
    if (file < 0)
        fail(writer, entry, strerror(reason));
}

// Writes the bytes up to a point, or to the end of the ring. Releases the lock meanwhile: the caller only adds bytes
// behind.
static void write_bytes(struct disk_writer *writer, struct entry *entry, uint64_t until)
{
    size_t at = writer->written % RING_BYTES, count = (size_t)(until - writer->written);
    count = count < RING_BYTES - at ? count : RING_BYTES - at;
    pthread_mutex_unlock(&writer->lock);
    int64_t written = disk_write(entry->file, writer->ring + at, count);
    int reason = errno;
    pthread_mutex_lock(&writer->lock);
    if (written > 0)
        writer->written += (uint64_t)written;
    else if (reason != EINTR)
        fail(writer, entry, strerror(reason));
    pthread_cond_signal(&writer->due);
}

// Writes file after file. The bytes of one that has failed are dropped.
static void *run_writer(void *context)
{
    struct disk_writer *writer = context;
    pthread_mutex_lock(&writer->lock);
    while (writer->writing <= writer->begun || !writer->closing) {
        if (writer->writing > writer->begun) {
            pthread_cond_wait(&writer->work, &writer->lock);
            continue;
        }
        struct entry *entry = entry_of(writer, writer->writing), *before = entry_of(writer, writer->writing - 1);
        uint64_t until = entry->ended ? entry->end : writer->put;
        bool opens = entry->file < 0 && !entry->failed;
        // The file before may still have the name that this one begins with.
        bool may_open = !entry->place[0] || writer->writing - 1 == writer->finished || !before->place[0];
        if (entry->failed)
            writer->written = until;
        if (opens && may_open) {
            open_file(writer, entry);
        } else if (!opens && writer->written < until) {
            write_bytes(writer, entry, until);
        } else if (!opens && entry->ended) {
            writer->writing++;
            pthread_cond_signal(&writer->due);
        } else {
            pthread_cond_wait(&writer->work, &writer->lock);
        }
    }
    pthread_mutex_unlock(&writer->lock);
    return NULL;
}

// Releases the lock meanwhile.
static void sync_file(struct disk_writer *writer, struct entry *entry)
{
    uint32_t requested = entry->syncs_requested;
    pthread_mutex_unlock(&writer->lock);
    bool good = disk_sync_bytes(entry->file);
    bool places = good && entry->place[0];
    if (places)
        good = file_place(entry->path, entry->place);
    int reason = errno;
    pthread_mutex_lock(&writer->lock);
    if (places && good) {
        strcpy(entry->path, entry->place);
        entry->place[0] = '\0';
    }
    if (good)
        entry->syncs_done = requested;
    else
        fail(writer, entry, strerror(reason));
    wake(writer);
}

// Releases the lock meanwhile.
static void retain(struct disk_writer *writer)
{
    char folder[DISK_WRITER_PATH_BYTES];
    struct retention limits = writer->retention;
    int64_t unix_s = writer->retention_s;
    strcpy(folder, writer->retention_folder);
    writer->retains = false;
    pthread_mutex_unlock(&writer->lock);
    retention_apply(folder, &limits, unix_s);
    pthread_mutex_lock(&writer->lock);
}

// Releases the lock meanwhile. Of a file without safe bytes nothing is left.
static void close_file(struct disk_writer *writer, struct entry *entry)
{
    pthread_mutex_unlock(&writer->lock);
    int reason = entry->file >= 0 && !disk_close(entry->file) ? errno : 0;
    if (entry->file >= 0 && entry->failed && entry->syncs_done == 0)
        disk_remove(entry->path);
    pthread_mutex_lock(&writer->lock);
    if (reason)
        fail(writer, entry, strerror(reason));
    writer->finished++;
    wake(writer);
}

// Syncs, and closes, file after file, and removes old recordings.
static void *run_syncer(void *context)
{
    struct disk_writer *writer = context;
    pthread_mutex_lock(&writer->lock);
    while (writer->finished < writer->begun || writer->retains || !writer->closing) {
        struct entry *entry = entry_of(writer, writer->finished + 1); // the oldest that is not closed
        bool is_one = writer->finished < writer->begun, syncs = entry->syncs_done != entry->syncs_requested;
        bool is_written = writer->writing > writer->finished + 1;
        if (is_one && syncs && !entry->failed && entry->file >= 0 && writer->written >= entry->sync_mark)
            sync_file(writer, entry);
        else if (writer->retains)
            retain(writer);
        else if (is_one && is_written && (!syncs || entry->failed))
            close_file(writer, entry);
        else
            pthread_cond_wait(&writer->due, &writer->lock);
    }
    pthread_mutex_unlock(&writer->lock);
    return NULL;
}

static void destroy(struct disk_writer *writer)
{
    pthread_cond_destroy(&writer->progress);
    pthread_cond_destroy(&writer->due);
    pthread_cond_destroy(&writer->work);
    pthread_mutex_destroy(&writer->lock);
    free(writer);
}

static void let_threads_end(struct disk_writer *writer)
{
    pthread_mutex_lock(&writer->lock);
    writer->closing = true;
    wake(writer);
    pthread_mutex_unlock(&writer->lock);
}

struct disk_writer *disk_writer_open(void)
{
    struct disk_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return NULL;
    writer->writing = 1;
    pthread_mutex_init(&writer->lock, NULL);
    pthread_cond_init(&writer->work, NULL);
    pthread_cond_init(&writer->due, NULL);
    pthread_cond_init(&writer->progress, NULL);
    if (pthread_create(&writer->writer_thread, NULL, run_writer, writer) == 0) {
        if (pthread_create(&writer->syncer_thread, NULL, run_syncer, writer) == 0)
            return writer;
        let_threads_end(writer);
        pthread_join(writer->writer_thread, NULL);
    }
    destroy(writer);
    return NULL;
}

uint32_t disk_writer_begin(struct disk_writer *writer, const char *path, const char *suffix)
{
    uint32_t number = 0;
    pthread_mutex_lock(&writer->lock);
    if (writer->begun - writer->finished < DISK_WRITER_FILES) {
        struct entry *entry = entry_of(writer, number = ++writer->begun);
        *entry = (struct entry){.file = -1};
        snprintf(entry->suffix, sizeof entry->suffix, "%s", suffix ? suffix : "");
        snprintf(entry->place, sizeof entry->place, "%s", suffix ? "" : path);
        if (snprintf(entry->path, sizeof entry->path, "%s%s", path, suffix ? "" : ".new") >= (int)sizeof entry->path)
            fail(writer, entry, strerror(ENAMETOOLONG));
    }
    pthread_mutex_unlock(&writer->lock);
    return number;
}

bool disk_writer_put(struct disk_writer *writer, const void *bytes, size_t byte_count)
{
    pthread_mutex_lock(&writer->lock);
    struct entry *entry = entry_of(writer, writer->begun);
    if (byte_count > RING_BYTES - (writer->put - writer->written))
        fail(writer, entry, "the disk cannot keep up");
    bool good = !entry->failed;
    if (good) {
        size_t at = writer->put % RING_BYTES;
        size_t to_end = byte_count < RING_BYTES - at ? byte_count : RING_BYTES - at;
        memcpy(writer->ring + at, bytes, to_end);
        memcpy(writer->ring, (const uint8_t *)bytes + to_end, byte_count - to_end);
        writer->put += byte_count;
    }
    pthread_cond_signal(&writer->work);
    pthread_mutex_unlock(&writer->lock);
    return good;
}

static void request_sync(struct disk_writer *writer, struct entry *entry)
{
    entry->syncs_requested++;
    entry->sync_mark = writer->put;
    pthread_cond_signal(&writer->due);
}

void disk_writer_sync(struct disk_writer *writer)
{
    pthread_mutex_lock(&writer->lock);
    request_sync(writer, entry_of(writer, writer->begun));
    pthread_mutex_unlock(&writer->lock);
}

void disk_writer_retain(struct disk_writer *writer, const struct retention *limits, int64_t unix_s)
{
    pthread_mutex_lock(&writer->lock);
    const char *path = entry_of(writer, writer->begun)->path, *slash = strrchr(path, '/');
    snprintf(writer->retention_folder, sizeof writer->retention_folder, "%.*s", slash ? (int)(slash - path) : 1,
             slash ? path : ".");
    writer->retention = *limits;
    writer->retention_s = unix_s;
    writer->retains = true;
    pthread_cond_signal(&writer->due);
    pthread_mutex_unlock(&writer->lock);
}

void disk_writer_end(struct disk_writer *writer)
{
    pthread_mutex_lock(&writer->lock);
    struct entry *entry = entry_of(writer, writer->begun);
    if (writer->begun > 0 && !entry->ended) {
        entry->ended = true;
        entry->end = writer->put;
        request_sync(writer, entry);
        wake(writer);
    }
    pthread_mutex_unlock(&writer->lock);
}

static enum disk_state state_of(const struct disk_writer *writer, const struct entry *entry, uint32_t number)
{
    if (entry->failed)
        return DISK_FAILED;
    if (number <= writer->finished)
        return DISK_DONE;
    return entry->syncs_done > 0 ? DISK_SAFE : DISK_WAITS;
}

enum disk_state disk_writer_state(struct disk_writer *writer, uint32_t number, uint32_t *syncs)
{
    pthread_mutex_lock(&writer->lock);
    const struct entry *entry = entry_of(writer, number);
    enum disk_state state = state_of(writer, entry, number);
    if (syncs)
        *syncs = entry->syncs_done;
    pthread_mutex_unlock(&writer->lock);
    return state;
}

struct disk_report disk_writer_report(struct disk_writer *writer, uint32_t number)
{
    struct disk_report report;
    pthread_mutex_lock(&writer->lock);
    const struct entry *entry = entry_of(writer, number);
    report.state = state_of(writer, entry, number);
    strcpy(report.path, entry->place[0] ? entry->place : entry->path);
    strcpy(report.fault, entry->fault);
    pthread_mutex_unlock(&writer->lock);
    return report;
}

size_t disk_writer_backlog_bytes(struct disk_writer *writer)
{
    pthread_mutex_lock(&writer->lock);
    size_t backlog = (size_t)(writer->put - writer->written);
    pthread_mutex_unlock(&writer->lock);
    return backlog;
}

void disk_writer_wait(struct disk_writer *writer, uint32_t number)
{
    pthread_mutex_lock(&writer->lock);
    const struct entry *entry = entry_of(writer, number);
    while (!entry->failed && entry->syncs_done == 0)
        pthread_cond_wait(&writer->progress, &writer->lock);
    pthread_mutex_unlock(&writer->lock);
}

void disk_writer_wait_all(struct disk_writer *writer)
{
    pthread_mutex_lock(&writer->lock);
    while (writer->finished < writer->begun)
        pthread_cond_wait(&writer->progress, &writer->lock);
    pthread_mutex_unlock(&writer->lock);
}

void disk_writer_close(struct disk_writer *writer)
{
    if (!writer)
        return;
    disk_writer_end(writer);
    let_threads_end(writer);
    pthread_join(writer->writer_thread, NULL);
    pthread_join(writer->syncer_thread, NULL);
    destroy(writer);
}
