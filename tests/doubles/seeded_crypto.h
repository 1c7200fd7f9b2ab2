// SPDX-License-Identifier: MIT
//
// Makes libsodium's random bytes repeatable, and its key exchange cheap if a test asks for that: in place of the curve
// there is a product of small numbers, by which two sides agree on a secret all the same, and everybody else can
// compute it. Key sizes, messages and everything that follows from a secret stay as they are. A test that links this
// may open many thousands of sessions; what a curve protects is the matter of other tests.
#ifndef DOUBLES_SEEDED_CRYPTO_H
#define DOUBLES_SEEDED_CRYPTO_H

#include <stdbool.h>
#include <stdint.h>

/// From now on random bytes follow from a seed, and curves are real or cheap. Keys of before do not fit those of after.
void seeded_crypto_begin(uint64_t seed, bool has_cheap_curve);

#endif
