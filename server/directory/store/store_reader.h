// SPDX-License-Identifier: MIT
//
// Reads what Redis answers, as a stranger's bytes: the time, and the changes of other directories, which the directory
// learns. It remembers how far it has read.
#ifndef DIRECTORY_STORE_READER_H
#define DIRECTORY_STORE_READER_H

#include <pthread.h>

#include "directory/directory.h"
#include "store_change.h"

/// Bytes of the name of an entry, "MILLISECONDS-NUMBER", with its final zero.
#define STORE_READER_CURSOR_BYTES 48

struct store_reader {
    struct directory *directory;
    pthread_mutex_t *lock; ///< of the directory
    struct store_change_codec codec;
    char cursor[STORE_READER_CURSOR_BYTES]; ///< last entry that was read
    uint64_t redis_ms;                      ///< the clock of Redis at the last look
    struct change change;                   ///< the last one
};

/// Takes the answer to TIME: seconds and microseconds. False if it is something else.
bool store_reader_take_time(struct store_reader *reader, const redisReply *reply);
/// Goes back to what was said in the last minute.
void store_reader_rewind(struct store_reader *reader);
/// Takes the answer to XREAD: nothing, or one stream with its name and its changes. False if it is something else.
bool store_reader_take_changes(struct store_reader *reader, const redisReply *reply);

#endif
