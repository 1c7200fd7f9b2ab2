// SPDX-License-Identifier: MIT
//
// The hats that players wear; the game says which there are (enum hat, HAT_NONE and HATS). They are for show: no rule
// depends on them, so they are not part of the world and travel beside it, in their own messages and records.
#ifndef WIRE_HAT_H
#define WIRE_HAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sync/world.h"

/// Returns true if every byte is an enum hat.
static inline bool hats_are_valid(const uint8_t *hats, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (hats[i] >= HATS)
            return false;
    return true;
}

#endif
