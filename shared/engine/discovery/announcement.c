// SPDX-License-Identifier: MIT
#include "announcement.h"

#include <sodium.h>
#include <stddef.h>
#include <string.h>

#include "base/utf8.h"

// --- facts

#define WORD_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

static const struct text_row {
    const char *member;
    size_t offset, capacity;
    bool is_word;
} TEXTS[] = {
    {"name", offsetof(struct server_facts, name), SERVER_FACTS_NAME_BYTES, false},
    {"mode", offsetof(struct server_facts, mode), SERVER_FACTS_WORD_BYTES, true},
    {"map", offsetof(struct server_facts, map), SERVER_FACTS_WORD_BYTES, false},
    {"version", offsetof(struct server_facts, version), SERVER_FACTS_WORD_BYTES, true},
    {"region", offsetof(struct server_facts, region), SERVER_FACTS_WORD_BYTES, true},
};

static const struct number_row {
    const char *member;
    size_t offset;
    uint32_t most;
} NUMBERS[] = {
    {"protocol", offsetof(struct server_facts, protocol), 65535},
    {"players", offsetof(struct server_facts, players), SERVER_FACTS_PLACES_MAX},
    {"bots", offsetof(struct server_facts, bots), SERVER_FACTS_PLACES_MAX},
    {"places", offsetof(struct server_facts, places), SERVER_FACTS_PLACES_MAX},
};

static const struct flag_row {
    const char *member;
    size_t offset;
} FLAGS[] = {
    {"password", offsetof(struct server_facts, has_password)},
    {"closing", offsetof(struct server_facts, is_closing)},
};

// Without ? and #, since names of files are added.
#define URL_LETTERS WORD_LETTERS "~:/[]@!$&'()*+,;=%"

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

static bool read_text(const struct text_row *row, const json_t *value, char *text)
{
    const char *given = json_string_value(value);
    size_t length = json_string_length(value);
    if (!given || length >= row->capacity || strlen(given) != length || !utf8_is_clean(given, length) ||
        (row->is_word && strspn(given, WORD_LETTERS) != length))
        return false;
    memset(text, 0, row->capacity); // so that facts can be compared
    memcpy(text, given, length);
    return true;
}

static bool read_number(const struct number_row *row, const json_t *value, uint32_t *number)
{
    json_int_t given = json_integer_value(value);
    if (!json_is_integer(value) || given < 0 || given > row->most)
        return false;
    *number = (uint32_t)given;
    return true;
}

bool announcement_facts_read(const json_t *object, struct server_facts *facts, struct error *error)
{
    const char *wrong = NULL;
    char *base = (char *)facts;
    for (size_t i = 0; i < COUNT(TEXTS) && !wrong; i++)
        if (!read_text(&TEXTS[i], json_object_get(object, TEXTS[i].member), base + TEXTS[i].offset))
            wrong = TEXTS[i].member;
    for (size_t i = 0; i < COUNT(NUMBERS) && !wrong; i++)
        if (!read_number(&NUMBERS[i], json_object_get(object, NUMBERS[i].member),
                         (uint32_t *)(void *)(base + NUMBERS[i].offset)))
            wrong = NUMBERS[i].member;
    for (size_t i = 0; i < COUNT(FLAGS) && !wrong; i++) {
        const json_t *value = json_object_get(object, FLAGS[i].member);
        if (!json_is_boolean(value))
            wrong = FLAGS[i].member;
        else
            *(bool *)(base + FLAGS[i].offset) = json_is_true(value);
    }
    // Only a server that can be watched has the first two of these members, and only one that browsers can join has the
    // third; earlier versions did not know them.
    static const struct number_row INTEREST = {"interest", 0, SERVER_FACTS_INTEREST_MAX};
    const json_t *live = json_object_get(object, "watch"), *certificate = json_object_get(object, "certificate");
    const char *url = json_string_value(live), *fingerprint = json_string_value(certificate);
    memset(facts->live_url, 0, sizeof facts->live_url);
    memset(facts->certificate, 0, sizeof facts->certificate);
    facts->interest = 0;
    if (!wrong && live &&
        (!url || strlen(url) != json_string_length(live) || !announcement_is_live_url(url) ||
         !read_number(&INTEREST, json_object_get(object, INTEREST.member), &facts->interest)))
        wrong = "watch";
    if (!wrong && certificate &&
        (!fingerprint || strlen(fingerprint) != json_string_length(certificate) ||
         !webrtc_frame_is_fingerprint(fingerprint)))
        wrong = "certificate";
    if (!wrong && live)
        strcpy(facts->live_url, url);
    if (!wrong && certificate)
        strcpy(facts->certificate, fingerprint);
    return !wrong || error_set(error, "\"%s\" is missing or not allowed", wrong);
}

bool announcement_facts_write(const struct server_facts *facts, json_t *object)
{
    const char *base = (const char *)facts;
    bool good = true;
    for (size_t i = 0; i < COUNT(TEXTS); i++)
        good &= json_object_set_new(object, TEXTS[i].member, json_string(base + TEXTS[i].offset)) == 0;
    for (size_t i = 0; i < COUNT(NUMBERS); i++)
        good &= json_object_set_new(object, NUMBERS[i].member,
                                    json_integer(*(const uint32_t *)(const void *)(base + NUMBERS[i].offset))) == 0;
    for (size_t i = 0; i < COUNT(FLAGS); i++)
        good &=
            json_object_set_new(object, FLAGS[i].member, json_boolean(*(const bool *)(base + FLAGS[i].offset))) == 0;
    if (facts->live_url[0])
        good &= json_object_set_new(object, "watch", json_string(facts->live_url)) == 0 &&
                json_object_set_new(object, "interest", json_integer(facts->interest)) == 0;
    if (facts->certificate[0])
        good &= json_object_set_new(object, "certificate", json_string(facts->certificate)) == 0;
    return good;
}

bool announcement_is_live_url(const char *text)
{
    size_t length = strlen(text);
    size_t scheme = strncmp(text, "http://", 7) == 0 ? 7 : strncmp(text, "https://", 8) == 0 ? 8 : length;
    return length > scheme && length < SERVER_FACTS_URL_BYTES && text[scheme] != '/' &&
           strspn(text, URL_LETTERS) == length;
}

bool announcement_is_region(const char *text)
{
    return strlen(text) < SERVER_FACTS_WORD_BYTES && strspn(text, WORD_LETTERS) == strlen(text);
}

bool announcement_facts_equal(const struct server_facts *facts, const struct server_facts *other)
{
    const char *one = (const char *)facts, *two = (const char *)other;
    bool same = facts->has_password == other->has_password && facts->is_closing == other->is_closing;
    for (size_t i = 0; i < COUNT(TEXTS); i++)
        same &= strcmp(one + TEXTS[i].offset, two + TEXTS[i].offset) == 0;
    for (size_t i = 0; i < COUNT(NUMBERS); i++)
        same &= memcmp(one + NUMBERS[i].offset, two + NUMBERS[i].offset, sizeof(uint32_t)) == 0;
    return same && strcmp(facts->live_url, other->live_url) == 0 && strcmp(facts->certificate, other->certificate) == 0;
}

// --- the announcement

#define PURPOSE "announcement 1"

char *announcement_write(const struct announcement *announcement, const uint8_t key[SIGNED_TEXT_KEY_BYTES],
                         const uint8_t secret[SIGNED_TEXT_SECRET_BYTES], size_t *byte_count)
{
    char key_text[2 * SIGNED_TEXT_KEY_BYTES + 1];
    signed_text_write_key(key, key_text);
    json_auto_t *object = json_pack("{s:s, s:s, s:I, s:s, s:b, s:i}", "deadfall", PURPOSE, "key", key_text, "time_ms",
                                    (json_int_t)announcement->time_ms, "to", announcement->to, "leaves",
                                    announcement->leaves, "port", (int)announcement->port);
    return object && announcement_facts_write(&announcement->facts, object)
               ? signed_text_write(object, secret, byte_count)
               : NULL;
}

bool announcement_read(const char *text, size_t byte_count, struct announcement *announcement, struct error *error)
{
    if (byte_count > ANNOUNCEMENT_BYTES_MAX)
        return error_set(error, "an announcement has at most %d bytes", ANNOUNCEMENT_BYTES_MAX);
    json_auto_t *object = json_loadb(text, byte_count, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(object))
        return error_set(error, "an announcement is an object of JSON");
    const json_t *time_ms = json_object_get(object, "time_ms"), *port = json_object_get(object, "port");
    const json_t *leaves = json_object_get(object, "leaves"), *to = json_object_get(object, "to");
    size_t to_bytes = json_string_length(to);
    *announcement = (struct announcement){0};
    if (!signed_text_read_key(json_string_value(json_object_get(object, "key")), announcement->key))
        return error_set(error, "\"key\" is missing or not allowed");
    if (!signed_text_verify(text, byte_count, PURPOSE, announcement->key) ||
        crypto_sign_ed25519_pk_to_curve25519(announcement->server_key, announcement->key) != 0)
        return error_set(error, "the signature is wrong");
    identity_fingerprint(announcement->server_key, announcement->fingerprint);
    if (!json_is_integer(time_ms) || json_integer_value(time_ms) < 0)
        return error_set(error, "\"time_ms\" is missing or not allowed");
    if (!json_is_integer(port) || json_integer_value(port) < 1 || json_integer_value(port) > 65535)
        return error_set(error, "\"port\" is missing or not allowed");
    if (!json_is_boolean(leaves))
        return error_set(error, "\"leaves\" is missing or not allowed");
    if (!json_is_string(to) || to_bytes >= sizeof announcement->to || strlen(json_string_value(to)) != to_bytes ||
        !utf8_is_clean(json_string_value(to), to_bytes))
        return error_set(error, "\"to\" is missing or not allowed");
    announcement->time_ms = (uint64_t)json_integer_value(time_ms);
    announcement->port = (uint16_t)json_integer_value(port);
    announcement->leaves = json_is_true(leaves);
    strcpy(announcement->to, json_string_value(to));
    return announcement_facts_read(object, &announcement->facts, error);
}
