// SPDX-License-Identifier: MIT
//
// One walk over the fields of a struct writes and reads it: the walker says what is done with a field, the game says
// which fields there are, in an order that never changes.
#ifndef SYNC_WALK_H
#define SYNC_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A walk. The first member of a struct that holds what it writes to or reads from.
struct walk {
    /// Writes or reads a number of at most `bits` bits.
    void (*number)(struct walk *walk, uint32_t *value, uint32_t bits);
    /// Writes or reads words of which most are zero.
    void (*words)(struct walk *walk, uint32_t *words, size_t count);
    bool whole; ///< every field, also those that mean nothing in a command of this kind
};

/// Walks a number that the struct has as a signed one.
static inline void walk_signed(struct walk *walk, int32_t *value)
{
    uint32_t word = (uint32_t)*value;
    walk->number(walk, &word, 32);
    *value = (int32_t)word;
}

#endif
