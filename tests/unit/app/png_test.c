// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <stdbool.h>
#include <unistd.h>

#include "png.h"

// A reader of exactly what png.c may write: signature, IHDR, one IDAT with one fixed Huffman block, IEND.
struct reader {
    const uint8_t *bytes;
    size_t at, bit;
};

static uint32_t bits(struct reader *reader, int count)
{
    uint32_t value = 0;
    for (int i = 0; i < count; i++, reader->bit++)
        value |= (uint32_t)(reader->bytes[reader->at + reader->bit / 8] >> reader->bit % 8 & 1) << i;
    return value;
}

static uint32_t code_bits(struct reader *reader, uint32_t code, int count)
{
    for (int i = 0; i < count; i++)
        code = code << 1 | bits(reader, 1);
    return code;
}

static uint32_t symbol(struct reader *reader)
{
    uint32_t code = code_bits(reader, 0, 7);
    if (code <= 0x17)
        return code + 256;
    code = code_bits(reader, code, 1);
    if (code >= 0x30 && code <= 0xBF)
        return code - 0x30;
    if (code >= 0xC0 && code <= 0xC7)
        return code - 0xC0 + 280;
    return code_bits(reader, code, 1) - 0x190 + 144;
}

static size_t inflate(struct reader *reader, uint8_t *out, size_t capacity)
{
    static const uint16_t LENGTHS[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                       31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint16_t DISTANCES[] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                         33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                         1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    size_t count = 0;
    assert_int_equal(bits(reader, 3), 3); // the last block, fixed codes
    for (uint32_t found = symbol(reader); found != 256; found = symbol(reader)) {
        if (found < 256) {
            assert_true(count < capacity);
            out[count++] = (uint8_t)found;
            continue;
        }
        uint32_t row = found - 257, length_bits = row < 8 || row == 28 ? 0 : (row - 4) / 4;
        uint32_t length = LENGTHS[row] + bits(reader, (int)length_bits);
        uint32_t code = code_bits(reader, 0, 5), distance_bits = code < 4 ? 0 : (code - 2) / 2;
        uint32_t distance = DISTANCES[code] + bits(reader, (int)distance_bits);
        assert_true(distance <= count && count + length <= capacity);
        for (uint32_t i = 0; i < length; i++, count++)
            out[count] = out[count - distance];
    }
    return count;
}

static uint32_t u32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
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

#define SIDE 61

static void check_round_trip(const uint32_t *pixels, int32_t scale)
{
    static uint8_t file[4 * 1024 * 1024], rows[4 * 1024 * 1024];
    char path[] = "/tmp/deadfall-png-XXXXXX";
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    close(handle);
    assert_true(png_write(path, pixels, SIDE, SIDE, scale));
    FILE *in = fopen(path, "rb");
    size_t size = fread(file, 1, sizeof file, in);
    fclose(in);
    unlink(path);

    uint32_t side = (uint32_t)(SIDE * scale);
    assert_memory_equal(file, "\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR", 16);
    assert_int_equal(u32(file + 16), side);
    assert_int_equal(u32(file + 20), side);
    assert_memory_equal(file + 37, "IDAT", 4);
    assert_memory_equal(file + size - 12, "\0\0\0\0IEND\xAE\x42\x60\x82", 12); // the known checksum of an empty IEND
    struct reader reader = {.bytes = file, .at = 43};
    size_t row_bytes = 1 + 3 * side, count = inflate(&reader, rows, sizeof rows);
    assert_int_equal(count, row_bytes * side);
    assert_int_equal(u32(file + 41 + u32(file + 33) - 4), adler(rows, count));
    for (uint32_t y = 0; y < side; y++)
        for (uint32_t x = 0; x < side; x++) {
            const uint8_t *found = rows + y * row_bytes + 1 + 3 * x;
            uint32_t expected = pixels[y / (uint32_t)scale * SIDE + x / (uint32_t)scale] & 0xFFFFFF;
            assert_int_equal((uint32_t)found[0] << 16 | (uint32_t)found[1] << 8 | found[2], expected);
        }
}

static void a_written_picture_reads_back_pixel_for_pixel(void **state)
{
    (void)state;
    static uint32_t noise[SIDE * SIDE], plain[SIDE * SIDE], stripes[SIDE * SIDE];
    uint32_t dice = 1;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        dice = dice * 1664525u + 1013904223u;
        noise[i] = dice >> 4;
        plain[i] = 0xFF112233;
        stripes[i] = i % 8 < 4 ? 0xFFFFFFFF : 0xFF000000 + i / SIDE;
    }
    for (int32_t scale = 1; scale <= 8; scale += 3) {
        check_round_trip(noise, scale);
        check_round_trip(plain, scale);
        check_round_trip(stripes, scale);
    }
}

static void a_picture_that_cannot_be_written_is_told(void **state)
{
    (void)state;
    static uint32_t pixels[SIDE * SIDE];
    assert_false(png_write("/nowhere/at/all.png", pixels, SIDE, SIDE, 1));
    if (access("/dev/full", W_OK) == 0)
        assert_false(png_write("/dev/full", pixels, SIDE, SIDE, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_written_picture_reads_back_pixel_for_pixel),
        cmocka_unit_test(a_picture_that_cannot_be_written_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
