// SPDX-License-Identifier: MIT
#include "fields.h"

#include <string.h>

#include "sync/world.h"
#include "wire/bits.h"
#include "wire/range_coder.h"

enum { ROWS = 256, ROLES = 80, EQUAL = 64, STEADY = 66 };

static uint16_t odds[ROWS][ROLES];

void fields_begin(void)
{
    for (int row = 0; row < ROWS; row++)
        for (int role = 0; role < ROLES; role++)
            odds[row][role] = RANGE_CODER_EVEN;
}

// Encodes the count of digits of the number, then the digits; the two highest have their own contexts.
static void put_number(struct range_coder *range, uint16_t *context, uint32_t number)
{
    uint32_t digits = number == 0 ? 0 : 32u - (uint32_t)__builtin_clz(number);
    for (uint32_t i = 0; i < 33 && i <= digits; i++)
        range_coder_bit(range, &context[i], i == digits);
    for (uint32_t i = 1; i < digits; i++) {
        bool bit = number >> (digits - 1 - i) & 1;
        if (i <= 1)
            range_coder_bit(range, &context[33 + digits % 30], bit);
        else
            range_coder_bits(range, bit, 1);
    }
}

static void put_field(struct range_coder *range, const struct replication_field *field, uint16_t *context,
                      uint32_t before, uint32_t value, const uint32_t ticks[2])
{
    uint32_t near = before;
    if (field->kind == REPLICATION_TICK) {
        bool is_steady = value == before + ticks[0];
        range_coder_bit(range, &context[STEADY], is_steady);
        if (is_steady)
            return;
        near = ticks[1];
    }
    put_number(range, context, bits_zigzag(value - near));
}

static void put_table(struct range_coder *range, const struct replication_table *table, uint32_t row,
                      const struct world *baseline, const struct world *world)
{
    uint32_t ticks[2] = {world->tick - baseline->tick, world->tick};
    uint32_t words = table->field_count, used = replication_table_used(table, world);
    for (uint32_t element = 0; element < used; element++) {
        const uint32_t *a = replication_table_words_const(table, baseline) + element * words;
        const uint32_t *b = replication_table_words_const(table, world) + element * words;
        bool equal = memcmp(a, b, table->element_bytes) == 0;
        range_coder_bit(range, &odds[row][EQUAL + 4], equal);
        bool other = false; // whether the field before differs
        for (uint32_t f = 0; f < words && !equal; f++) {
            range_coder_bit(range, &odds[row + f][EQUAL + other], a[f] != b[f]);
            other = a[f] != b[f];
            if (other)
                put_field(range, &table->fields[f], odds[row + f], a[f], b[f], ticks);
        }
    }
}

size_t fields_encode(const struct world *baseline, const struct world *world, uint8_t *bytes, size_t capacity)
{
    struct range_coder range = range_coder_writer(bytes, capacity);
    uint32_t row = 0;
    for (uint32_t t = 0; t < REPLICATION_TABLE_COUNT; t++) {
        put_table(&range, &REPLICATION_TABLES[t], row, baseline, world);
        row += REPLICATION_TABLES[t].field_count;
    }
    return range_coder_finish(&range);
}
