// SPDX-License-Identifier: MIT
#include "cpace.h"

#include <assert.h>
#include <sodium.h>

#define BLOCK_BYTES 128 // of SHA-512

static const struct cpace_text generator_name = {"CPaceRistretto255", 17}, key_name = {"CPaceRistretto255_ISK", 21};

_Static_assert(CPACE_BYTES == crypto_core_ristretto255_BYTES, "share");
_Static_assert(CPACE_KEY_BYTES == crypto_hash_sha512_BYTES, "key");

// A text with its length before it. The draft's lengths are LEB128: one byte for texts as short as ours.
static void hash_text(crypto_hash_sha512_state *state, const struct cpace_text *text)
{
    uint8_t length = (uint8_t)text->byte_count;
    assert(text->byte_count <= CPACE_TEXT_MAX);
    crypto_hash_sha512_update(state, &length, 1);
    crypto_hash_sha512_update(state, text->bytes, text->byte_count);
}

void cpace_share(const struct cpace *cpace, const uint8_t secret[CPACE_BYTES], uint8_t share[CPACE_BYTES])
{
    static const uint8_t zeros[BLOCK_BYTES];
    crypto_hash_sha512_state state;
    uint8_t hash[crypto_hash_sha512_BYTES], generator[CPACE_BYTES];
    // Password and padding fill the first block, so that the time does not show the password's length.
    size_t used = 1 + 1 + cpace->password.byte_count + 1 + generator_name.byte_count;
    struct cpace_text padding = {zeros, used < BLOCK_BYTES ? BLOCK_BYTES - used : 0};
    crypto_hash_sha512_init(&state);
    hash_text(&state, &generator_name);
    hash_text(&state, &cpace->password);
    hash_text(&state, &padding);
    hash_text(&state, &cpace->channel);
    hash_text(&state, &cpace->session);
    crypto_hash_sha512_final(&state, hash);
    crypto_core_ristretto255_from_hash(generator, hash);
    if (crypto_scalarmult_ristretto255(share, secret, generator) != 0)
        sodium_memzero(share, CPACE_BYTES); // only with a secret of zero: nobody accepts this share
    sodium_memzero(&state, sizeof state);
    sodium_memzero(hash, sizeof hash);
    sodium_memzero(generator, sizeof generator);
}

bool cpace_key(const struct cpace *cpace, const struct cpace_shares *shares, const uint8_t secret[CPACE_BYTES],
               const uint8_t theirs[CPACE_BYTES], uint8_t key[CPACE_KEY_BYTES])
{
    crypto_hash_sha512_state state;
    uint8_t shared[CPACE_BYTES];
    if (crypto_scalarmult_ristretto255(shared, secret, theirs) != 0)
        return false;
    crypto_hash_sha512_init(&state);
    hash_text(&state, &key_name);
    hash_text(&state, &cpace->session);
    hash_text(&state, &(struct cpace_text){shared, sizeof shared});
    hash_text(&state, &(struct cpace_text){shares->initiator, CPACE_BYTES});
    hash_text(&state, &cpace->initiator);
    hash_text(&state, &(struct cpace_text){shares->responder, CPACE_BYTES});
    hash_text(&state, &cpace->responder);
    crypto_hash_sha512_final(&state, key);
    sodium_memzero(&state, sizeof state);
    sodium_memzero(shared, sizeof shared);
    return true;
}
