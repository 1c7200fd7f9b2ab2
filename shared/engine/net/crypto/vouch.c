// SPDX-License-Identifier: MIT
#include "vouch.h"

#include <sodium.h>
#include <string.h>

#include "base/utf8.h"

// Signed with the rest and not sent: so that it passes for nothing else that a server signs.
#define PURPOSE       "deadfall vouch 1"
#define PURPOSE_BYTES (sizeof PURPOSE - 1)
#define BODY_BYTES    (VOUCH_BYTES - crypto_sign_BYTES)

_Static_assert(BODY_BYTES == 2 * IDENTITY_BYTES + 1 + VOUCH_NAME_BYTES + 5 * 4, "the layout of PROTOCOL.md");
_Static_assert(VOUCH_SECRET_BYTES == crypto_sign_SECRETKEYBYTES, "secret");

void vouch_keys(const uint8_t seed[IDENTITY_SEED_BYTES], uint8_t key[IDENTITY_BYTES],
                uint8_t secret[VOUCH_SECRET_BYTES])
{
    crypto_sign_seed_keypair(key, secret, seed);
}

static uint8_t *put(uint8_t *at, uint32_t number)
{
    for (uint32_t i = 0; i < 4; i++)
        *at++ = (uint8_t)(number >> 8 * i);
    return at;
}

static uint32_t get(const uint8_t **at)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < 4; i++)
        number |= (uint32_t) * (*at)++ << 8 * i;
    return number;
}

static void purpose_and_body(uint8_t text[PURPOSE_BYTES + BODY_BYTES], const uint8_t *body)
{
    memcpy(text, PURPOSE, PURPOSE_BYTES);
    memcpy(text + PURPOSE_BYTES, body, BODY_BYTES);
}

void vouch_sign(uint8_t bytes[VOUCH_BYTES], const uint8_t secret[VOUCH_SECRET_BYTES])
{
    uint8_t text[PURPOSE_BYTES + BODY_BYTES];
    purpose_and_body(text, bytes);
    crypto_sign_detached(bytes + BODY_BYTES, NULL, text, sizeof text, secret);
}

void vouch_write(const struct vouch *vouch, const uint8_t secret[VOUCH_SECRET_BYTES], uint8_t bytes[VOUCH_BYTES])
{
    uint8_t *at = bytes;
    memset(bytes, 0, BODY_BYTES);
    memcpy(at, vouch->server, IDENTITY_BYTES);
    memcpy(at + IDENTITY_BYTES, vouch->player, IDENTITY_BYTES);
    at += 2 * IDENTITY_BYTES;
    *at++ = (uint8_t)vouch->local;
    memcpy(at, vouch->name, strlen(vouch->name));
    at = put(at + VOUCH_NAME_BYTES, (uint32_t)vouch->mean);
    at = put(at, vouch->deviation);
    at = put(at, vouch->matches);
    at = put(at, vouch->made_s);
    put(at, vouch->expires_s);
    vouch_sign(bytes, secret);
}

static bool read_fields(struct vouch *vouch, const uint8_t *at)
{
    *vouch = (struct vouch){.local = at[2 * IDENTITY_BYTES]};
    memcpy(vouch->server, at, IDENTITY_BYTES);
    memcpy(vouch->player, at + IDENTITY_BYTES, IDENTITY_BYTES);
    at += 2 * IDENTITY_BYTES + 1;
    memcpy(vouch->name, at, VOUCH_NAME_BYTES);
    size_t length = strlen(vouch->name);
    for (size_t i = length; i < VOUCH_NAME_BYTES; i++)
        if (at[i] != 0)
            return false;
    at += VOUCH_NAME_BYTES;
    vouch->mean = (int32_t)get(&at);
    vouch->deviation = get(&at);
    vouch->matches = get(&at);
    vouch->made_s = get(&at);
    vouch->expires_s = get(&at);
    return length > 0 && utf8_is_clean(vouch->name, length) && vouch->local < VOUCH_LOCALS &&
           vouch->mean >= -VOUCH_MEAN_MAX && vouch->mean <= VOUCH_MEAN_MAX && vouch->deviation >= 1 &&
           vouch->deviation <= VOUCH_DEVIATION_MAX && vouch->matches >= 1 && vouch->expires_s > vouch->made_s &&
           vouch->expires_s - vouch->made_s <= VOUCH_LIFE_S;
}

bool vouch_read(struct vouch *vouch, const uint8_t *bytes, size_t byte_count)
{
    uint8_t text[PURPOSE_BYTES + BODY_BYTES], exchange[IDENTITY_BYTES];
    if (byte_count != VOUCH_BYTES || !read_fields(vouch, bytes))
        return false;
    purpose_and_body(text, bytes);
    if (crypto_sign_verify_detached(bytes + BODY_BYTES, text, sizeof text, vouch->server) != 0 ||
        crypto_sign_ed25519_pk_to_curve25519(exchange, vouch->server) != 0)
        return false;
    identity_fingerprint(exchange, vouch->fingerprint);
    return true;
}

bool vouch_is_of_same(const uint8_t one[VOUCH_BYTES], const uint8_t other[VOUCH_BYTES])
{
    return memcmp(one, other, IDENTITY_BYTES) == 0 && one[2 * IDENTITY_BYTES] == other[2 * IDENTITY_BYTES];
}

bool vouch_is_current(const struct vouch *vouch, int64_t unix_time)
{
    return unix_time + VOUCH_CLOCK_S >= vouch->made_s && unix_time < vouch->expires_s;
}
