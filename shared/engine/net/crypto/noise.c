// SPDX-License-Identifier: MIT
#include "noise.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

#include "base/little_endian.h"

#define BLOCK_BYTES 128 // of BLAKE2b, as HMAC needs it

_Static_assert(NOISE_KEY_BYTES == crypto_scalarmult_BYTES, "key");
_Static_assert(NOISE_KEY_BYTES == crypto_aead_chacha20poly1305_ietf_KEYBYTES, "key");
_Static_assert(NOISE_TAG_BYTES == crypto_aead_chacha20poly1305_ietf_ABYTES, "tag");

// HMAC (RFC 2104) of two pieces; libsodium has none over BLAKE2b.
static void hmac(uint8_t mac[NOISE_HASH_BYTES], const uint8_t key[NOISE_HASH_BYTES], const uint8_t *bytes,
                 size_t byte_count, const uint8_t *more, size_t more_count)
{
    uint8_t inner[BLOCK_BYTES], outer[BLOCK_BYTES];
    crypto_generichash_state state;
    for (size_t i = 0; i < BLOCK_BYTES; i++) {
        uint8_t byte = i < NOISE_HASH_BYTES ? key[i] : 0;
        inner[i] = byte ^ 0x36;
        outer[i] = byte ^ 0x5c;
    }
    crypto_generichash_init(&state, NULL, 0, NOISE_HASH_BYTES);
    crypto_generichash_update(&state, inner, sizeof inner);
    crypto_generichash_update(&state, bytes, byte_count);
    crypto_generichash_update(&state, more, more_count);
    crypto_generichash_final(&state, mac, NOISE_HASH_BYTES);
    crypto_generichash_init(&state, NULL, 0, NOISE_HASH_BYTES);
    crypto_generichash_update(&state, outer, sizeof outer);
    crypto_generichash_update(&state, mac, NOISE_HASH_BYTES);
    crypto_generichash_final(&state, mac, NOISE_HASH_BYTES);
    sodium_memzero(inner, sizeof inner);
    sodium_memzero(outer, sizeof outer);
    sodium_memzero(&state, sizeof state);
}

// HKDF of Noise, section 4.3: as many outputs as the caller uses.
static void derive(const struct noise *noise, const uint8_t *bytes, size_t byte_count,
                   uint8_t outputs[][NOISE_HASH_BYTES], uint8_t count)
{
    uint8_t secret[NOISE_HASH_BYTES];
    hmac(secret, noise->chaining_key, bytes, byte_count, NULL, 0);
    for (uint8_t i = 0; i < count; i++) {
        uint8_t number = (uint8_t)(i + 1);
        hmac(outputs[i], secret, i ? outputs[i - 1] : NULL, i ? NOISE_HASH_BYTES : 0, &number, 1);
    }
    sodium_memzero(secret, sizeof secret);
}

static void use_key(struct noise *noise, const uint8_t key[NOISE_KEY_BYTES])
{
    memcpy(noise->key, key, NOISE_KEY_BYTES);
    noise->nonce = 0;
}

void noise_begin(struct noise *noise, const char *protocol_name)
{
    *noise = (struct noise){.nonce = 0};
    assert(strlen(protocol_name) <= sizeof noise->hash);
    memcpy(noise->hash, protocol_name, strlen(protocol_name));
    memcpy(noise->chaining_key, noise->hash, sizeof noise->chaining_key);
}

void noise_mix_hash(struct noise *noise, const uint8_t *bytes, size_t byte_count)
{
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, NOISE_HASH_BYTES);
    crypto_generichash_update(&state, noise->hash, sizeof noise->hash);
    crypto_generichash_update(&state, bytes, byte_count);
    crypto_generichash_final(&state, noise->hash, sizeof noise->hash);
}

void noise_mix_key(struct noise *noise, const uint8_t *bytes, size_t byte_count)
{
    uint8_t outputs[2][NOISE_HASH_BYTES];
    derive(noise, bytes, byte_count, outputs, 2);
    memcpy(noise->chaining_key, outputs[0], sizeof noise->chaining_key);
    use_key(noise, outputs[1]);
    sodium_memzero(outputs, sizeof outputs);
}

void noise_mix_ephemeral(struct noise *noise, const uint8_t public_key[NOISE_KEY_BYTES])
{
    noise_mix_hash(noise, public_key, NOISE_KEY_BYTES);
    noise_mix_key(noise, public_key, NOISE_KEY_BYTES); // section 9.2: only with a pre-shared key
}

bool noise_mix_exchange(struct noise *noise, const uint8_t secret_key[NOISE_KEY_BYTES],
                        const uint8_t public_key[NOISE_KEY_BYTES])
{
    uint8_t shared[NOISE_KEY_BYTES];
    bool good = crypto_scalarmult(shared, secret_key, public_key) == 0;
    if (good)
        noise_mix_key(noise, shared, sizeof shared);
    sodium_memzero(shared, sizeof shared);
    return good;
}

void noise_mix_psk(struct noise *noise, const uint8_t psk[NOISE_KEY_BYTES])
{
    uint8_t outputs[3][NOISE_HASH_BYTES];
    derive(noise, psk, NOISE_KEY_BYTES, outputs, 3);
    memcpy(noise->chaining_key, outputs[0], sizeof noise->chaining_key);
    noise_mix_hash(noise, outputs[1], NOISE_HASH_BYTES);
    use_key(noise, outputs[2]);
    sodium_memzero(outputs, sizeof outputs);
}

static void nonce_of(const struct noise *noise, uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES])
{
    memset(nonce, 0, 4);
    little_endian_write(nonce + 4, noise->nonce, 8);
}

void noise_encrypt(struct noise *noise, uint8_t *encrypted, const uint8_t *plain, size_t byte_count)
{
    uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];
    nonce_of(noise, nonce);
    crypto_aead_chacha20poly1305_ietf_encrypt(encrypted, NULL, plain, byte_count, noise->hash, sizeof noise->hash, NULL,
                                              nonce, noise->key);
    noise->nonce++;
    noise_mix_hash(noise, encrypted, byte_count + NOISE_TAG_BYTES);
}

bool noise_decrypt(struct noise *noise, uint8_t *plain, const uint8_t *encrypted, size_t byte_count)
{
    uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];
    nonce_of(noise, nonce);
    if (crypto_aead_chacha20poly1305_ietf_decrypt(plain, NULL, NULL, encrypted, byte_count + NOISE_TAG_BYTES,
                                                  noise->hash, sizeof noise->hash, nonce, noise->key) != 0)
        return false;
    noise->nonce++;
    noise_mix_hash(noise, encrypted, byte_count + NOISE_TAG_BYTES);
    return true;
}

void noise_split(const struct noise *noise, uint8_t of_initiator[NOISE_KEY_BYTES],
                 uint8_t of_responder[NOISE_KEY_BYTES])
{
    uint8_t outputs[2][NOISE_HASH_BYTES];
    derive(noise, NULL, 0, outputs, 2);
    memcpy(of_initiator, outputs[0], NOISE_KEY_BYTES);
    memcpy(of_responder, outputs[1], NOISE_KEY_BYTES);
    sodium_memzero(outputs, sizeof outputs);
}
