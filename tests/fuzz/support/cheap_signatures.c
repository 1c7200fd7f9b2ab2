// SPDX-License-Identifier: MIT
//
// Stands in for Ed25519 in fuzzers, where it would take most of the time: a signature is a hash of the text and the
// public key, so one that is wrong is still refused. The last key that was converted or made is remembered.
#include <sodium.h>
#include <stdbool.h>
#include <string.h>

int __wrap_crypto_sign_detached(uint8_t *signature, unsigned long long *signature_bytes, const uint8_t *text,
                                unsigned long long text_bytes, const uint8_t *secret);
int __wrap_crypto_sign_verify_detached(const uint8_t *signature, const uint8_t *text, unsigned long long text_bytes,
                                       const uint8_t *key);
int __wrap_crypto_sign_ed25519_pk_to_curve25519(uint8_t *exchange, const uint8_t *key);
int __real_crypto_sign_ed25519_pk_to_curve25519(uint8_t *exchange, const uint8_t *key);
int __wrap_crypto_sign_seed_keypair(uint8_t *key, uint8_t *secret, const uint8_t *seed);
int __real_crypto_sign_seed_keypair(uint8_t *key, uint8_t *secret, const uint8_t *seed);

static void sign(uint8_t signature[crypto_sign_BYTES], const uint8_t *text, unsigned long long text_bytes,
                 const uint8_t *key)
{
    crypto_generichash(signature, crypto_sign_BYTES, text, text_bytes, key, crypto_sign_PUBLICKEYBYTES);
}

int __wrap_crypto_sign_detached(uint8_t *signature, unsigned long long *signature_bytes, const uint8_t *text,
                                unsigned long long text_bytes, const uint8_t *secret)
{
    (void)signature_bytes;
    sign(signature, text, text_bytes, secret + crypto_sign_SEEDBYTES); // the public key
    return 0;
}

int __wrap_crypto_sign_verify_detached(const uint8_t *signature, const uint8_t *text, unsigned long long text_bytes,
                                       const uint8_t *key)
{
    uint8_t right[crypto_sign_BYTES];
    sign(right, text, text_bytes, key);
    return memcmp(right, signature, sizeof right) == 0 ? 0 : -1;
}

int __wrap_crypto_sign_ed25519_pk_to_curve25519(uint8_t *exchange, const uint8_t *key)
{
    static uint8_t last[crypto_sign_PUBLICKEYBYTES], converted[crypto_scalarmult_BYTES];
    static int result = -1;
    if (memcmp(last, key, sizeof last) != 0) {
        memcpy(last, key, sizeof last);
        result = __real_crypto_sign_ed25519_pk_to_curve25519(converted, key);
    }
    memcpy(exchange, converted, sizeof converted);
    return result;
}

int __wrap_crypto_sign_seed_keypair(uint8_t *key, uint8_t *secret, const uint8_t *seed)
{
    static uint8_t last[crypto_sign_SEEDBYTES], made[crypto_sign_PUBLICKEYBYTES], whole[crypto_sign_SECRETKEYBYTES];
    static bool is_made;
    if (!is_made || memcmp(last, seed, sizeof last) != 0) {
        memcpy(last, seed, sizeof last);
        is_made = __real_crypto_sign_seed_keypair(made, whole, seed) == 0;
    }
    memcpy(key, made, sizeof made);
    memcpy(secret, whole, sizeof whole);
    return 0;
}
