// SPDX-License-Identifier: MIT
//
// For comparison only: the differences of all fields of two worlds through the range coder. Its contexts learn over a
// whole match and are never begun anew, so it is smaller than anything that could be sent.
#ifndef BENCH_FIELDS_H
#define BENCH_FIELDS_H

#include "game/world.h"

/// Forgets all.
void fields_begin(void);

/// Bytes that the world takes as a difference from the baseline.
size_t fields_encode(const struct world *baseline, const struct world *world, uint8_t *bytes, size_t capacity);

#endif
