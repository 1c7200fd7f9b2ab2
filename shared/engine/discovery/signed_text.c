// SPDX-License-Identifier: MIT
#include "signed_text.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD            "{\"signature\":\""
#define HEAD_END        "\",\n"
#define SIGNATURE_CHARS (2 * crypto_sign_BYTES)
#define HEX             "0123456789abcdef"

_Static_assert(SIGNED_TEXT_HEAD_BYTES == sizeof HEAD - 1 + SIGNATURE_CHARS + sizeof HEAD_END - 1, "head");
_Static_assert(SIGNED_TEXT_SECRET_BYTES == crypto_sign_SECRETKEYBYTES, "secret");

void signed_text_keys(const uint8_t seed[32], uint8_t key[SIGNED_TEXT_KEY_BYTES],
                      uint8_t secret[SIGNED_TEXT_SECRET_BYTES])
{
    crypto_sign_seed_keypair(key, secret, seed);
}

char *signed_text_write(const json_t *object, const uint8_t secret[SIGNED_TEXT_SECRET_BYTES], size_t *byte_count)
{
    uint8_t signature[crypto_sign_BYTES];
    char digits[SIGNATURE_CHARS + 1], *text = NULL;
    char *body = json_dumps(object, JSON_COMPACT);
    if (!body)
        return NULL;
    // Without its opening brace, which stands in front of the signature; with the end of its line.
    size_t length = strlen(body);
    memmove(body, body + 1, length - 1);
    body[length - 1] = '\n';
    crypto_sign_detached(signature, NULL, (const uint8_t *)body, length, secret);
    sodium_bin2hex(digits, sizeof digits, signature, sizeof signature);
    int count = asprintf(&text, HEAD "%s" HEAD_END "%.*s", digits, (int)length, body);
    free(body);
    *byte_count = count < 0 ? 0 : (size_t)count;
    return count < 0 ? NULL : text;
}

static bool read_hex(const char *text, size_t digit_count, uint8_t *bytes)
{
    return strspn(text, HEX) >= digit_count &&
           sodium_hex2bin(bytes, digit_count / 2, text, digit_count, NULL, NULL, NULL) == 0;
}

bool signed_text_verify(const char *text, size_t byte_count, const char *purpose,
                        const uint8_t key[SIGNED_TEXT_KEY_BYTES])
{
    char head[SIGNED_TEXT_HEAD_BYTES + 1], begin[64];
    uint8_t signature[crypto_sign_BYTES];
    const char *body = text + SIGNED_TEXT_HEAD_BYTES;
    if (byte_count <= SIGNED_TEXT_HEAD_BYTES)
        return false;
    size_t body_bytes = byte_count - SIGNED_TEXT_HEAD_BYTES;
    int begin_bytes = snprintf(begin, sizeof begin, "\"deadfall\":\"%s\"", purpose);
    memcpy(head, text, SIGNED_TEXT_HEAD_BYTES);
    head[SIGNED_TEXT_HEAD_BYTES] = 0;
    return memcmp(head, HEAD, sizeof HEAD - 1) == 0 &&
           memcmp(head + sizeof HEAD - 1 + SIGNATURE_CHARS, HEAD_END, sizeof HEAD_END - 1) == 0 &&
           body_bytes > (size_t)begin_bytes && memcmp(body, begin, (size_t)begin_bytes) == 0 &&
           read_hex(head + sizeof HEAD - 1, SIGNATURE_CHARS, signature) &&
           crypto_sign_verify_detached(signature, (const uint8_t *)body, body_bytes, key) == 0;
}

bool signed_text_read_key(const char *text, uint8_t key[SIGNED_TEXT_KEY_BYTES])
{
    return text && strlen(text) == 2 * SIGNED_TEXT_KEY_BYTES && read_hex(text, 2 * SIGNED_TEXT_KEY_BYTES, key);
}

void signed_text_write_key(const uint8_t key[SIGNED_TEXT_KEY_BYTES], char text[2 * SIGNED_TEXT_KEY_BYTES + 1])
{
    sodium_bin2hex(text, 2 * SIGNED_TEXT_KEY_BYTES + 1, key, SIGNED_TEXT_KEY_BYTES);
}
