// SPDX-License-Identifier: MIT
//
// The vector Noise_KXpsk2_25519_ChaChaPoly_BLAKE2b of cacophony (https://github.com/haskell-cryptography/cacophony):
// its messages are the tokens of the pattern, written here with the functions of noise.h.
#include <sodium.h>
#include <string.h>

#include "net/crypto/noise.h"
#include "test.h"

#define MESSAGE_BYTES_MAX 128

static const char NAME[] = "Noise_KXpsk2_25519_ChaChaPoly_BLAKE2b", PROLOGUE[] = "John Galt",
                  PSK[] = "This is my Austrian perspective!";
static const char INITIATOR_STATIC[] = "e61ef9919cde45dd5f82166404bd08e38bceb5dfdfded0a34c8df7ed542214d1",
                  INITIATOR_EPHEMERAL[] = "893e28b9dc6ca8d611ab664754b8ceb7bac5117349a4439a6b0569da977c464a",
                  RESPONDER_STATIC[] = "4a3acbfdb163dec651dfa3194dece676d437029c62a408b4c5ea9114246e4893",
                  RESPONDER_EPHEMERAL[] = "bbdb4cdbd309f1a1f2e1456967fe288cadd6f712d65dc7b7793d5e63da6b375b";
static const struct {
    const char *payload, *bytes;
} messages[] = {
    {"Ludwig von Mises", "ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c7944"
                         "ab34572fb66cffafde9fa7665eebb76db06528033215a67d3ab212cf6420c731"},
    {"Murray Rothbard", "95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f144808843"
                        "cb09dbc601592a4d9232ee3c92785388e39c0494227ebc2c8db485feeb2b8226"
                        "995672539ef6944505b65602733788ba5c2bfb1b425424650a120a44fab8f7f3"
                        "7c2fd30aff9f735a9343aa87ab93fb"},
    {"F. A. Hayek", "d03e06e648aa57198fa2be3379997c5a2144339e9dfdfe7b7db2d3"},
    {"Carl Menger", "7ebbb45896a71d6cbc13d8ce3323c6d085df7614c50a899f2a8fbc"},
};

struct keys {
    uint8_t secret[32], public[32];
};

static struct keys keys_of(const char *hex)
{
    struct keys keys;
    assert_int_equal(sodium_hex2bin(keys.secret, 32, hex, 64, NULL, NULL, NULL), 0);
    assert_int_equal(crypto_scalarmult_base(keys.public, keys.secret), 0);
    return keys;
}

static size_t message_of(size_t number, uint8_t bytes[MESSAGE_BYTES_MAX])
{
    size_t count;
    const char *hex = messages[number].bytes;
    assert_int_equal(sodium_hex2bin(bytes, MESSAGE_BYTES_MAX, hex, strlen(hex), NULL, &count, NULL), 0);
    return count;
}

static void write_payload(struct noise *noise, size_t number, uint8_t *at)
{
    noise_encrypt(noise, at, (const uint8_t *)messages[number].payload, strlen(messages[number].payload));
}

static void read_payload(struct noise *noise, size_t number, const uint8_t *at)
{
    uint8_t plain[MESSAGE_BYTES_MAX];
    size_t count = strlen(messages[number].payload);
    assert_true(noise_decrypt(noise, plain, at, count));
    assert_memory_equal(plain, messages[number].payload, count);
}

struct pair {
    struct keys s, e;         // the initiator's
    struct keys rs, re;       // the responder's
    struct noise left, right; // initiator and responder
};

static void begin(struct pair *pair)
{
    *pair = (struct pair){.s = keys_of(INITIATOR_STATIC),
                          .e = keys_of(INITIATOR_EPHEMERAL),
                          .rs = keys_of(RESPONDER_STATIC),
                          .re = keys_of(RESPONDER_EPHEMERAL)};
    noise_begin(&pair->left, NAME);
    noise_mix_hash(&pair->left, (const uint8_t *)PROLOGUE, strlen(PROLOGUE));
    noise_mix_hash(&pair->left, pair->s.public, 32);
    pair->right = pair->left;
}

static void first_message(struct pair *pair, uint8_t made[MESSAGE_BYTES_MAX])
{
    memcpy(made, pair->e.public, 32);
    noise_mix_ephemeral(&pair->left, made);
    write_payload(&pair->left, 0, made + 32);
    noise_mix_ephemeral(&pair->right, made);
    read_payload(&pair->right, 0, made + 32);
}

static void second_message(struct pair *pair, uint8_t made[MESSAGE_BYTES_MAX])
{
    uint8_t psk[32], static_key[32];
    memcpy(psk, PSK, sizeof psk);
    memcpy(made, pair->re.public, 32);
    noise_mix_ephemeral(&pair->right, made);
    assert_true(noise_mix_exchange(&pair->right, pair->re.secret, pair->e.public));
    assert_true(noise_mix_exchange(&pair->right, pair->re.secret, pair->s.public));
    noise_encrypt(&pair->right, made + 32, pair->rs.public, 32);
    assert_true(noise_mix_exchange(&pair->right, pair->rs.secret, pair->e.public));
    noise_mix_psk(&pair->right, psk);
    write_payload(&pair->right, 1, made + 80);
    noise_mix_ephemeral(&pair->left, made);
    assert_true(noise_mix_exchange(&pair->left, pair->e.secret, made));
    assert_true(noise_mix_exchange(&pair->left, pair->s.secret, made));
    assert_true(noise_decrypt(&pair->left, static_key, made + 32, 32));
    assert_true(noise_mix_exchange(&pair->left, pair->e.secret, static_key));
    noise_mix_psk(&pair->left, psk);
    read_payload(&pair->left, 1, made + 80);
}

static void begin_all(void)
{
    assert_true(sodium_init() >= 0);
}

ALL_TESTS(begin_all, NULL);

TEST(the_pattern_gives_the_bytes_of_the_vector)
{
    struct pair pair;
    uint8_t made[MESSAGE_BYTES_MAX], expected[MESSAGE_BYTES_MAX], keys[2][32];
    begin(&pair);
    first_message(&pair, made);
    assert_memory_equal(made, expected, message_of(0, expected));
    second_message(&pair, made);
    assert_memory_equal(made, expected, message_of(1, expected));
    assert_memory_equal(&pair.left, &pair.right, sizeof pair.left);
    noise_split(&pair.left, keys[0], keys[1]);
    for (size_t i = 0; i < 2; i++) {
        static const uint8_t nonce[12];
        size_t count = strlen(messages[2 + i].payload);
        crypto_aead_chacha20poly1305_ietf_encrypt(made, NULL, (const uint8_t *)messages[2 + i].payload, count, NULL, 0,
                                                  NULL, nonce, keys[i]);
        assert_int_equal(message_of(2 + i, expected), count + NOISE_TAG_BYTES);
        assert_memory_equal(made, expected, count + NOISE_TAG_BYTES);
    }
}

TEST(a_forged_part_changes_nothing)
{
    struct pair pair;
    uint8_t made[MESSAGE_BYTES_MAX], plain[32];
    begin(&pair);
    memcpy(made, pair.e.public, 32);
    noise_mix_ephemeral(&pair.left, made);
    write_payload(&pair.left, 0, made + 32);
    noise_mix_ephemeral(&pair.right, made);
    struct noise before = pair.right;
    for (size_t i = 0; i < 32; i++) {
        made[32 + i] ^= 1;
        assert_false(noise_decrypt(&pair.right, plain, made + 32, 16));
        assert_memory_equal(&pair.right, &before, sizeof before);
        made[32 + i] ^= 1;
    }
    read_payload(&pair.right, 0, made + 32);
}

TEST(an_exchange_with_a_key_of_small_order_is_refused)
{
    struct pair pair;
    begin(&pair);
    static const uint8_t small[][32] = {{0}, {1}};
    struct noise before = pair.left;
    for (size_t i = 0; i < 2; i++)
        assert_false(noise_mix_exchange(&pair.left, pair.e.secret, small[i]));
    assert_memory_equal(&pair.left, &before, sizeof before);
}
