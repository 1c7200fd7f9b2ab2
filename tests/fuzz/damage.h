// SPDX-License-Identifier: MIT
//
// True bytes with some of them changed as a fuzzer says: a body that the present code has written is never out of date,
// as one in a corpus would be, and leads a decoder far in.
#ifndef FUZZ_DAMAGE_H
#define FUZZ_DAMAGE_H

#include <stddef.h>
#include <stdint.h>

/// Changes `body` as the input says, three bytes a change: where, modulo its size, and which bits.
static inline void damage(uint8_t *body, size_t body_bytes, const uint8_t *bytes, size_t byte_count)
{
    for (size_t i = 0; body_bytes > 0 && i + 3 <= byte_count; i += 3)
        body[(size_t)(bytes[i] | bytes[i + 1] << 8) % body_bytes] ^= bytes[i + 2];
}

#endif
