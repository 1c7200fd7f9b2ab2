// SPDX-License-Identifier: MIT
// Tests the dice: their hashes, their secrets, and that rolls are even.
#include <stdlib.h>
#include <string.h>

#include "net/crypto/dice.h"
#include "protocol_page.h"
#include "test.h"

static void fill(uint8_t secret[DICE_BYTES])
{
    for (uint8_t i = 0; i < DICE_BYTES; i++)
        secret[i] = i;
}

// The page's, which Python's hashlib computed.
TEST(hashes_equal_those_of_protocol_md)
{
    uint8_t secret[DICE_BYTES], commitment[DICE_BYTES], expected[DICE_BYTES];
    const char *row =
        protocol_page_after(protocol_page_after(protocol_page(), "| secret | commitment |"), "... 31 | `");
    fill(secret);
    assert_int_equal(protocol_page_hex(row, expected, sizeof expected), DICE_BYTES);
    assert_true(dice_commit(commitment, secret));
    assert_memory_equal(commitment, expected, DICE_BYTES);
    char *rolls = strchr(row, '|');
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(dice_roll(secret, i), strtoul(rolls + 1, &rolls, 16));
    assert_memory_equal(rolls, " |", 2);
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
