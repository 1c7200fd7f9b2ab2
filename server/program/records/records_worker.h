// SPDX-License-Identifier: MIT
//
// The second thread of the records, which alone uses the database: it writes the rows that wait, answers questions,
// looks players up and judges vouches. What both threads use lies under the lock, which is free while the disk works.
#ifndef RECORDS_RECORDS_WORKER_H
#define RECORDS_RECORDS_WORKER_H

#include <pthread.h>

#include "lifecycle/server_health.h"
#include "records_queues.h"
#include "records_tally.h"

#define RECORDS_PATH_BYTES (2 * OPTION_TEXT_BYTES)

/// See records.h. Zero-initialise.
struct records {
    char path[RECORDS_PATH_BYTES];
    int64_t (*unix_time)(void);
    const struct log *log;
    // Only the tick's thread uses these.
    struct records_tally tally;
    pthread_t thread;
    uint32_t names_seen;
    // Only the second thread uses these.
    struct records_file *file; ///< null: not open
    uint64_t retry_ns;
    bool failure_logged; ///< that the file cannot be used
    bool is_replacement; ///< of a damaged file, and nothing has been written to it yet
    bool given_up;       ///< the file belongs to a newer program
    struct error reason;
    struct records_player fresh_top[RECORDS_TOP_CAPACITY];
    struct records_name fresh_names[RECORDS_NAMES_CAPACITY];
    struct records_row batch[RECORDS_QUEUE_CAPACITY];
    // Both threads use these, under the lock.
    pthread_mutex_t lock;
    pthread_cond_t more;
    bool closing, loss_logged;
    uint64_t put, got; ///< rows queued and written so far
    uint64_t lost;
    struct store_health health;
    struct records_questions questions;
    struct records_vouches vouches; ///< its keys do not change
    bool names_are_due;
    struct records_own own;
    uint32_t top_count;
    struct records_player top[RECORDS_TOP_CAPACITY];
    struct records_row ring[RECORDS_QUEUE_CAPACITY];
};

/// Works until `closing` is set, then writes what still waits and closes the file. Returns NULL.
void *records_worker_serve(void *records);

#endif
