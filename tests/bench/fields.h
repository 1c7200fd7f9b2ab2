// SPDX-License-Identifier: MIT
//
// For comparison only: encodes the differences of all fields of two worlds with the range coder. Its contexts learn
// over a whole match and are never reset, so the result is smaller than any encoding that could really be sent.
#ifndef BENCH_FIELDS_H
#define BENCH_FIELDS_H

#include "sync/world.h"

/// Resets all contexts.
void fields_begin(void);

/// Returns the bytes of the world as a difference from the baseline.
size_t fields_encode(const struct world *baseline, const struct world *world, uint8_t *bytes, size_t capacity);

#endif
