// SPDX-License-Identifier: MIT
#include "net/crypto/vouch.h"
#include "test.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define NOON 1700000000u

static uint8_t key[IDENTITY_BYTES], secret[VOUCH_SECRET_BYTES];

static void begin(void)
{
    uint8_t seed[IDENTITY_SEED_BYTES] = {7};
    vouch_keys(seed, key, secret);
}

ALL_TESTS(begin, NULL);

static struct vouch sound(void)
{
    struct vouch vouch = {.local = 3,
                          .name = "Zo\xc3\xab",
                          .mean = -152175,
                          .deviation = 6025,
                          .matches = 12,
                          .made_s = NOON,
                          .expires_s = NOON + VOUCH_LIFE_S};
    memcpy(vouch.server, key, sizeof vouch.server);
    memset(vouch.player, 'p', sizeof vouch.player);
    return vouch;
}

TEST(what_is_written_is_read)
{
    uint8_t bytes[VOUCH_BYTES], exchange[IDENTITY_BYTES];
    struct vouch vouch = sound(), read;
    vouch_write(&vouch, secret, bytes);
    assert_true(vouch_read(&read, bytes, sizeof bytes));
    assert_int_equal(crypto_sign_ed25519_pk_to_curve25519(exchange, key), 0);
    identity_fingerprint(exchange, vouch.fingerprint); // as in the handshake
    assert_memory_equal(&read, &vouch, sizeof vouch);
    vouch.player[IDENTITY_BYTES - 1] |= 0x80; // an older server has made it
    vouch_write(&vouch, secret, bytes);
    assert_true(vouch_read(&read, bytes, sizeof bytes));
    vouch.player[IDENTITY_BYTES - 1] ^= 0x80;
    assert_memory_equal(&read, &vouch, sizeof vouch);
}

// Each byte counts, and no byte may be missing or follow.
TEST(a_changed_vouch_is_refused)
{
    uint8_t bytes[VOUCH_BYTES + 1] = {0};
    struct vouch vouch = sound(), read;
    vouch_write(&vouch, secret, bytes);
    for (size_t i = 0; i < VOUCH_BYTES; i++)
        for (uint8_t bit = 1; bit; bit = (uint8_t)(bit << 1)) {
            bytes[i] ^= bit;
            if (vouch_read(&read, bytes, VOUCH_BYTES))
                fail_msg("byte %zu, bit %u", i, bit);
            bytes[i] ^= bit;
        }
    for (size_t count = 0; count < VOUCH_BYTES; count++)
        assert_false(vouch_read(&read, bytes, count));
    assert_false(vouch_read(&read, bytes, VOUCH_BYTES + 1));
    assert_true(vouch_read(&read, bytes, VOUCH_BYTES));
}

// Even if the server itself has signed it.
TEST(what_no_server_may_say_is_refused)
{
#define BAD(change)                                                                                                    \
    do {                                                                                                               \
        struct vouch v = sound(), read;                                                                                \
        uint8_t bytes[VOUCH_BYTES];                                                                                    \
        change;                                                                                                        \
        vouch_write(&v, secret, bytes);                                                                                \
        if (vouch_read(&read, bytes, sizeof bytes))                                                                    \
            fail_msg("%s", #change);                                                                                   \
    } while (0)
    BAD(v.local = VOUCH_LOCALS);
    BAD(v.name[0] = 0);
    BAD(strcpy(v.name, "a\nb"));
    BAD(strcpy(v.name, "a\xff"));
    BAD(strcpy(v.name, "\xe2\x80\xae"
                       "evil"));
    BAD(v.mean = VOUCH_MEAN_MAX + 1);
    BAD(v.mean = -VOUCH_MEAN_MAX - 1);
    BAD(v.deviation = 0);
    BAD(v.deviation = VOUCH_DEVIATION_MAX + 1);
    BAD(v.matches = 0);
    BAD(v.expires_s = v.made_s);
    BAD(v.expires_s = v.made_s + VOUCH_LIFE_S + 1);
    BAD(v.server[0] ^= 1); // of another server
#undef BAD
}

TEST(signatures_for_other_purposes_are_no_vouches)
{
    uint8_t bytes[VOUCH_BYTES];
    struct vouch vouch = sound(), read;
    vouch_write(&vouch, secret, bytes);
    crypto_sign_detached(bytes + VOUCH_BYTES - crypto_sign_BYTES, NULL, bytes, VOUCH_BYTES - crypto_sign_BYTES, secret);
    assert_false(vouch_read(&read, bytes, sizeof bytes));
}

TEST(a_vouch_counts_from_its_making_to_its_end)
{
    struct vouch vouch = sound();
    assert_true(vouch_is_current(&vouch, NOON));
    assert_true(vouch_is_current(&vouch, NOON - VOUCH_CLOCK_S)); // the other clock is ahead
    assert_false(vouch_is_current(&vouch, NOON - VOUCH_CLOCK_S - 1));
    assert_true(vouch_is_current(&vouch, (int64_t)NOON + VOUCH_LIFE_S - 1));
    assert_false(vouch_is_current(&vouch, (int64_t)NOON + VOUCH_LIFE_S));
    assert_false(vouch_is_current(&vouch, 0));
}
