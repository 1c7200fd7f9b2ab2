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

static void walk_number(struct walk *game, uint32_t *value, uint32_t bits)
{
    bits_walk((struct bit_walk *)game, value, bits);
}

static void walk_words(struct walk *game, uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bits_walk((struct bit_walk *)game, &words[i], 32);
}

struct bit_walk bits_walk_into(struct bit_writer *writer)
{
    return (struct bit_walk){.game = {walk_number, walk_words, false}, .writer = writer};
}

struct bit_walk bits_walk_from(struct bit_reader *reader)
{
    return (struct bit_walk){.game = {walk_number, walk_words, false}, .reader = reader};
}

void bits_walk_number(struct bit_walk *walk, uint32_t *value)
{
    if (walk->reader)
        *value = bits_read_number(walk->reader);
    else
        bits_write_number(walk->writer, *value);
}

void bits_walk_64(struct bit_walk *walk, uint64_t *value)
{
    uint32_t low = (uint32_t)*value, high = (uint32_t)(*value >> 32);
    bits_walk(walk, &low, 32);
    bits_walk(walk, &high, 32);
    *value = low | (uint64_t)high << 32;
}

void bits_walk_bool(struct bit_walk *walk, bool *value, uint32_t count)
{
    uint32_t number = *value;
    bits_walk(walk, &number, count);
    if (number > 1)
        bits_fail(walk->reader);
    *value = number == 1;
}

void bits_walk_bytes(struct bit_walk *walk, uint8_t *bytes, size_t byte_count)
{
    for (size_t i = 0; i < byte_count; i++) {
        uint32_t byte = bytes[i];
        bits_walk(walk, &byte, 8);
        bytes[i] = (uint8_t)byte;
    }
}

void bits_walk_rest(struct bit_walk *walk, const uint8_t **bytes, size_t *byte_count)
{
    if (walk->reader) {
        *byte_count = bits_read_rest(walk->reader, bytes);
    } else {
        bits_flush(walk->writer);
        bits_write_bytes(walk->writer, *bytes, *byte_count);
    }
}
