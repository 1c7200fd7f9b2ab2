// SPDX-License-Identifier: MIT
//
// Puts a valid signature in front of a fuzzer's bytes, which it could not find by itself.
#ifndef FUZZ_SIGNED_TEXT_H
#define FUZZ_SIGNED_TEXT_H

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "discovery/signed_text.h"

// Signs with the seed of zeros. The caller frees the text.
static inline char *sign_bytes(const uint8_t *data, size_t size)
{
    static const uint8_t seed[32] = {0};
    uint8_t key[SIGNED_TEXT_KEY_BYTES], secret[SIGNED_TEXT_SECRET_BYTES], signature[crypto_sign_BYTES];
    char digits[2 * crypto_sign_BYTES + 1];
    char *text = malloc(SIGNED_TEXT_HEAD_BYTES + size + 1);
    if (!text)
        abort();
    signed_text_keys(seed, key, secret);
    crypto_sign_detached(signature, NULL, data, size, secret);
    sodium_bin2hex(digits, sizeof digits, signature, sizeof signature);
    snprintf(text, SIGNED_TEXT_HEAD_BYTES + 1, "{\"signature\":\"%s\",\n", digits);
    memcpy(text + SIGNED_TEXT_HEAD_BYTES, data, size);
    return text;
}

#endif
