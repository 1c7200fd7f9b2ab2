// SPDX-License-Identifier: MIT
#include "seeded_crypto.h"

#include <assert.h>
#include <dlfcn.h>
#include <sodium.h>
#include <string.h>

#include "base/random.h"

#define KEY_BYTES 32
#define PRIME     ((UINT64_C(1) << 61) - 1)
#define GENERATOR 3

static uint64_t random_state;
static bool is_cheap;

// What this file takes the place of.
static struct {
    int (*scalarmult)(unsigned char *, const unsigned char *, const unsigned char *);
    int (*scalarmult_base)(unsigned char *, const unsigned char *);
    int (*box_keypair)(unsigned char *, unsigned char *);
    int (*box_seed_keypair)(unsigned char *, unsigned char *, const unsigned char *);
    int (*sign_seed_keypair)(unsigned char *, unsigned char *, const unsigned char *);
    int (*sign_public)(unsigned char *, const unsigned char *);
    int (*sign_secret)(unsigned char *, const unsigned char *);
} real;

static void find_real(void *function, const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    assert(found);
    memcpy(function, &found, sizeof found);
}

static const char *random_name(void)
{
    return "seeded";
}

static uint32_t random_number(void)
{
    return (uint32_t)random_next64(&random_state);
}

static void random_bytes(void *bytes, size_t byte_count)
{
    uint8_t *at = bytes;
    for (uint64_t number; byte_count > 0; at += sizeof number) {
        number = random_next64(&random_state);
        size_t count = byte_count < sizeof number ? byte_count : sizeof number;
        memcpy(at, &number, count);
        byte_count -= count;
    }
}

void seeded_crypto_begin(uint64_t seed, bool has_cheap_curve)
{
    static randombytes_implementation seeded = {
        .implementation_name = random_name, .random = random_number, .buf = random_bytes};
    if (!real.scalarmult) {
        find_real(&real.scalarmult, "crypto_scalarmult");
        find_real(&real.scalarmult_base, "crypto_scalarmult_base");
        find_real(&real.box_keypair, "crypto_box_keypair");
        find_real(&real.box_seed_keypair, "crypto_box_seed_keypair");
        find_real(&real.sign_seed_keypair, "crypto_sign_seed_keypair");
        find_real(&real.sign_public, "crypto_sign_ed25519_pk_to_curve25519");
        find_real(&real.sign_secret, "crypto_sign_ed25519_sk_to_curve25519");
    }
    randombytes_set_implementation(&seeded);
    random_state = seed;
    is_cheap = has_cheap_curve;
}

static uint64_t number_of(const uint8_t *key)
{
    uint64_t number;
    memcpy(&number, key, sizeof number);
    return number % PRIME;
}

static int multiply(uint8_t *product, const uint8_t *key, uint64_t by)
{
    uint64_t number = (uint64_t)((unsigned __int128)number_of(key) * by % PRIME);
    memset(product, 0, KEY_BYTES);
    memcpy(product, &number, sizeof number);
    return number ? 0 : -1;
}

int crypto_scalarmult(unsigned char *q, const unsigned char *n, const unsigned char *p)
{
    return is_cheap ? multiply(q, n, number_of(p)) : real.scalarmult(q, n, p);
}

int crypto_scalarmult_base(unsigned char *q, const unsigned char *n)
{
    return is_cheap ? multiply(q, n, GENERATOR) : real.scalarmult_base(q, n);
}

int crypto_box_keypair(unsigned char *pk, unsigned char *sk)
{
    if (!is_cheap)
        return real.box_keypair(pk, sk);
    random_bytes(sk, KEY_BYTES);
    return multiply(pk, sk, GENERATOR);
}

int crypto_box_seed_keypair(unsigned char *pk, unsigned char *sk, const unsigned char *seed)
{
    if (!is_cheap)
        return real.box_seed_keypair(pk, sk, seed);
    memcpy(sk, seed, KEY_BYTES);
    return multiply(pk, sk, GENERATOR);
}

int crypto_sign_seed_keypair(unsigned char *pk, unsigned char *sk, const unsigned char *seed)
{
    if (!is_cheap)
        return real.sign_seed_keypair(pk, sk, seed);
    memcpy(sk, seed, KEY_BYTES);
    int result = multiply(pk, sk, GENERATOR);
    memcpy(sk + KEY_BYTES, pk, KEY_BYTES);
    return result;
}

int crypto_sign_ed25519_pk_to_curve25519(unsigned char *curve25519_pk, const unsigned char *ed25519_pk)
{
    if (!is_cheap)
        return real.sign_public(curve25519_pk, ed25519_pk);
    memcpy(curve25519_pk, ed25519_pk, KEY_BYTES);
    return 0;
}

int crypto_sign_ed25519_sk_to_curve25519(unsigned char *curve25519_sk, const unsigned char *ed25519_sk)
{
    if (!is_cheap)
        return real.sign_secret(curve25519_sk, ed25519_sk);
    memcpy(curve25519_sk, ed25519_sk, KEY_BYTES);
    return 0;
}
