// SPDX-License-Identifier: MIT
#include "bits.h"

#include <string.h>

struct bit_writer bits_writer(uint8_t *bytes, size_t capacity)
{
    return (struct bit_writer){.bytes = bytes, .capacity = capacity};
}

static void store_bytes(struct bit_writer *writer, uint32_t count)
{
    if (writer->capacity - writer->used < count)
        writer->full = true;
    for (uint32_t i = 0; i < count && !writer->full; i++)
        writer->bytes[writer->used++] = (uint8_t)(writer->held >> 8 * i);
}

void bits_store(struct bit_writer *writer)
{
    store_bytes(writer, 4);
    writer->held >>= 32;
    writer->held_bits -= 32;
}

size_t bits_flush(struct bit_writer *writer)
{
    store_bytes(writer, (writer->held_bits + 7) / 8);
    writer->held = 0;
    writer->held_bits = 0;
    return writer->full ? 0 : writer->used;
}

void bits_write_number(struct bit_writer *writer, uint32_t value)
{
    uint64_t n = (uint64_t)value + 1;
    uint32_t k = 63u - (uint32_t)__builtin_clzll(n);
    bits_write(writer, 0, k);
    bits_write(writer, 1, 1);
    bits_write(writer, (uint32_t)(n - (1ull << k)), k);
}

void bits_write_bytes(struct bit_writer *writer, const uint8_t *bytes, size_t byte_count)
{
    assert(writer->held_bits == 0);
    if (writer->capacity - writer->used < byte_count)
        writer->full = true;
    if (writer->full)
        return;
    memcpy(writer->bytes + writer->used, bytes, byte_count);
    writer->used += byte_count;
}

struct bit_reader bits_reader(const uint8_t *bytes, size_t byte_count)
{
    return (struct bit_reader){.bytes = bytes, .byte_count = byte_count};
}

void bits_fetch(struct bit_reader *reader)
{
    for (; reader->held_bits <= 56 && reader->next < reader->byte_count; reader->held_bits += 8)
        reader->held |= (uint64_t)reader->bytes[reader->next++] << reader->held_bits;
}

uint32_t bits_fail(struct bit_reader *reader)
{
    reader->next = reader->byte_count;
    reader->held = 0;
    reader->held_bits = 0;
    reader->failed = true;
    return 0;
}

uint32_t bits_read_number(struct bit_reader *reader)
{
    if (reader->held_bits < 33)
        bits_fetch(reader);
    uint32_t k = reader->held == 0 ? 33 : (uint32_t)__builtin_ctzll(reader->held);
    if (k > 32)
        return bits_fail(reader);
    bits_read(reader, k);
    bits_read(reader, 1);
    uint64_t n = (1ull << k) + bits_read(reader, k);
    return n - 1 > UINT32_MAX || reader->failed ? bits_fail(reader) : (uint32_t)(n - 1);
}

size_t bits_read_rest(struct bit_reader *reader, const uint8_t **bytes)
{
    uint32_t fill = reader->held_bits % 8;
    if (bits_read(reader, fill) != 0)
        bits_fail(reader);
    *bytes = reader->bytes + reader->next - reader->held_bits / 8;
    size_t count = reader->byte_count - reader->next + reader->held_bits / 8;
    reader->next = reader->byte_count;
    reader->held = 0;
    reader->held_bits = 0;
    return count;
}

bool bits_read_all(const struct bit_reader *reader)
{
    return !reader->failed && reader->next == reader->byte_count && reader->held_bits < 8 && reader->held == 0;
}
