// SPDX-License-Identifier: MIT
//
// Chance that is the same in each frame: which wall has a lamp, which tower a lit window.
#ifndef SCENE_FRAME_HASH_H
#define SCENE_FRAME_HASH_H

#include <stdint.h>

/// Hashes two numbers into evenly spread bits.
static inline uint32_t frame_hash(int32_t a, int32_t b)
{
    uint32_t bits = (uint32_t)a * 0x9E3779B1u ^ (uint32_t)b * 0x85EBCA77u;
    bits = (bits ^ bits >> 15) * 0x2C1B3C6Du;
    bits = (bits ^ bits >> 12) * 0x297A2D39u;
    return bits ^ bits >> 15;
}

#endif
