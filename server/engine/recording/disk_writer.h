// SPDX-License-Identifier: MIT
//
// Writes files, one after another, without ever holding up its caller: bytes go into a ring in memory, one thread
// creates the files and writes the bytes, and another waits for the disk. So a slow disk holds no bytes back that a
// crash of the program would lose. A file that the disk refuses, or cannot keep up with, ends there with a fault; the
// next one may succeed. All memory is allocated when the writer is opened.
#ifndef RECORDING_DISK_WRITER_H
#define RECORDING_DISK_WRITER_H

#include <stddef.h>

#include "retention.h"

/// Bytes of a path, with the final zero.
#define DISK_WRITER_PATH_BYTES 1100
/// Files that may wait for the disk at once; so many are remembered.
#define DISK_WRITER_FILES 8

struct disk_writer;

/// How far a file has got.
enum disk_state {
    DISK_WAITS,  ///< its first bytes are not on the disk yet
    DISK_SAFE,   ///< they are: a fault ends the file, but does not undo it
    DISK_DONE,   ///< it has ended, and all of it is on the disk
    DISK_FAILED, ///< it ends before its time
};

struct disk_report {
    enum disk_state state;
    char path[DISK_WRITER_PATH_BYTES];
    char fault[200]; ///< why it has failed
};

/// Allocates a writer and starts its threads. Null when out of memory or threads.
struct disk_writer *disk_writer_open(void);

/// Begins a file that was not there before, readable by all: PATH SUFFIX, or PATH-2 SUFFIX and so on. Makes its folder.
/// Without a suffix (NULL) it is private, and replaces the one at `path` once its first bytes are on the disk; until
/// then it is called PATH.new, and if it fails, nothing is left of it. The one before must have ended. Returns its
/// number, rising from 1; 0 if too many files wait for the disk.
uint32_t disk_writer_begin(struct disk_writer *writer, const char *path, const char *suffix);

/// Appends bytes to the current file. False if it has failed.
bool disk_writer_put(struct disk_writer *writer, const void *bytes, size_t byte_count);

/// Lets a thread sync what was put so far.
void disk_writer_sync(struct disk_writer *writer);

/// Lets a thread remove old recordings in the folder of the current file.
void disk_writer_retain(struct disk_writer *writer, const struct retention *limits, int64_t unix_s);

/// Ends the current file; the rest is written and synced. Without one it does nothing.
void disk_writer_end(struct disk_writer *writer);

/// Returns how far one of the last DISK_WRITER_FILES files has got. `syncs` (may be null) rises whenever more of its
/// bytes are safe.
enum disk_state disk_writer_state(struct disk_writer *writer, uint32_t number, uint32_t *syncs);

/// The same with the texts.
struct disk_report disk_writer_report(struct disk_writer *writer, uint32_t number);

/// Returns the number of bytes that wait to be written.
size_t disk_writer_backlog_bytes(struct disk_writer *writer);

/// Waits until the first bytes of a file are on the disk, or it has failed.
void disk_writer_wait(struct disk_writer *writer, uint32_t number);

/// Waits until all files that have ended are closed.
void disk_writer_wait_all(struct disk_writer *writer);

/// Ends the current file, waits for all, ends the threads and frees the writer. Null is allowed.
void disk_writer_close(struct disk_writer *writer);

#endif
