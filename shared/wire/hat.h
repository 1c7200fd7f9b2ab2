// SPDX-License-Identifier: MIT
//
// What players wear on their heads. For the eye alone: no world has it and no rule asks for it, so it travels beside
// the world, in messages and records of its own.
#ifndef WIRE_HAT_H
#define WIRE_HAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Numbers as on the wire.
enum hat { HAT_NONE, HAT_MINER, HAT_TOP, HAT_BOWLER, HAT_CROWN, HAT_CAP, HAT_CONE, HAT_GOGGLES, HATS };
/// Their names for people and files, in that order.
#define HAT_WORDS "none", "miner", "top-hat", "bowler", "crown", "flat-cap", "cone", "goggles"

/// Whether all of these are hats or none.
static inline bool hats_are_valid(const uint8_t *hats, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (hats[i] >= HATS)
            return false;
    return true;
}

#endif
