// SPDX-License-Identifier: MIT
// Tests the dice: their hashes, their secrets, and that rolls are even.
#include <string.h>

#include "net/crypto/dice.h"
#include "test.h"

// From PROTOCOL.md, where Python's hashlib computed them.
static const uint8_t COMMITMENT[DICE_BYTES] = {0xE8, 0x0F, 0xAB, 0xA2, 0xD0, 0xEA, 0xC7, 0x65, 0x3D, 0x0B, 0x56,
                                               0xF3, 0xD8, 0x03, 0x33, 0x23, 0x85, 0xB3, 0x87, 0x5E, 0xFA, 0x03,
                                               0x97, 0xFE, 0x5A, 0xB8, 0x15, 0xF2, 0xD6, 0xDF, 0xDA, 0xFE};
static const uint32_t ROLLS[] = {0xE6D89687, 0x753B9272, 0x5DA2DBD9};

static void fill(uint8_t secret[DICE_BYTES])
{
    for (uint8_t i = 0; i < DICE_BYTES; i++)
        secret[i] = i;
}

TEST(hashes_equal_those_of_protocol_md)
{
    uint8_t secret[DICE_BYTES], commitment[DICE_BYTES];
    fill(secret);
    assert_true(dice_commit(commitment, secret));
    assert_memory_equal(commitment, COMMITMENT, DICE_BYTES);
    for (uint32_t i = 0; i < sizeof ROLLS / sizeof ROLLS[0]; i++)
        assert_int_equal(dice_roll(secret, i), ROLLS[i]);
}

TEST(every_match_has_other_dice)
{
    uint8_t key[DICE_BYTES], other_key[DICE_BYTES];
    struct dice dice[4];
    dice_make_key(key);
    dice_make_key(other_key);
    assert_memory_not_equal(key, other_key, DICE_BYTES);
    for (uint32_t i = 0; i < 4; i++)
        dice_begin(&dice[i], i < 3 ? key : other_key, i < 3 ? i : 0);
    for (uint32_t i = 0; i < 4; i++) {
        uint8_t commitment[DICE_BYTES];
        dice_commit(commitment, dice[i].secret);
        assert_memory_equal(commitment, dice[i].commitment, DICE_BYTES);
        for (uint32_t j = 0; j < i; j++) {
            assert_memory_not_equal(dice[i].secret, dice[j].secret, DICE_BYTES);
            assert_memory_not_equal(dice[i].commitment, dice[j].commitment, DICE_BYTES);
        }
    }
    struct dice again;
    dice_begin(&again, key, 2);
    assert_memory_equal(&again, &dice[2], sizeof again);
    dice_wipe(key);
    assert_memory_equal(key, (uint8_t[DICE_BYTES]){0}, DICE_BYTES);
}

// Chi-square with 15 degrees of freedom: more than 37.7 once in a thousand; the secret is fixed, so there is no chance.
TEST(rolls_are_evenly_distributed)
{
    enum { ROLL_COUNT = 16000 };
    uint8_t secret[DICE_BYTES];
    uint32_t counts[16] = {0}, chi_square = 0;
    fill(secret);
    for (uint32_t i = 0; i < ROLL_COUNT; i++)
        counts[dice_roll(secret, i) >> 28]++;
    for (uint32_t i = 0; i < 16; i++)
        chi_square += (counts[i] - 1000) * (counts[i] - 1000);
    assert_in_range(chi_square / 1000, 3, 37);
}
