// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "world.h"

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

void world_copy(struct world *target, const struct world *source)
{
    // In reverse, because the counts of the target are in its head, the first table.
    for (uint32_t t = REPLICATION_TABLE_COUNT; t-- > 0;) {
        const struct replication_table *table = &REPLICATION_TABLES[t];
        uint32_t used = replication_table_used(table, source), was = replication_table_used(table, target);
        uint32_t *to = replication_table_words(table, target);
        memcpy(to, replication_table_words_const(table, source), (size_t)used * table->element_bytes);
        if (was > used)
            memset(to + (size_t)used * table->field_count, 0, (size_t)(was - used) * table->element_bytes);
    }
}

uint64_t world_hash(const struct world *world)
{
    struct hash hash = hash_begin();
    for (uint32_t t = 0; t < REPLICATION_TABLE_COUNT; t++) {
        const struct replication_table *table = &REPLICATION_TABLES[t];
        hash_words(&hash, replication_table_words_const(table, world),
                   (size_t)replication_table_used(table, world) * table->field_count);
    }
    return hash_end(&hash);
}

bool replication_difference(const struct world *found, const struct world *expected, char *text, size_t text_bytes)
{
    for (uint32_t t = 0; t < REPLICATION_TABLE_COUNT; t++) {
        const struct replication_table *table = &REPLICATION_TABLES[t];
        const uint32_t *a = replication_table_words_const(table, found);
        const uint32_t *b = replication_table_words_const(table, expected);
        uint32_t words = replication_table_used(table, expected) * table->field_count, i = 0;
        while (i < words && a[i] == b[i])
            i++;
        if (i == words)
            continue;
        const struct replication_field *field = &table->fields[i % table->field_count];
        if (text != NULL)
            snprintf(text, text_bytes,
                     field->kind == REPLICATION_SIGNED ? "%s %u %s: %d, expected %d" : "%s %u %s: %u, expected %u",
                     table->name, i / table->field_count, field->name, a[i], b[i]);
        return true;
    }
    return false;
}
