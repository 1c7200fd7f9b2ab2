// SPDX-License-Identifier: MIT
//
// Changes some bytes of a real body as the fuzzer's input says. A body that the current code has just written is never
// outdated, as one in a corpus could be, and so the fuzzer reaches deep into a decoder.
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
