// SPDX-License-Identifier: MIT
#include "absent.h"

#include <string.h>

bool place_name_equal(const struct place_name *a, const struct place_name *b)
{
    return a->local == b->local && memcmp(a->identity, b->identity, sizeof a->identity) == 0;
}

static struct absent *find(struct absent_table *table, const struct place_name *name)
{
    for (uint32_t i = 0; i < ABSENT_CAPACITY; i++)
        if (table->rows[i].since != 0 && place_name_equal(&table->rows[i].name, name))
            return &table->rows[i];
    return NULL;
}

static struct absent *longest_away(struct absent_table *table)
{
    struct absent *longest = &table->rows[0];
    for (uint32_t i = 1; i < ABSENT_CAPACITY; i++)
        if (table->rows[i].since < longest->since)
            longest = &table->rows[i];
    return longest;
}

void absent_note(struct absent_table *table, const struct place_name *name, uint32_t slot,
                 const struct player_record *record)
{
    struct absent *known = find(table, name), *row = known ? known : longest_away(table);
    *row = (struct absent){.name = *name, .since = ++table->left, .slot = slot, .record = *record};
}

bool absent_take(struct absent_table *table, const struct place_name *name, uint32_t *slot,
                 struct player_record *record)
{
    struct absent *row = find(table, name);
    if (!row)
        return false;
    *slot = row->slot;
    *record = row->record;
    row->since = 0;
    return true;
}

void absent_new_round(struct absent_table *table)
{
    for (uint32_t i = 0; i < ABSENT_CAPACITY; i++)
        table->rows[i].record = (struct player_record){.team = table->rows[i].record.team};
}
