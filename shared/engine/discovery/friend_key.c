// SPDX-License-Identifier: MIT
#include "friend_key.h"

#include <sodium.h>
#include <string.h>

#define SUM_BYTES 3

static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz234567";
static const char SEED_USE[] = "deadfall friend key", SUM_USE[] = "deadfall friend sum",
                  PAIR_USE[] = "deadfall friends";

_Static_assert(FRIEND_KEY_TEXT_BYTES - 1 == (FRIEND_KEY_BYTES + SUM_BYTES) * 8 / 5, "five bits a letter");

void friend_key_derive(const uint8_t seed[IDENTITY_SEED_BYTES], struct friend_keys *keys)
{
    crypto_generichash(keys->secret, sizeof keys->secret, (const uint8_t *)SEED_USE, sizeof SEED_USE - 1, seed,
                       IDENTITY_SEED_BYTES);
    crypto_scalarmult_base(keys->key, keys->secret);
}

static void write_sum(const uint8_t key[FRIEND_KEY_BYTES], uint8_t sum[SUM_BYTES])
{
    uint8_t hash[crypto_generichash_BYTES];
    crypto_generichash(hash, sizeof hash, key, FRIEND_KEY_BYTES, (const uint8_t *)SUM_USE, sizeof SUM_USE - 1);
    memcpy(sum, hash, SUM_BYTES);
}

void friend_key_write(const uint8_t key[FRIEND_KEY_BYTES], char text[FRIEND_KEY_TEXT_BYTES])
{
    uint8_t bytes[FRIEND_KEY_BYTES + SUM_BYTES];
    memcpy(bytes, key, FRIEND_KEY_BYTES);
    write_sum(key, bytes + FRIEND_KEY_BYTES);
    uint32_t bits = 0, held = 0;
    for (size_t i = 0; i < sizeof bytes; i++) {
        bits = bits << 8 | bytes[i];
        for (held += 8; held >= 5; held -= 5)
            *text++ = LETTERS[bits >> (held - 5) & 31];
    }
    *text = 0;
}

bool friend_key_read(const char *text, uint8_t key[FRIEND_KEY_BYTES])
{
    size_t begin = strncmp(text, FRIEND_KEY_LINK, sizeof FRIEND_KEY_LINK - 1) ? 0 : sizeof FRIEND_KEY_LINK - 1;
    uint8_t bytes[FRIEND_KEY_BYTES + SUM_BYTES], sum[SUM_BYTES], *next = bytes;
    uint32_t bits = 0, held = 0;
    if (strlen(text + begin) != FRIEND_KEY_TEXT_BYTES - 1 || strspn(text + begin, LETTERS) != FRIEND_KEY_TEXT_BYTES - 1)
        return false;
    for (const char *letter = text + begin; *letter; letter++) {
        bits = bits << 5 | (uint32_t)(strchr(LETTERS, *letter) - LETTERS);
        held += 5;
        if (held >= 8)
            *next++ = (uint8_t)(bits >> (held -= 8));
    }
    write_sum(bytes, sum);
    if (memcmp(sum, bytes + FRIEND_KEY_BYTES, SUM_BYTES) != 0)
        return false;
    memcpy(key, bytes, FRIEND_KEY_BYTES);
    return true;
}

bool friend_key_pair(const struct friend_keys *own, const uint8_t theirs[FRIEND_KEY_BYTES],
                     uint8_t pair[FRIEND_KEY_BYTES])
{
    uint8_t product[crypto_scalarmult_BYTES];
    if (crypto_scalarmult(product, own->secret, theirs) != 0)
        return false;
    bool is_first = memcmp(own->key, theirs, FRIEND_KEY_BYTES) < 0;
    crypto_generichash_state hash;
    crypto_generichash_init(&hash, (const uint8_t *)PAIR_USE, sizeof PAIR_USE - 1, FRIEND_KEY_BYTES);
    crypto_generichash_update(&hash, product, sizeof product);
    crypto_generichash_update(&hash, is_first ? own->key : theirs, FRIEND_KEY_BYTES);
    crypto_generichash_update(&hash, is_first ? theirs : own->key, FRIEND_KEY_BYTES);
    crypto_generichash_final(&hash, pair, FRIEND_KEY_BYTES);
    sodium_memzero(product, sizeof product);
    return true;
}
