// SPDX-License-Identifier: MIT
#include "vouch.h"

#include <sodium.h>
#include <string.h>

#include "base/little_endian.h"
#include "base/utf8.h"

// Signed with the rest and not sent: so that it passes for nothing else that a server signs.
#define PURPOSE       "deadfall vouch 1"
#define PURPOSE_BYTES (sizeof PURPOSE - 1)
#define BODY_BYTES    (VOUCH_BYTES - crypto_sign_BYTES)

// The layout of PROTOCOL.md.
enum {
    AT_PLAYER = IDENTITY_BYTES,
    AT_LOCAL = AT_PLAYER + IDENTITY_BYTES,
    AT_NAME = AT_LOCAL + 1,
    AT_MEAN = AT_NAME + VOUCH_NAME_BYTES,
    AT_DEVIATION = AT_MEAN + 4,
    AT_MATCHES = AT_DEVIATION + 4,
    AT_MADE = AT_MATCHES + 4,
    AT_EXPIRES = AT_MADE + 4,
};

_Static_assert(BODY_BYTES == AT_EXPIRES + 4, "the layout");
_Static_assert(VOUCH_SECRET_BYTES == crypto_sign_SECRETKEYBYTES, "secret");

void vouch_keys(const uint8_t seed[IDENTITY_SEED_BYTES], uint8_t key[IDENTITY_BYTES],
                uint8_t secret[VOUCH_SECRET_BYTES])
{
    crypto_sign_seed_keypair(key, secret, seed);
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
    memcpy(bytes, vouch->server, IDENTITY_BYTES);
    memcpy(bytes + AT_PLAYER, vouch->player, IDENTITY_BYTES);
    bytes[AT_LOCAL] = (uint8_t)vouch->local;
    memset(bytes + AT_NAME, 0, VOUCH_NAME_BYTES);
    memcpy(bytes + AT_NAME, vouch->name, strlen(vouch->name));
    little_endian_write(bytes + AT_MEAN, (uint32_t)vouch->mean, 4);
    little_endian_write(bytes + AT_DEVIATION, vouch->deviation, 4);
    little_endian_write(bytes + AT_MATCHES, vouch->matches, 4);
    little_endian_write(bytes + AT_MADE, vouch->made_s, 4);
    little_endian_write(bytes + AT_EXPIRES, vouch->expires_s, 4);
    vouch_sign(bytes, secret);
}

uint32_t vouch_local(const uint8_t bytes[VOUCH_BYTES])
{
    return bytes[AT_LOCAL];
}

bool vouch_read(struct vouch *vouch, const uint8_t *bytes, size_t byte_count)
{
    uint8_t text[PURPOSE_BYTES + BODY_BYTES], exchange[IDENTITY_BYTES];
    if (byte_count != VOUCH_BYTES)
        return false;
    *vouch = (struct vouch){
        .local = bytes[AT_LOCAL],
        .mean = (int32_t)little_endian_read(bytes + AT_MEAN, 4),
        .deviation = (uint32_t)little_endian_read(bytes + AT_DEVIATION, 4),
        .matches = (uint32_t)little_endian_read(bytes + AT_MATCHES, 4),
        .made_s = (uint32_t)little_endian_read(bytes + AT_MADE, 4),
        .expires_s = (uint32_t)little_endian_read(bytes + AT_EXPIRES, 4),
    };
    memcpy(vouch->server, bytes, IDENTITY_BYTES);
    memcpy(vouch->player, bytes + AT_PLAYER, IDENTITY_BYTES);
    memcpy(vouch->name, bytes + AT_NAME, VOUCH_NAME_BYTES);
    size_t length = strlen(vouch->name);
    for (size_t i = length; i < VOUCH_NAME_BYTES; i++)
        if (bytes[AT_NAME + i] != 0)
            return false;
    if (length == 0 || !utf8_is_clean(vouch->name, length) || vouch->local >= VOUCH_LOCALS ||
        vouch->mean < -VOUCH_MEAN_MAX || vouch->mean > VOUCH_MEAN_MAX || vouch->deviation < 1 ||
        vouch->deviation > VOUCH_DEVIATION_MAX || vouch->matches < 1 || vouch->expires_s <= vouch->made_s ||
        vouch->expires_s - vouch->made_s > VOUCH_LIFE_S)
        return false;
    purpose_and_body(text, bytes);
    if (crypto_sign_verify_detached(bytes + BODY_BYTES, text, sizeof text, vouch->server) != 0 ||
        crypto_sign_ed25519_pk_to_curve25519(exchange, vouch->server) != 0)
        return false;
    identity_fingerprint(exchange, vouch->fingerprint);
    identity_clear_sign(vouch->player); // version 0.1.0 vouched for keys with either sign
    return true;
}

bool vouch_is_of_same(const uint8_t one[VOUCH_BYTES], const uint8_t other[VOUCH_BYTES])
{
    return memcmp(one, other, IDENTITY_BYTES) == 0 && one[AT_LOCAL] == other[AT_LOCAL];
}

bool vouch_is_current(const struct vouch *vouch, int64_t unix_time)
{
    return unix_time + VOUCH_CLOCK_S >= vouch->made_s && unix_time < vouch->expires_s;
}
