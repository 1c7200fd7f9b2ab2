// SPDX-License-Identifier: MIT
//
// Whole numbers as bytes, the least significant first, on every machine.
#ifndef BASE_LITTLE_ENDIAN_H
#define BASE_LITTLE_ENDIAN_H

#include <stddef.h>
#include <stdint.h>

/// Writes the low `byte_count` bytes of a number, 1 to 8.
static inline void little_endian_write(uint8_t *bytes, uint64_t value, size_t byte_count)
{
    for (size_t i = 0; i < byte_count; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

/// Reads a number of 1 to 8 bytes.
static inline uint64_t little_endian_read(const uint8_t *bytes, size_t byte_count)
{
    uint64_t value = 0;
    for (size_t i = byte_count; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

#endif
