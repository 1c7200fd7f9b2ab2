// SPDX-License-Identifier: MIT
//
// How a change travels through Redis: as named fields of an entry in a stream, the last of which is a tag under a key
// that the directories with this list share. So who can write to Redis, but has not that key, changes nothing: a
// directory takes what another one has said, once and at that time. The reader takes what Redis answers, as a
// stranger's bytes: the time, and the changes of other directories, which the directory and its notes learn. It
// remembers how far it has read in each stream. No socket.
#ifndef DIRECTORY_STORE_CHANGE_H
#define DIRECTORY_STORE_CHANGE_H

#include <hiredis/hiredis.h>
#include <pthread.h>

#include "directory/listing.h"

/// Fields of a change.
#define STORE_CHANGE_FIELDS    10
#define STORE_CHANGE_KEY_BYTES 32
/// Bytes of the name of a directory among those that share a list, with its final zero.
#define STORE_CHANGE_NAME_BYTES 17
/// How far the time in a change may be from that of its entry, ms.
#define STORE_CHANGE_LATE_MS 10000

/// What a directory needs to write changes and to read those of others.
struct store_change_codec {
    uint8_t key[STORE_CHANGE_KEY_BYTES];
    char name[STORE_CHANGE_NAME_BYTES]; ///< of this directory, random
};

/// A change that is being written.
struct store_change_text {
    const char *words[2 * STORE_CHANGE_FIELDS]; ///< name, value, name, ...
    size_t sizes[2 * STORE_CHANGE_FIELDS];
    char numbers[2][24], key[2 * SIGNED_TEXT_KEY_BYTES + 1], address[NET_ADDRESS_TEXT_BYTES], nonce[17], tag[65];
};

/// Begins with the secret of the directory's key and a random name.
void store_change_init(struct store_change_codec *codec, const uint8_t secret[SIGNED_TEXT_SECRET_BYTES]);
/// Writes a change at a time on the clock of Redis, in ms. The words point into `text`, the codec and the change.
void store_change_write(const struct store_change_codec *codec, const struct change *change, uint64_t redis_ms,
                        uint64_t now_ns, struct store_change_text *text);
/// Returns whether this directory has written the fields of an entry.
bool store_change_is_own(const struct store_change_codec *codec, const redisReply *fields);
/// Reads the fields of an entry that was written at a time on the clock of Redis, so many ms ago. False if something is
/// missing, or if no directory with this list has said it at that time.
bool store_change_read(const struct store_change_codec *codec, const redisReply *fields, uint64_t written_ms,
                       uint64_t age_ms, uint64_t now_ns, struct change *change);

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
