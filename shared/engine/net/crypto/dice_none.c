// SPDX-License-Identifier: MIT
//
// Stands in for dice.c where there is no libsodium: the replay tool on foreign machines, which then proves no rolls.
#include "dice.h"

bool dice_commit(uint8_t commitment[DICE_BYTES], const uint8_t secret[DICE_BYTES])
{
    (void)commitment, (void)secret;
    return false;
}

uint32_t dice_roll(const uint8_t secret[DICE_BYTES], uint32_t number)
{
    (void)secret, (void)number;
    return 0;
}
