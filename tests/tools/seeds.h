// SPDX-License-Identifier: MIT
//
// How many seeds a test asks. A law of play is asked of many, by the one build of a push that asks everything
// (DEADFALL_ASK_ALL in tests/CMakeLists.txt). Builds with a sanitizer, or with another compiler, look for faults that
// any play shows, and ask one.
#ifndef TOOLS_SEEDS_H
#define TOOLS_SEEDS_H

#include <stdint.h>

/// Whether this build asks everything: all seeds, all languages, all rows.
#ifdef DEADFALL_ASK_ALL
#define SEEDS_ALL 1
#else
#define SEEDS_ALL 0
#endif

/// Returns how many of `count` seeds this build asks: all, or 1.
static inline uint32_t seeds_asked(uint32_t count)
{
    return SEEDS_ALL ? count : 1;
}

/// Returns how much of something long this build asks, such as seconds of play: all, or a quarter.
static inline uint32_t length_asked(uint32_t length)
{
    return SEEDS_ALL ? length : length / 4;
}

#endif
