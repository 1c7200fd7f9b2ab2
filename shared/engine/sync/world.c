// SPDX-License-Identifier: MIT
#include "world.h"

#include <string.h>

#include "base/hash.h"
#include "replication.h"

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
