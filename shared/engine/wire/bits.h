// SPDX-License-Identifier: MIT
//
// Numbers as bits in a row of bytes, the same on every machine. The first bit is the lowest of the first byte, and a
// number's lowest bit comes first. Zero bits fill up the last byte. A writer asserts that a value fits its bits, and
// remembers when it runs out of room. A reader trusts nothing: past the end it returns zero and stays failed. A walk is
// either of them, so that one function writes and reads the fields of a struct.
#ifndef WIRE_BITS_H
#define WIRE_BITS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sync/game.h"

/// Writes into the caller's bytes. Begin with bits_writer().
struct bit_writer {
    uint8_t *bytes;
    size_t capacity;    ///< of `bytes`
    size_t used;        ///< bytes written
    uint64_t held;      ///< bits not yet written, lowest first
    uint32_t held_bits; ///< how many, less than 32 between calls
    bool full;          ///< something did not fit; nothing more is written
};

/// Reads the caller's bytes. Begin with bits_reader().
struct bit_reader {
    const uint8_t *bytes;
    size_t byte_count;  ///< of `bytes`
    size_t next;        ///< first byte not yet held
    uint64_t held;      ///< bits fetched and not yet read, lowest first
    uint32_t held_bits; ///< how many
    bool failed;        ///< read past the end, or bits that no writer writes
};

/// Returns a writer of `capacity` bytes.
struct bit_writer bits_writer(uint8_t *bytes, size_t capacity);

/// Writes the held bits and fills up the last byte. Returns the bytes used so far, 0 if the room ran out. More may
/// follow.
size_t bits_flush(struct bit_writer *writer);

/// Stores the lowest 32 held bits. Only for bits_write().
void bits_store(struct bit_writer *writer);

/// Writes the lowest `count` bits (0 to 32) of a value that has no others.
static inline void bits_write(struct bit_writer *writer, uint32_t value, uint32_t count)
{
    assert(count == 32 || value >> count == 0);
    writer->held |= (uint64_t)value << writer->held_bits;
    writer->held_bits += count;
    if (writer->held_bits >= 32)
        bits_store(writer);
}

/// Writes any number, a small one in few bits: with n = value + 1 of k + 1 binary digits, k zero bits, a one bit, and
/// the lower k digits of n. 0 takes 1 bit, 1 and 2 take 3, 3 to 6 take 5.
void bits_write_number(struct bit_writer *writer, uint32_t value);

/// Writes whole bytes at a byte boundary (call bits_flush() before).
void bits_write_bytes(struct bit_writer *writer, const uint8_t *bytes, size_t byte_count);

/// Returns a reader of `byte_count` bytes.
struct bit_reader bits_reader(const uint8_t *bytes, size_t byte_count);

/// Fetches bits until 57 or more are held, or all are. Only for bits_read().
void bits_fetch(struct bit_reader *reader);

/// Marks a reader failed; it gives zero from then on. Returns 0.
uint32_t bits_fail(struct bit_reader *reader);

/// Reads `count` bits (0 to 32).
static inline uint32_t bits_read(struct bit_reader *reader, uint32_t count)
{
    if (reader->held_bits < count)
        bits_fetch(reader);
    if (reader->held_bits < count)
        return bits_fail(reader);
    uint32_t value = (uint32_t)(reader->held & ((1ull << count) - 1));
    reader->held >>= count;
    reader->held_bits -= count;
    return value;
}

/// Reads what bits_write_number() wrote. Fails on more than 32 bits.
uint32_t bits_read_number(struct bit_reader *reader);

/// Goes to the next byte boundary (fails if a skipped bit is not zero) and takes all bytes from there to the end.
/// Returns how many.
size_t bits_read_rest(struct bit_reader *reader, const uint8_t **bytes);

/// Returns true if nothing failed and only the zero bits that fill up the last byte are left.
bool bits_read_all(const struct bit_reader *reader);

/// Writes fields, or reads them: one of the two is null. What is walked takes its own value when writing.
struct bit_walk {
    struct walk game; ///< for the game's own structs: numbers have their bits, and words have 32
    struct bit_writer *writer;
    struct bit_reader *reader;
};

/// Returns a walk that writes.
struct bit_walk bits_walk_into(struct bit_writer *writer);

/// Returns a walk that reads.
struct bit_walk bits_walk_from(struct bit_reader *reader);

/// Walks a number of `count` bits (0 to 32).
static inline void bits_walk(struct bit_walk *walk, uint32_t *value, uint32_t count)
{
    if (walk->reader)
        *value = bits_read(walk->reader, count);
    else
        bits_write(walk->writer, *value, count);
}

/// Walks any number, a small one in few bits, as bits_write_number().
void bits_walk_number(struct bit_walk *walk, uint32_t *value);

/// Walks a number of 64 bits, the lower half first.
void bits_walk_64(struct bit_walk *walk, uint64_t *value);

/// Walks a truth as a number of `count` bits, which must be 0 or 1.
void bits_walk_bool(struct bit_walk *walk, bool *value, uint32_t count);

/// Walks bytes, at any bit.
void bits_walk_bytes(struct bit_walk *walk, uint8_t *bytes, size_t byte_count);

/// Walks all that follows, from a byte boundary on. When reading, `bytes` points into what is read.
void bits_walk_rest(struct bit_walk *walk, const uint8_t **bytes, size_t *byte_count);

/// Returns whether a value is valid. A writer has checked it before, so there it is an assertion.
static inline bool bits_check(const struct bit_walk *walk, bool holds)
{
    if (!walk->reader)
        assert(holds);
    return holds;
}

/// Returns the signed number with these `count` bits (1 to 32) in two's complement.
static inline uint32_t bits_extend(uint32_t value, uint32_t count)
{
    uint32_t half = 1u << (count - 1);
    return (value ^ half) - half;
}

/// Returns the lowest `count` bits (1 to 32) of a number.
static inline uint32_t bits_lowest(uint32_t value, uint32_t count)
{
    return value & (UINT32_MAX >> (32 - count));
}

/// Maps a signed difference (two's complement) to a number that is small when the difference is: 0, -1, 1, -2, 2 ...
static inline uint32_t bits_zigzag(uint32_t difference)
{
    return difference << 1 ^ (0u - (difference >> 31));
}

/// Inverts bits_zigzag().
static inline uint32_t bits_unzigzag(uint32_t number)
{
    return number >> 1 ^ (0u - (number & 1));
}

#endif
