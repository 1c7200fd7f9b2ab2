// SPDX-License-Identifier: MIT
//
// How a change travels through Redis: as named fields of an entry in a stream, the last of which is a tag under a key
// that the directories with this list share. So who can write to Redis, but has not that key, changes nothing: a
// directory takes what another one has said, once and at that time. Pure functions.
#ifndef DIRECTORY_STORE_CHANGE_H
#define DIRECTORY_STORE_CHANGE_H

#include <hiredis/hiredis.h>

#include "change_queue.h"

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

#endif
