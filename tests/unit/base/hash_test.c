// SPDX-License-Identifier: MIT
// Compares the hash with a second implementation, written from the description in hash.h.
#include <string.h>

#include "base/hash.h"
#include "base/random.h"
#include "test.h"

static uint64_t rotate_left_29(uint64_t value)
{
    return (value << 29) | (value >> 35);
}

static uint64_t by_the_header(const uint32_t *words, size_t count)
{
    uint64_t k = 0x9E3779B97F4A7C15u;
    uint64_t lane[4] = {k * 1, k * 2, k * 3, k * 4};
    for (size_t i = 0; i < count; i++)
        lane[i % 4] = rotate_left_29(lane[i % 4] ^ words[i]) * k;
    uint64_t h = count;
    for (int i = 0; i < 4; i++)
        h = rotate_left_29(h ^ lane[i]) * k;
    h ^= h >> 32;
    h *= k;
    h ^= h >> 29;
    return h;
}

TEST(the_hash_follows_its_description_for_any_split_of_the_words)
{
    uint32_t words[64], dice = 7;
    for (size_t i = 0; i < 64; i++)
        words[i] = random_next(&dice);
    for (size_t count = 0; count <= 64; count++)
        for (size_t first = 0; first <= count; first++) {
            struct hash hash = hash_begin();
            hash_words(&hash, words, first);
            hash_words(&hash, words + first, count - first);
            assert_true(hash_end(&hash) == by_the_header(words, count));
        }
}

TEST(the_hash_of_known_words_is_known)
{
    uint32_t words[] = {1, 2, 3, 4, 5};
    struct hash hash = hash_begin();
    hash_words(&hash, words, 5);
    assert_true(hash_end(&hash) == UINT64_C(0x1CB406EB1148EFDE));
}

TEST(every_bit_of_every_word_changes_the_hash)
{
    uint32_t words[9] = {0};
    uint64_t zero = by_the_header(words, 9);
    for (size_t i = 0; i < 9; i++)
        for (uint32_t bit = 0; bit < 32; bit++) {
            words[i] = 1u << bit;
            struct hash hash = hash_begin();
            hash_words(&hash, words, 9);
            assert_true(hash_end(&hash) != zero);
            words[i] = 0;
        }
}

TEST(dice_rolls_are_the_same_on_every_machine)
{
    uint32_t dice = 1;
    uint32_t first = random_next(&dice), second = random_next(&dice);
    assert_int_equal(first, 2831084092u);
    assert_int_equal(second, 645514520u);
    for (int i = 0; i < 1000; i++)
        assert_in_range(random_below(&dice, 6), 0, 5);
}

TEST(the_crc_equals_that_of_zlib)
{
    static const struct {
        const char *text;
        uint32_t checksum;
    } rows[] = {
        /* 0 */ {"", 0},
        /* 1 */ {"123456789", 0xCBF43926},
        /* 2 */ {"IEND", 0xAE426082},
        /* 3 */ {"a", 0xE8B7BE43},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (hash_crc32(rows[i].text, strlen(rows[i].text)) != rows[i].checksum)
            fail_msg("row %zu", i);
}
