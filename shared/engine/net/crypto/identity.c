// SPDX-License-Identifier: MIT
#include "identity.h"

#include <errno.h>
#include <sodium.h>
#include <string.h>

#include "base/file.h"
#include "base/platform/disk.h"

#define PERMISSIONS_OF_OTHERS 0077u

// Two programs that start at once agree on the key of the one that was first.
static bool make_seed(const char *path)
{
    uint8_t seed[IDENTITY_SEED_BYTES];
    file_make_folders(path);
    if (sodium_init() < 0) // a page has no random numbers before
        return false;
    randombytes_buf(seed, sizeof seed);
    bool made = file_create(path, seed, sizeof seed) || errno == EEXIST;
    sodium_memzero(seed, sizeof seed);
    return made;
}

bool identity_load(const char *path, uint8_t seed[IDENTITY_SEED_BYTES], struct error *error)
{
    struct disk_facts facts;
    size_t byte_count;
    if (!disk_look(path, &facts) && (errno != ENOENT || !make_seed(path) || !disk_look(path, &facts)))
        return error_set(error, "the key %s cannot be used: %s", path, strerror(errno));
    if (facts.permissions & PERMISSIONS_OF_OTHERS)
        return error_set(error, "%s can be read by others; make it your own: chmod 600 %s", path, path);
    bool whole = file_read(path, seed, IDENTITY_SEED_BYTES, &byte_count);
    if (!whole && errno != EFBIG)
        return error_set(error, "the key %s cannot be used: %s", path, strerror(errno));
    if (!whole || byte_count != IDENTITY_SEED_BYTES)
        return error_set(error, "%s is no key of %d bytes; restore it, or remove it to get another", path,
                         IDENTITY_SEED_BYTES);
    return true;
}

static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz234567";

void identity_fingerprint(const uint8_t key[32], char text[FINGERPRINT_TEXT_BYTES])
{
    uint8_t hash[20];
    crypto_generichash(hash, sizeof hash, key, 32, NULL, 0);
    uint32_t bits = 0, held = 0;
    for (size_t i = 0; i < sizeof hash; i++) {
        bits = bits << 8 | hash[i];
        for (held += 8; held >= 5; held -= 5)
            *text++ = LETTERS[bits >> (held - 5) & 31];
    }
    *text = 0;
}

void identity_fingerprint_of_sign(const uint8_t account[IDENTITY_BYTES], char text[FINGERPRINT_TEXT_BYTES])
{
    uint8_t key[IDENTITY_BYTES];
    memcpy(key, account, sizeof key);
    key[IDENTITY_BYTES - 1] ^= 0x80;
    identity_fingerprint(key, text);
}

bool identity_fingerprint_of_file(const char *path, char text[FINGERPRINT_TEXT_BYTES], struct error *error)
{
    uint8_t seed[IDENTITY_SEED_BYTES], key[crypto_sign_PUBLICKEYBYTES], secret[crypto_sign_SECRETKEYBYTES];
    if (!identity_load(path, seed, error))
        return false;
    crypto_sign_seed_keypair(key, secret, seed);
    identity_clear_sign(key);
    identity_fingerprint(key, text);
    sodium_memzero(seed, sizeof seed);
    sodium_memzero(secret, sizeof secret);
    return true;
}

bool identity_fingerprint_is_valid(const char *text)
{
    return strlen(text) == FINGERPRINT_TEXT_BYTES - 1 && strspn(text, LETTERS) == FINGERPRINT_TEXT_BYTES - 1;
}

void identity_of_content(const uint8_t *bytes, size_t byte_count, uint8_t hash[CONTENT_HASH_BYTES])
{
    crypto_generichash(hash, CONTENT_HASH_BYTES, bytes, byte_count, NULL, 0);
}

void identity_player_tag(const uint8_t viewer[IDENTITY_BYTES], const uint8_t player[IDENTITY_BYTES],
                         uint8_t tag[PLAYER_TAG_BYTES])
{
    static const char PURPOSE[] = "deadfall player tag 1";
    uint8_t hash[crypto_generichash_BYTES_MIN];
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    crypto_generichash_update(&state, (const uint8_t *)PURPOSE, sizeof PURPOSE - 1);
    crypto_generichash_update(&state, viewer, IDENTITY_BYTES);
    crypto_generichash_update(&state, player, IDENTITY_BYTES);
    crypto_generichash_final(&state, hash, sizeof hash);
    memcpy(tag, hash, PLAYER_TAG_BYTES);
}
