// SPDX-License-Identifier: MIT
//
// Bits in less than a bit each: a binary range coder without carries. Each bit goes through a context that knows how
// likely it is a one and learns from every bit; what is likely costs little. Integers only, the same bytes on every
// machine. Writer and reader share one struct, so that one walk serves both directions; a reader never reads beyond its
// bytes and takes only what the writer of the same bits would have written.
#ifndef WIRE_RANGE_CODER_H
#define WIRE_RANGE_CODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Values of a probability: from 1 to RANGE_CODER_ONE - 1.
#define RANGE_CODER_ONE 65536u
/// A context that knows nothing.
#define RANGE_CODER_EVEN 32768u

/// Begin with range_coder_writer() or range_coder_reader().
struct range_coder {
    const uint8_t *from; ///< what is read
    uint8_t *to;         ///< what is written; null when reading
    size_t capacity;     ///< of either, bytes
    size_t used;         ///< bytes written, or behind those in `code`
    uint32_t low, high;  ///< the range, both ends in it
    uint32_t code;       ///< reading: the bytes that stand against the range
    bool failed;         ///< the room ran out, or the bytes did; what is read from then on is zero
};

/// A writer into `capacity` bytes.
struct range_coder range_coder_writer(uint8_t *bytes, size_t capacity);

/// A reader of `byte_count` bytes.
struct range_coder range_coder_reader(const uint8_t *bytes, size_t byte_count);

/// Codes one bit, which counts only when writing, and returns it. `one`: how likely it is a one, in 1 /
/// RANGE_CODER_ONE; it moves a 32nd of the way to what the bit was.
bool range_coder_bit(struct range_coder *range, uint16_t *one, bool bit);

/// Codes `count` bits (0 to 32), lowest first, that nothing is known about.
uint32_t range_coder_bits(struct range_coder *range, uint32_t value, uint32_t count);

/// Ends what was written. Returns its size in bytes, 1 or more; 0 if the room ran out.
size_t range_coder_finish(struct range_coder *range);

/// True if all has been read and the bytes end as the writer of the same bits would have ended them.
bool range_coder_read_all(const struct range_coder *range);

#endif
