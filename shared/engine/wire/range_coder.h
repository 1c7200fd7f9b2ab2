// SPDX-License-Identifier: MIT
//
// A binary range coder without carries: a likely bit takes less than a bit. Each bit has a context, which estimates how
// likely a one is and learns from every bit. It uses integers only and gives the same bytes on every machine. Writer
// and reader share one struct, so that one walk serves both directions. A reader never reads beyond its bytes and
// accepts only what the writer of the same bits would have written.
#ifndef WIRE_RANGE_CODER_H
#define WIRE_RANGE_CODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Values of a probability: from 1 to RANGE_CODER_ONE - 1.
#define RANGE_CODER_ONE 65536u
/// The probability of a context before it has learned.
#define RANGE_CODER_EVEN 32768u

/// Begin with range_coder_writer() or range_coder_reader().
struct range_coder {
    const uint8_t *from; ///< what is read
    uint8_t *to;         ///< what is written; null when reading
    size_t capacity;     ///< of either, bytes
    size_t used;         ///< bytes written, or behind those in `code`
    uint32_t low, high;  ///< the range, both ends in it
    uint32_t code;       ///< reading: the bytes that are compared with the range
    bool failed;         ///< ran out of room, or of bytes; what is read from then on is zero
};

/// Returns a writer of `capacity` bytes.
struct range_coder range_coder_writer(uint8_t *bytes, size_t capacity);

/// Returns a reader of `byte_count` bytes.
struct range_coder range_coder_reader(const uint8_t *bytes, size_t byte_count);

/// Writes or reads one bit and returns it; `bit` counts only when writing. `one` is the probability of a one, in
/// 1 / RANGE_CODER_ONE; it moves by a 32nd of the way toward the bit.
bool range_coder_bit(struct range_coder *range, uint16_t *one, bool bit);

/// Writes or reads `count` bits (0 to 32) without a context, lowest first.
uint32_t range_coder_bits(struct range_coder *range, uint32_t value, uint32_t count);

/// Ends the writing. Returns the size in bytes, 1 or more; 0 if the room ran out.
size_t range_coder_finish(struct range_coder *range);

/// Returns true if all bytes were read and they end as the writer of the same bits would have ended them.
bool range_coder_read_all(const struct range_coder *range);

#endif
