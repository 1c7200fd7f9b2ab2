// SPDX-License-Identifier: MIT
#include "replication.h"

#include <stdio.h>
#include <string.h>

#include "game_state.h"

uint32_t replication_table_used(const struct replication_table *table, const struct world *world)
{
    if (table->count_offset == UINT32_MAX)
        return 1;
    uint32_t count;
    memcpy(&count, (const char *)world + table->count_offset, sizeof count);
    return count < table->capacity ? count : table->capacity;
}

uint32_t *replication_table_words(const struct replication_table *table, struct world *world)
{
    return (uint32_t *)world + table->world_offset / 4;
}

const uint32_t *replication_table_words_const(const struct replication_table *table, const struct world *world)
{
    return (const uint32_t *)world + table->world_offset / 4;
}

bool replication_field_fits(const struct replication_field *field, uint32_t value)
{
    if (field->bits >= 32)
        return true;
    if (field->kind == REPLICATION_SIGNED)
        return value + (1u << (field->bits - 1)) < 1u << field->bits;
    return value < 1u << field->bits;
}

static void describe(const struct replication_table *table, uint32_t element, const struct replication_field *field,
                     uint32_t found, uint32_t expected, char *text, size_t text_bytes)
{
    const char *format = field->kind == REPLICATION_SIGNED ? "%s %u %s: %d, expected %d" : "%s %u %s: %u, expected %u";
    if (text != NULL)
        snprintf(text, text_bytes, format, table->name, element, field->name, found, expected);
}

bool replication_difference(const struct world *found, const struct world *expected, char *text, size_t text_bytes)
{
    for (uint32_t t = 0; t < REPLICATION_TABLE_COUNT; t++) {
        const struct replication_table *table = &REPLICATION_TABLES[t];
        const uint32_t *a = replication_table_words_const(table, found),
                       *b = replication_table_words_const(table, expected);
        uint32_t words = replication_table_used(table, expected) * table->field_count;
        for (uint32_t i = 0; i < words; i++)
            if (a[i] != b[i]) {
                describe(table, i / table->field_count, &table->fields[i % table->field_count], a[i], b[i], text,
                         text_bytes);
                return true;
            }
    }
    return false;
}
