// SPDX-License-Identifier: MIT
#include "unit.h"
#include "wire/bits.h"

TEST(the_first_bit_is_the_lowest_of_the_first_byte)
{
    uint8_t bytes[8];
    struct bit_writer writer = bits_writer(bytes, sizeof bytes);
    bits_write(&writer, 1, 1);
    bits_write(&writer, 0x2, 3);
    bits_write(&writer, 0x12345678, 32);
    assert_int_equal(bits_flush(&writer), 5);
    uint8_t expected[] = {0x85, 0x67, 0x45, 0x23, 0x01};
    assert_memory_equal(bytes, expected, 5);
}

TEST(numbers_have_the_documented_length)
{
    static const struct {
        uint32_t value;
        size_t bits;
    } rows[] = {
        /* 1 */ {0, 1},
        /* 2 */ {1, 3},
        /* 3 */ {2, 3},
        /* 4 */ {3, 5},
        /* 5 */ {6, 5},
        /* 6 */ {7, 7},
        /* 7 */ {65534, 31},
        /* 8 */ {65535, 33},
        /* 9 */ {UINT32_MAX - 1, 63},
        /* 10 */ {UINT32_MAX, 65}, // 33 binary digits
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint8_t bytes[16];
        struct bit_writer writer = bits_writer(bytes, sizeof bytes);
        bits_write_number(&writer, rows[i].value);
        assert_int_equal(writer.used * 8 + writer.held_bits, rows[i].bits);
        struct bit_reader reader = bits_reader(bytes, bits_flush(&writer));
        assert_int_equal(bits_read_number(&reader), rows[i].value);
        assert_true(bits_read_all(&reader));
    }
}

TEST(a_number_of_more_than_32_bits_fails)
{
    uint8_t bytes[9] = {0, 0, 0, 0, 0x01 | 0x02}; // 32 zeros, a one, and a lower digit: 2^32 + 1 - 1
    struct bit_reader reader = bits_reader(bytes, sizeof bytes);
    assert_int_equal(bits_read_number(&reader), 0);
    assert_true(reader.failed);
    uint8_t zeros[16] = {0};
    reader = bits_reader(zeros, sizeof zeros);
    assert_int_equal(bits_read_number(&reader), 0);
    assert_true(reader.failed);
}

TEST(reading_past_the_end_gives_zero_and_fails_for_good)
{
    uint8_t byte = 0xFF;
    struct bit_reader reader = bits_reader(&byte, 1);
    assert_int_equal(bits_read(&reader, 7), 0x7F);
    assert_int_equal(bits_read(&reader, 2), 0);
    assert_true(reader.failed);
    assert_int_equal(bits_read(&reader, 1), 0); // still failed, though one bit would fit
    assert_false(bits_read_all(&reader));
}

TEST(only_zero_bits_may_fill_the_last_byte)
{
    static const struct {
        uint8_t bytes[2];
        size_t count;
        uint32_t read;
        bool all;
    } rows[] = {
        /* 1 */ {{0x07, 0x00}, 1, 3, true},
        /* 2 */ {{0x07, 0x00}, 2, 3, false}, // a byte too many
        /* 3 */ {{0x0F, 0x00}, 1, 3, false}, // a filling bit is one
        /* 4 */ {{0xFF, 0x00}, 1, 8, true},
        /* 5 */ {{0xFF, 0x00}, 2, 8, false},
        /* 6 */ {{0xFF, 0x00}, 2, 9, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bit_reader reader = bits_reader(rows[i].bytes, rows[i].count);
        bits_read(&reader, rows[i].read);
        assert_int_equal(bits_read_all(&reader), rows[i].all);
    }
}

TEST(a_full_writer_reports_it_and_writes_nothing_more)
{
    uint8_t bytes[4] = {0, 0, 0, 0xEE};
    struct bit_writer writer = bits_writer(bytes, 3);
    bits_write(&writer, 0x123456, 24);
    assert_int_equal(bits_flush(&writer), 3);
    bits_write(&writer, 1, 1);
    assert_int_equal(bits_flush(&writer), 0);
    bits_write_bytes(&writer, bytes, 1);
    assert_int_equal(bits_flush(&writer), 0);
    assert_int_equal(bytes[3], 0xEE);
}

TEST(signed_numbers_fold_and_extend)
{
    static const struct {
        int32_t value;
        uint32_t zigzag, least_bits;
    } rows[] = {
        /* 1 */ {0, 0, 1},
        /* 2 */ {-1, 1, 1},
        /* 3 */ {1, 2, 2},
        /* 4 */ {-2, 3, 2},
        /* 5 */ {2, 4, 3},
        /* 6 */ {127, 254, 8},
        /* 7 */ {-128, 255, 8},
        /* 8 */ {INT32_MAX, 0xFFFFFFFE, 32},
        /* 9 */ {INT32_MIN, 0xFFFFFFFF, 32},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint32_t value = (uint32_t)rows[i].value, bits = rows[i].least_bits;
        assert_int_equal(bits_zigzag(value), rows[i].zigzag);
        assert_int_equal(bits_unzigzag(rows[i].zigzag), value);
        assert_int_equal(bits_extend(bits_lowest(value, bits), bits), value);
        assert_true(bits == 1 || bits_extend(bits_lowest(value, bits - 1), bits - 1) != value);
    }
}

TEST(any_sequence_is_read_back)
{
    static uint8_t bytes[64 * 1024];
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct bit_writer writer = bits_writer(bytes, sizeof bytes);
        uint64_t random = seed;
        for (int i = 0; i < 2000; i++) {
            uint32_t count = next_random(&random) % 33, value = next_random(&random);
            value = count ? bits_lowest(value, count) : 0;
            if (next_random(&random) % 2)
                bits_write(&writer, value, count);
            else
                bits_write_number(&writer, value);
        }
        size_t byte_count = bits_flush(&writer);
        assert_int_not_equal(byte_count, 0);
        struct bit_reader reader = bits_reader(bytes, byte_count);
        random = seed;
        for (int i = 0; i < 2000; i++) {
            uint32_t count = next_random(&random) % 33, value = next_random(&random);
            value = count ? bits_lowest(value, count) : 0;
            bool plain = next_random(&random) % 2;
            assert_int_equal(plain ? bits_read(&reader, count) : bits_read_number(&reader), value);
        }
        assert_true(bits_read_all(&reader));
    }
}
