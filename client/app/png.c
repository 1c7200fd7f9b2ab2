// SPDX-License-Identifier: MIT
#include "png.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MATCH_BYTES_MIN    3
#define MATCH_BYTES_MAX    258
#define MATCH_DISTANCE_MAX 32768

// A growing array of bytes with a bit cursor, least significant bit first as deflate wants it.
struct packer {
    uint8_t *bytes;
    size_t count, capacity;
    uint32_t bits;
    int32_t bit_count;
    bool failed;
};

static void put_byte(struct packer *packer, uint32_t value)
{
    if (packer->count == packer->capacity) {
        size_t capacity = packer->capacity ? packer->capacity * 2 : 65536;
        uint8_t *bytes = realloc(packer->bytes, capacity);
        if (!bytes) {
            packer->failed = true;
            return;
        }
        packer->bytes = bytes;
        packer->capacity = capacity;
    }
    packer->bytes[packer->count++] = (uint8_t)value;
}

static void put_u32(struct packer *packer, uint32_t value)
{
    for (int32_t shift = 24; shift >= 0; shift -= 8)
        put_byte(packer, value >> shift & 0xFF);
}

static void put_bits(struct packer *packer, uint32_t value, int32_t count)
{
    packer->bits |= value << packer->bit_count;
    packer->bit_count += count;
    while (packer->bit_count >= 8) {
        put_byte(packer, packer->bits & 0xFF);
        packer->bits >>= 8;
        packer->bit_count -= 8;
    }
}

// Huffman codes go most significant bit first.
static void put_code(struct packer *packer, uint32_t code, int32_t count)
{
    for (int32_t i = count - 1; i >= 0; i--)
        put_bits(packer, code >> i & 1, 1);
}

// RFC 1951, 3.2.6: the fixed codes of literals and lengths.
static void put_symbol(struct packer *packer, uint32_t symbol)
{
    if (symbol < 144)
        put_code(packer, 0x30 + symbol, 8);
    else if (symbol < 256)
        put_code(packer, 0x190 + symbol - 144, 9);
    else if (symbol < 280)
        put_code(packer, symbol - 256, 7);
    else
        put_code(packer, 0xC0 + symbol - 280, 8);
}

static void put_length(struct packer *packer, uint32_t length)
{
    static const uint16_t BASE[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                    31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t EXTRA[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                    2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    uint32_t row = 28;
    while (BASE[row] > length)
        row--;
    put_symbol(packer, 257 + row);
    put_bits(packer, length - BASE[row], EXTRA[row]);
}

static void put_distance(struct packer *packer, uint32_t distance)
{
    uint32_t code = distance - 1, extra = 0;
    if (distance > 4) {
        while ((distance - 1) >> (extra + 2))
            extra++;
        code = 2 * extra + 2 + ((distance - 1) >> extra & 1);
    }
    put_code(packer, code, 5);
    put_bits(packer, (distance - 1) & ((1u << extra) - 1), (int32_t)extra);
}

static size_t match(const uint8_t *bytes, size_t place, size_t count, size_t distance)
{
    size_t length = 0;
    if (distance > place || distance > MATCH_DISTANCE_MAX)
        return 0;
    while (length < MATCH_BYTES_MAX && place + length < count &&
           bytes[place + length] == bytes[place + length - distance])
        length++;
    return length;
}

// Looks for repeats of the pixel before, of an 8-pixel pattern, and of the row above.
static void deflate(struct packer *packer, const uint8_t *bytes, size_t count, size_t row_bytes)
{
    const size_t distances[] = {3, 24, row_bytes, row_bytes * 2, row_bytes * 4, row_bytes * 8};
    put_bits(packer, 1, 1);
    put_bits(packer, 1, 2);
    for (size_t place = 0; place < count;) {
        size_t best = 0, best_distance = 0;
        for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
            size_t length = match(bytes, place, count, distances[i]);
            if (length > best) {
                best = length;
                best_distance = distances[i];
            }
        }
        if (best >= MATCH_BYTES_MIN) {
            put_length(packer, (uint32_t)best);
            put_distance(packer, (uint32_t)best_distance);
            place += best;
        } else {
            put_symbol(packer, bytes[place++]);
        }
    }
    put_symbol(packer, 256);
    if (packer->bit_count)
        put_bits(packer, 0, 8 - packer->bit_count);
}

static uint32_t adler(const uint8_t *bytes, size_t count)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < count; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static uint32_t crc(const uint8_t *bytes, size_t count)
{
    uint32_t value = 0xFFFFFFFFu;
    for (size_t i = 0; i < count; i++) {
        value ^= bytes[i];
        for (int32_t bit = 0; bit < 8; bit++)
            value = value >> 1 ^ (value & 1 ? 0xEDB88320u : 0);
    }
    return ~value;
}

// A chunk's size stands before it and is known after it: the caller fills between begin and end.
static size_t begin_chunk(struct packer *file, const char *name)
{
    put_u32(file, 0);
    for (int32_t i = 0; i < 4; i++)
        put_byte(file, (uint8_t)name[i]);
    return file->count;
}

static void end_chunk(struct packer *file, size_t start)
{
    if (file->failed)
        return;
    size_t size = file->count - start;
    for (size_t i = 0; i < 4; i++)
        file->bytes[start - 8 + i] = (uint8_t)(size >> (24 - 8 * i));
    put_u32(file, crc(file->bytes + start - 4, size + 4));
}

static uint8_t *raw_rows(const uint32_t *pixels, int32_t width, int32_t height, int32_t scale, size_t row_bytes)
{
    uint8_t *rows = malloc(row_bytes * (size_t)(height * scale)), *out = rows;
    for (int32_t y = 0; rows && y < height * scale; y++) {
        *out++ = 0;
        for (int32_t x = 0; x < width * scale; x++) {
            uint32_t pixel = pixels[y / scale * width + x / scale];
            *out++ = (uint8_t)(pixel >> 16);
            *out++ = (uint8_t)(pixel >> 8);
            *out++ = (uint8_t)pixel;
        }
    }
    return rows;
}

static void encode(struct packer *file, const uint8_t *rows, int32_t width, int32_t height, size_t row_bytes)
{
    static const uint8_t SIGNATURE[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    static const uint8_t RGB_8_BIT[] = {8, 2, 0, 0, 0};
    for (size_t i = 0; i < sizeof SIGNATURE; i++)
        put_byte(file, SIGNATURE[i]);
    size_t header = begin_chunk(file, "IHDR");
    put_u32(file, (uint32_t)width);
    put_u32(file, (uint32_t)height);
    for (size_t i = 0; i < sizeof RGB_8_BIT; i++)
        put_byte(file, RGB_8_BIT[i]);
    end_chunk(file, header);
    size_t data = begin_chunk(file, "IDAT");
    put_byte(file, 0x78);
    put_byte(file, 0x01);
    deflate(file, rows, row_bytes * (size_t)height, row_bytes);
    put_u32(file, adler(rows, row_bytes * (size_t)height));
    end_chunk(file, data);
    end_chunk(file, begin_chunk(file, "IEND"));
}

static bool write_file(const char *path, const struct packer *file)
{
    FILE *out = fopen(path, "wb");
    if (!out)
        return false;
    bool written = fwrite(file->bytes, 1, file->count, out) == file->count;
    return fclose(out) == 0 && written;
}

bool png_write(const char *path, const uint32_t *pixels, int32_t width, int32_t height, int32_t scale)
{
    struct packer file = {0};
    size_t row_bytes = 1 + 3 * (size_t)(width * scale);
    uint8_t *rows = raw_rows(pixels, width, height, scale, row_bytes);
    if (!rows)
        return false;
    encode(&file, rows, width * scale, height * scale, row_bytes);
    bool written = !file.failed && write_file(path, &file);
    free(rows);
    free(file.bytes);
    return written;
}
