// SPDX-License-Identifier: MIT
#include "dice.h"

#include <sodium.h>

#include "base/little_endian.h"

#define MATCH_CONTEXT "df_match"
#define ROLL_CONTEXT  "df_rolls"

_Static_assert(DICE_BYTES == crypto_kdf_KEYBYTES, "key");

void dice_make_key(uint8_t key[DICE_BYTES])
{
    randombytes_buf(key, DICE_BYTES);
}

void dice_begin(struct dice *dice, const uint8_t key[DICE_BYTES], uint32_t number)
{
    crypto_kdf_derive_from_key(dice->secret, DICE_BYTES, number, MATCH_CONTEXT, key);
    dice_commit(dice->commitment, dice->secret);
}

bool dice_commit(uint8_t commitment[DICE_BYTES], const uint8_t secret[DICE_BYTES])
{
    static const uint8_t TEXT[] = "deadfall dice";
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, DICE_BYTES);
    crypto_generichash_update(&state, TEXT, sizeof TEXT);
    crypto_generichash_update(&state, secret, DICE_BYTES);
    crypto_generichash_final(&state, commitment, DICE_BYTES);
    sodium_memzero(&state, sizeof state);
    return true;
}

uint32_t dice_roll(const uint8_t secret[DICE_BYTES], uint32_t number)
{
    uint8_t bytes[crypto_kdf_BYTES_MIN];
    crypto_kdf_derive_from_key(bytes, sizeof bytes, number, ROLL_CONTEXT, secret);
    return (uint32_t)little_endian_read(bytes, 4);
}

void dice_wipe(uint8_t key[DICE_BYTES])
{
    sodium_memzero(key, DICE_BYTES);
}
