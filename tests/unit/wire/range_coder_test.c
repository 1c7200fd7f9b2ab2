// SPDX-License-Identifier: MIT
#include "unit.h"

#include <string.h>

#include "base/random.h"
#include "wire/range_coder.h"

enum { BITS = 4000, CONTEXTS = 5 };

static uint8_t bytes[BITS];
static bool bits[BITS];
static uint16_t odds[CONTEXTS];

static void begin_contexts(void)
{
    for (uint32_t i = 0; i < CONTEXTS; i++)
        odds[i] = (uint16_t)(1 + i * 16383); // 1 and 65533 are the most extreme starts
}

// Encodes bits of which one in `rarity` is a one, with the contexts in turn.
static size_t write_bits(uint32_t seed, uint32_t count, uint32_t rarity, size_t capacity)
{
    struct range_coder range = range_coder_writer(bytes, capacity);
    begin_contexts();
    for (uint32_t i = 0; i < count; i++) {
        bits[i] = random_below(&seed, rarity) == 0;
        range_coder_bit(&range, &odds[i % CONTEXTS], bits[i]);
    }
    return range_coder_finish(&range);
}

static struct range_coder read_bits(uint32_t count, size_t byte_count, uint32_t *different)
{
    struct range_coder range = range_coder_reader(bytes, byte_count);
    begin_contexts();
    *different = 0;
    for (uint32_t i = 0; i < count; i++)
        *different += range_coder_bit(&range, &odds[i % CONTEXTS], false) != bits[i];
    return range;
}

TEST(every_bit_is_read_back_with_any_odds)
{
    for (uint32_t seed = 1; seed <= 400; seed++) {
        uint32_t count = seed < 100 ? seed : seed * 10, different;
        size_t byte_count = write_bits(seed, count, 1 + seed % 9, sizeof bytes);
        assert_in_range(byte_count, 1, sizeof bytes);
        struct range_coder range = read_bits(count, byte_count, &different);
        assert_int_equal(different, 0);
        assert_true(range_coder_read_all(&range));
    }
}

TEST(a_changed_end_is_refused_or_means_other_bits)
{
    for (uint32_t seed = 1; seed <= 100; seed++) {
        uint32_t different;
        size_t byte_count = write_bits(seed, seed * 7, 3, sizeof bytes);
        bytes[byte_count] = 0;
        struct range_coder range = read_bits(seed * 7, byte_count + 1, &different);
        assert_false(range_coder_read_all(&range));
        range = read_bits(seed * 7, byte_count - 1, &different);
        assert_true(different > 0 || !range_coder_read_all(&range));
        bytes[byte_count - 1] ^= 1;
        range = read_bits(seed * 7, byte_count, &different);
        assert_true(different > 0 || !range_coder_read_all(&range));
    }
}

TEST(a_reader_beyond_its_end_fails_and_reads_zeros)
{
    struct range_coder range = range_coder_reader(NULL, 0);
    range_coder_bits(&range, 0, 32);
    range_coder_bits(&range, 0, 8);
    assert_true(range.failed);
    assert_int_equal(range_coder_bits(&range, 0, 32), 0);
    assert_false(range_coder_read_all(&range));
}

TEST(a_writer_without_room_has_no_size)
{
    size_t byte_count = write_bits(5, 500, 4, sizeof bytes);
    assert_int_equal(write_bits(5, 500, 4, byte_count), byte_count);
    for (size_t capacity = 0; capacity < byte_count; capacity++)
        assert_int_equal(write_bits(5, 500, 4, capacity), 0);
}

TEST(likely_bits_cost_little)
{
    static const struct {
        uint32_t rarity;
        size_t most_bytes;
    } rows[] = {
        /* 1 */ {UINT32_MAX, 40}, // always zero: 4000 bits
        /* 2 */ {100, 75},        // 0.08 bits each would be 40
        /* 3 */ {10, 280},        // 0.47: 235
        /* 4 */ {2, 540},         // 1: 500, and the cost of learning
        /* 5 */ {1, 40},          // always one
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        size_t byte_count = write_bits(3, BITS, rows[i].rarity, sizeof bytes);
        if (byte_count == 0 || byte_count > rows[i].most_bytes)
            fail_msg("row %zu takes %zu bytes", i + 1, byte_count);
    }
}

TEST(the_bytes_equal_those_of_protocol_md)
{
    // Three even ones leave 0 to 1FFFFFFF, an even zero 10000000 to 1FFFFFFF: 10 is the least byte of it.
    struct range_coder range = range_coder_writer(bytes, sizeof bytes);
    range_coder_bits(&range, 7, 4);
    assert_int_equal(range_coder_finish(&range), 1);
    assert_int_equal(bytes[0], 0x10);
    range = range_coder_writer(bytes, sizeof bytes);
    range_coder_bits(&range, 0x3, 8); // two ones, six zeros: 3F000000 to 3FFFFFFF is settled, nothing must follow
    assert_int_equal(range_coder_finish(&range), 1);
    assert_int_equal(bytes[0], 0x3F);
    uint16_t chance = RANGE_CODER_EVEN;
    range_coder_bit(&range, &chance, true);
    assert_int_equal(chance, 32768 + (65504 - 32768) / 32);
    range_coder_bit(&range, &chance, false);
    assert_int_equal(chance, 33791 - (33791 - 32) / 32);
}
