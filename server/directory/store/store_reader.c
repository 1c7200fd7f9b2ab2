// SPDX-License-Identifier: MIT
#include "store_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "directory/notes.h"

static bool is_text(const redisReply *reply)
{
    return reply && reply->type == REDIS_REPLY_STRING;
}

static bool is_array(const redisReply *reply, size_t count)
{
    return reply && reply->type == REDIS_REPLY_ARRAY && reply->elements == count;
}

bool store_reader_take_time(struct store_reader *reader, const redisReply *reply)
{
    if (!is_array(reply, 2) || !is_text(reply->element[0]) || !is_text(reply->element[1]))
        return false;
    reader->redis_ms =
        strtoull(reply->element[0]->str, NULL, 10) * 1000 + strtoull(reply->element[1]->str, NULL, 10) / 1000;
    return true;
}

void store_reader_rewind(struct store_reader *reader)
{
    uint64_t begin_ms = reader->redis_ms > ANNOUNCEMENT_LIFE_MS ? reader->redis_ms - ANNOUNCEMENT_LIFE_MS : 0;
    for (size_t i = 0; i < STORE_STREAMS; i++)
        snprintf(reader->cursors[i], sizeof reader->cursors[i], "%" PRIu64 "-0", begin_ms);
}

// Whether the announcement is what the change says.
static bool read_announcement(const struct change *change, struct announcement *announcement)
{
    return announcement_read(change->text, change->byte_count, announcement, NULL) &&
           memcmp(announcement->key, change->key, sizeof change->key) == 0 &&
           announcement->leaves == (change->kind == CHANGE_LEFT);
}

static void learn(struct store_reader *reader, const redisReply *fields, uint64_t written_ms)
{
    struct announcement announcement;
    uint64_t now_ns = clock_now_ns();
    uint64_t age_ms = reader->redis_ms > written_ms ? reader->redis_ms - written_ms : 0;
    bool good = store_change_read(&reader->codec, fields, written_ms, age_ms, now_ns, &reader->change);
    bool announces = good && change_queue_announces(reader->change.kind);
    bool is_noted = good && reader->change.kind == CHANGE_NOTED;
    good = good && (!announces || read_announcement(&reader->change, &announcement)) &&
           (!is_noted || notes_learn(reader->directory->notes, &reader->change, now_ns));
    pthread_mutex_lock(reader->lock);
    good = good &&
           (is_noted || directory_learn(reader->directory, &reader->change, announces ? &announcement : NULL, now_ns));
    reader->directory->sharing.received += good;
    reader->directory->sharing.refused += !good;
    pthread_mutex_unlock(reader->lock);
}

// Takes one entry of the stream: its name, and the fields of a change. Our own changes are known.
static bool take_entry(struct store_reader *reader, enum store_stream stream, const redisReply *entry)
{
    if (!is_array(entry, 2) || !is_text(entry->element[0]) || entry->element[0]->len >= STORE_READER_CURSOR_BYTES ||
        strlen(entry->element[0]->str) != entry->element[0]->len || !entry->element[1] ||
        entry->element[1]->type != REDIS_REPLY_ARRAY)
        return false;
    strcpy(reader->cursors[stream], entry->element[0]->str);
    if (!store_change_is_own(&reader->codec, entry->element[1]))
        learn(reader, entry->element[1], strtoull(reader->cursors[stream], NULL, 10));
    return true;
}

bool store_reader_take_changes(struct store_reader *reader, enum store_stream stream, const redisReply *reply)
{
    if (reply->type == REDIS_REPLY_NIL)
        return true;
    const redisReply *named = is_array(reply, 1) ? reply->element[0] : NULL;
    const redisReply *entries = is_array(named, 2) ? named->element[1] : NULL;
    if (!entries || entries->type != REDIS_REPLY_ARRAY)
        return false;
    bool good = true;
    for (size_t i = 0; i < entries->elements && good; i++)
        good = take_entry(reader, stream, entries->element[i]);
    return good;
}
