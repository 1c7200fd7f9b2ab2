// SPDX-License-Identifier: MIT
#include "range_coder.h"

// A context moves by a 32nd of the way and never becomes certain.
enum { LEAST = 32, LEARNING_SHIFT = 5 };

struct range_coder range_coder_writer(uint8_t *bytes, size_t capacity)
{
    return (struct range_coder){.to = bytes, .capacity = capacity, .high = UINT32_MAX};
}

static uint32_t next_byte(struct range_coder *range)
{
    return range->used < range->capacity ? range->from[range->used] : 0;
}

struct range_coder range_coder_reader(const uint8_t *bytes, size_t byte_count)
{
    struct range_coder range = {.from = bytes, .capacity = byte_count, .high = UINT32_MAX};
    for (; range.used < 4; range.used++)
        range.code = range.code << 8 | next_byte(&range);
    return range;
}

static void put(struct range_coder *range, uint8_t byte)
{
    if (range->used == range->capacity)
        range->failed = true;
    else
        range->to[range->used++] = byte;
}

// The bytes that both ends of the range have in common are final.
static void settle(struct range_coder *range)
{
    while ((range->low ^ range->high) >> 24 == 0) {
        if (range->to) {
            put(range, (uint8_t)(range->high >> 24));
        } else {
            range->code = range->code << 8 | next_byte(range);
            range->used++;
        }
        range->low <<= 8;
        range->high = range->high << 8 | 0xFF;
    }
    // Missing bytes at the end count as zeros. No writer omits more than four.
    if (!range->to && range->used > range->capacity + 4)
        range->failed = true;
}

static bool code(struct range_coder *range, uint32_t one, bool bit)
{
    uint32_t middle = range->low + (uint32_t)((uint64_t)(range->high - range->low) * one >> 16);
    if (!range->to)
        bit = range->code <= middle && !range->failed;
    if (bit)
        range->high = middle;
    else
        range->low = middle + 1;
    settle(range);
    return bit;
}

bool range_coder_bit(struct range_coder *range, uint16_t *one, bool bit)
{
    bit = code(range, *one, bit);
    uint32_t aim = bit ? RANGE_CODER_ONE - LEAST : LEAST;
    *one = (uint16_t)(aim > *one ? *one + ((aim - *one) >> LEARNING_SHIFT) : *one - ((*one - aim) >> LEARNING_SHIFT));
    return bit;
}

uint32_t range_coder_bits(struct range_coder *range, uint32_t value, uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found |= (uint32_t)code(range, RANGE_CODER_EVEN, value >> i & 1) << i;
    return found;
}

// Writes the fewest bytes (0 to 4, but at least one in all) that make a number within the range when zeros follow.
static uint32_t last_bytes(const struct range_coder *range, size_t settled_bytes, uint32_t *number)
{
    uint32_t count = settled_bytes == 0;
    for (;; count++) {
        uint64_t rest = (1ull << (32 - 8 * count)) - 1;
        uint64_t rounded = (range->low + rest) & ~rest;
        *number = (uint32_t)rounded;
        if (rounded <= range->high)
            return count;
    }
}

size_t range_coder_finish(struct range_coder *range)
{
    uint32_t number, count = last_bytes(range, range->used, &number);
    for (uint32_t i = 0; i < count; i++)
        put(range, (uint8_t)(number >> (24 - 8 * i)));
    return range->failed ? 0 : range->used;
}

bool range_coder_read_all(const struct range_coder *range)
{
    uint32_t number, count = last_bytes(range, range->used - 4, &number);
    return !range->failed && range->code == number && range->used - 4 + count == range->capacity;
}
