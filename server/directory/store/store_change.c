// SPDX-License-Identifier: MIT
#include "store_change.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/host_port.h"
#include "base/little_endian.h"
#include "directory/notes.h"

#define PURPOSE   "deadfall store 1"
#define TAG_BYTES 32
#define AGE_MS    (2 * (uint64_t)ANNOUNCEMENT_LIFE_MS) // a proof is never older

enum change_field { FROM, KIND, KEY, ADDRESS, AT_MS, PROVEN_MS, NONCE, VARIES, ANNOUNCED, TAG };

_Static_assert(TAG == STORE_CHANGE_FIELDS - 1, "the tag is the last field");

static const char *const FIELD_NAMES[STORE_CHANGE_FIELDS] = {"from",      "kind",  "key",    "address",   "at_ms",
                                                             "proven_ms", "nonce", "varies", "announced", "tag"};
static const char *const KIND_NAMES[CHANGE_KINDS] = {"proven", "failed", "left", "reserved",
                                                     "mapped", "asked",  "noted"};

struct value {
    const char *text;
    size_t byte_count;
};

void store_change_init(struct store_change_codec *codec, const uint8_t secret[SIGNED_TEXT_SECRET_BYTES])
{
    uint8_t name[8];
    crypto_generichash(codec->key, sizeof codec->key, (const uint8_t *)PURPOSE, sizeof PURPOSE - 1, secret,
                       IDENTITY_SEED_BYTES);
    randombytes_buf(name, sizeof name);
    sodium_bin2hex(codec->name, sizeof codec->name, name, sizeof name);
}

static void compute_tag(const struct store_change_codec *codec, const struct value values[STORE_CHANGE_FIELDS],
                        char tag[2 * TAG_BYTES + 1])
{
    crypto_generichash_state state;
    uint8_t bytes[TAG_BYTES], size[8];
    crypto_generichash_init(&state, codec->key, sizeof codec->key, sizeof bytes);
    for (size_t i = 0; i < TAG; i++) {
        little_endian_write(size, values[i].byte_count, sizeof size);
        crypto_generichash_update(&state, size, sizeof size);
        crypto_generichash_update(&state, (const uint8_t *)values[i].text, values[i].byte_count);
    }
    crypto_generichash_final(&state, bytes, sizeof bytes);
    sodium_bin2hex(tag, 2 * TAG_BYTES + 1, bytes, sizeof bytes);
}

void store_change_write(const struct store_change_codec *codec, const struct change *change, uint64_t redis_ms,
                        uint64_t now_ns, struct store_change_text *text)
{
    struct value values[STORE_CHANGE_FIELDS] = {
        [FROM] = {codec->name, 0},       [KIND] = {KIND_NAMES[change->kind], 0},
        [KEY] = {text->key, 0},          [ADDRESS] = {text->address, 0},
        [AT_MS] = {text->numbers[0], 0}, [PROVEN_MS] = {text->numbers[1], 0},
        [NONCE] = {text->nonce, 0},      [VARIES] = {change->varies ? "1" : "0", 0},
        [ANNOUNCED] = {change->text, 0}, [TAG] = {text->tag, 0}};
    signed_text_write_key(change->key, text->key);
    net_address_text(&change->address, text->address);
    snprintf(text->numbers[0], sizeof text->numbers[0], "%" PRIu64, redis_ms);
    snprintf(text->numbers[1], sizeof text->numbers[1], "%" PRIu64, (now_ns - change->proven_ns) / CLOCK_MS_NS);
    sodium_bin2hex(text->nonce, sizeof text->nonce, change->nonce, sizeof change->nonce);
    for (size_t i = 0; i < TAG; i++)
        values[i].byte_count = i == ANNOUNCED ? change->byte_count : strlen(values[i].text);
    compute_tag(codec, values, text->tag);
    values[TAG].byte_count = strlen(text->tag);
    for (size_t i = 0; i < STORE_CHANGE_FIELDS; i++) {
        text->words[2 * i] = FIELD_NAMES[i];
        text->sizes[2 * i] = strlen(FIELD_NAMES[i]);
        text->words[2 * i + 1] = values[i].text;
        text->sizes[2 * i + 1] = values[i].byte_count;
    }
}

// Finds a field. An empty one is no different from none but for the announcement, which some changes do not have.
static struct value find(const redisReply *fields, enum change_field field)
{
    for (size_t i = 0; i + 1 < fields->elements; i += 2) {
        const redisReply *name = fields->element[i], *value = fields->element[i + 1];
        if (name && value && name->type == REDIS_REPLY_STRING && value->type == REDIS_REPLY_STRING &&
            strcmp(name->str, FIELD_NAMES[field]) == 0)
            return (struct value){value->str, value->len};
    }
    return (struct value){"", 0};
}

bool store_change_is_own(const struct store_change_codec *codec, const redisReply *fields)
{
    return strcmp(find(fields, FROM).text, codec->name) == 0;
}

bool store_change_read(const struct store_change_codec *codec, const redisReply *fields, uint64_t written_ms,
                       uint64_t age_ms, uint64_t now_ns, struct change *change)
{
    struct value values[STORE_CHANGE_FIELDS];
    char tag[2 * TAG_BYTES + 1];
    struct host_port place;
    uint32_t kind = 0;
    for (uint32_t i = 0; i < STORE_CHANGE_FIELDS; i++)
        values[i] = find(fields, i);
    while (kind < CHANGE_KINDS && strcmp(values[KIND].text, KIND_NAMES[kind]) != 0)
        kind++;
    compute_tag(codec, values, tag);
    uint64_t at_ms = strtoull(values[AT_MS].text, NULL, 10);
    bool is_authentic = values[TAG].byte_count == sizeof tag - 1 &&
                        sodium_memcmp(tag, values[TAG].text, sizeof tag - 1) == 0 &&
                        at_ms <= written_ms + STORE_CHANGE_LATE_MS && written_ms <= at_ms + STORE_CHANGE_LATE_MS;
    if (kind == CHANGE_KINDS || !is_authentic || values[ANNOUNCED].byte_count > sizeof change->text)
        return false;
    change->kind = kind;
    change->at_ns = now_ns - age_ms * CLOCK_MS_NS;
    change->proven_ns = change->at_ns - strtoull(values[PROVEN_MS].text, NULL, 10) % AGE_MS * CLOCK_MS_NS;
    change->varies = values[VARIES].text[0] == '1';
    memcpy(change->text, values[ANNOUNCED].text, change->byte_count = values[ANNOUNCED].byte_count);
    const char *nonce = values[NONCE].text, *end;
    size_t nonce_bytes;
    return signed_text_read_key(values[KEY].text, change->key) &&
           sodium_hex2bin(change->nonce, sizeof change->nonce, nonce, strlen(nonce), NULL, &nonce_bytes, &end) == 0 &&
           nonce_bytes == sizeof change->nonce && *end == 0 &&
           // Servers have a port; players who leave notes or want a place have none.
           host_port_parse(values[ADDRESS].text, SIZE_MAX, &place) &&
           (place.port != 0 || kind == CHANGE_NOTED || kind == CHANGE_RESERVED) &&
           ip_address_parse(&change->address, place.host, place.port);
}

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

static void learn(struct store_reader *reader, const redisReply *fields, uint64_t written_ms)
{
    struct announcement announcement;
    struct change *change = &reader->change;
    uint64_t now_ns = clock_now_ns(), age_ms = reader->redis_ms > written_ms ? reader->redis_ms - written_ms : 0;
    bool good = store_change_read(&reader->codec, fields, written_ms, age_ms, now_ns, change);
    bool announces = good && directory_change_announces(change->kind);
    bool is_noted = good && change->kind == CHANGE_NOTED;
    if (announces) // it is what the change says
        good = announcement_read(change->text, change->byte_count, &announcement, NULL) &&
               memcmp(announcement.key, change->key, sizeof change->key) == 0 &&
               announcement.leaves == (change->kind == CHANGE_LEFT);
    if (is_noted)
        good = notes_learn(reader->directory->notes, change, now_ns);
    pthread_mutex_lock(reader->lock);
    good = good && (is_noted || listing_learn(reader->directory, change, announces ? &announcement : NULL, now_ns));
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
