// SPDX-License-Identifier: MIT
//
// Reads what Redis answers, as a stranger's bytes: the time, and the changes of other directories, which the directory
// and its notes learn. It remembers how far it has read in each stream.
#ifndef DIRECTORY_STORE_READER_H
#define DIRECTORY_STORE_READER_H

#include <pthread.h>

#include "directory/directory.h"
#include "store_change.h"

/// Bytes of the name of an entry, "MILLISECONDS-NUMBER", with its final zero.
#define STORE_READER_CURSOR_BYTES 48

/// What is read. Notes have a stream of their own, so however many there are, no change of a server waits for them.
enum store_stream { STORE_SERVERS, STORE_NOTES, STORE_STREAMS };

struct store_reader {
    struct directory *directory;
    pthread_mutex_t *lock; ///< of the directory
    struct store_change_codec codec;
    char cursors[STORE_STREAMS][STORE_READER_CURSOR_BYTES]; ///< last entry that was read
    uint64_t redis_ms;                                      ///< the clock of Redis at the last look
    struct change change;                                   ///< the last one
};

/// Takes the answer to TIME: seconds and microseconds. False if it is something else.
bool store_reader_take_time(struct store_reader *reader, const redisReply *reply);
/// Goes back to what was said in the last minute.
void store_reader_rewind(struct store_reader *reader);
/// Takes the answer to XREAD of a stream: nothing, or one stream with its name and its changes. False if it is
/// something else.
bool store_reader_take_changes(struct store_reader *reader, enum store_stream stream, const redisReply *reply);

#endif
