// SPDX-License-Identifier: MIT
//
// Reads a list of servers on a thread of its own, because 16,384 of them take a tenth of a second: it verifies the
// list, keeps it on the disk, and merges it with the others. One list at a time. Where there are no threads, as in a
// browser's page, it does so at once.
#ifndef APP_SERVERS_LIST_READER_H
#define APP_SERVERS_LIST_READER_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/file.h"
#include "discovery/server_list.h"

/// Lists at once.
#define LIST_READER_LISTS_MAX 8

/// What is to be read. All of it stays as it is until list_reader_take() has returned true.
struct list_reader_job {
    const char *text;                 ///< that a directory has sent; null: the file
    size_t byte_count;                ///< of the text
    const char *path;                 ///< where the list is kept; empty: nowhere
    char key[FINGERPRINT_TEXT_BYTES]; ///< of the directory; empty: any
    char host[64];                    ///< of the directory
    uint32_t count, index;            ///< of the lists; which of them is to be replaced
    const struct server_list *lists[LIST_READER_LISTS_MAX];
};

/// What became of it.
struct list_reader_result {
    bool is_good;              ///< the list is what it must be; else the error says what it is
    bool is_new;               ///< and not older than the one that is to be replaced: then both lists are set
    struct server_list list;   ///< in its place
    struct server_list merged; ///< of all, in their order; of a server in several the newest entry stays
    struct error error;
};

/// Zero-initialise.
struct list_reader {
    bool runs;
    pthread_t thread;
    bool has_thread;
    atomic_bool is_done;
    struct list_reader_job job;
    struct list_reader_result result;
};

/// Begins a job; none may run.
void list_reader_begin(struct list_reader *reader, const struct list_reader_job *job);
/// Takes what became of the job; the caller owns the lists. False while it runs, or if there is none.
bool list_reader_take(struct list_reader *reader, struct list_reader_result *result);
/// Waits for the job, and forgets what became of it.
void list_reader_close(struct list_reader *reader);

#endif
