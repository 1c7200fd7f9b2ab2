// SPDX-License-Identifier: MIT
#include "announcement.h"

#include <sodium.h>
#include <string.h>

#include "base/utf8.h"

#define PURPOSE "announcement 1"

char *announcement_write(const struct announcement *announcement, const uint8_t key[SIGNED_TEXT_KEY_BYTES],
                         const uint8_t secret[SIGNED_TEXT_SECRET_BYTES], size_t *byte_count)
{
    char key_text[2 * SIGNED_TEXT_KEY_BYTES + 1];
    signed_text_write_key(key, key_text);
    json_auto_t *object = json_pack("{s:s, s:s, s:I, s:s, s:b, s:i}", "deadfall", PURPOSE, "key", key_text, "time_ms",
                                    (json_int_t)announcement->time_ms, "to", announcement->to, "leaves",
                                    announcement->leaves, "port", (int)announcement->port);
    return object && server_facts_write(&announcement->facts, object) ? signed_text_write(object, secret, byte_count)
                                                                      : NULL;
}

static bool read_members(const json_t *object, struct announcement *announcement, struct error *error)
{
    const json_t *time_ms = json_object_get(object, "time_ms"), *port = json_object_get(object, "port");
    const json_t *leaves = json_object_get(object, "leaves"), *to = json_object_get(object, "to");
    size_t to_bytes = json_string_length(to);
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
    return server_facts_read(object, &announcement->facts, error);
}

bool announcement_read(const char *text, size_t byte_count, struct announcement *announcement, struct error *error)
{
    if (byte_count > ANNOUNCEMENT_BYTES_MAX)
        return error_set(error, "an announcement has at most %d bytes", ANNOUNCEMENT_BYTES_MAX);
    json_auto_t *object = json_loadb(text, byte_count, JSON_REJECT_DUPLICATES, NULL);
    if (!json_is_object(object))
        return error_set(error, "an announcement is an object of JSON");
    *announcement = (struct announcement){0};
    if (!signed_text_read_key(json_string_value(json_object_get(object, "key")), announcement->key))
        return error_set(error, "\"key\" is missing or not allowed");
    if (!signed_text_verify(text, byte_count, PURPOSE, announcement->key) ||
        crypto_sign_ed25519_pk_to_curve25519(announcement->server_key, announcement->key) != 0)
        return error_set(error, "the signature is wrong");
    identity_fingerprint(announcement->server_key, announcement->fingerprint);
    return read_members(object, announcement, error);
}
