// SPDX-License-Identifier: MIT
#include "snapshot.h"

#include <string.h>

#include "bits.h"
#include "sync/world.h"

// One walk over two worlds writes and reads. A code_ function ignores its value when reading, and returns the value in
// both cases.
struct coder {
    struct bit_walk walk;
    tick tick;        // of the world
    uint32_t elapsed; // ticks since the baseline, modulo 2^32
};

static uint32_t code_bits(struct coder *coder, uint32_t value, uint32_t count)
{
    bits_walk(&coder->walk, &value, count);
    return value;
}

static uint32_t code_number(struct coder *coder, uint32_t value)
{
    bits_walk_number(&coder->walk, &value);
    return value;
}

// The number of equal elements or fields before the next different one; `left` if there is none.
static uint32_t code_run(struct coder *coder, uint32_t value, uint32_t left)
{
    uint32_t run = code_number(coder, value);
    if (run <= left)
        return run;
    bits_fail(coder->walk.reader);
    return left;
}

// A value as a difference from `near`. It takes the delta bits of the field and one more if it fits them, and two more
// for each doubling.
static uint32_t code_near(struct coder *coder, const struct replication_field *field, uint32_t near, uint32_t value)
{
    uint32_t order = field->delta_bits;
    if (order == 0) { // whole
        assert(coder->walk.reader || replication_field_fits(field, value));
        uint32_t bits = code_bits(coder, bits_lowest(value, field->bits), field->bits);
        return field->kind == REPLICATION_SIGNED ? bits_extend(bits, field->bits) : bits;
    }
    uint32_t difference = bits_zigzag(value - near);
    uint32_t low = code_bits(coder, bits_lowest(difference, order), order);
    return near + bits_unzigzag(code_number(coder, difference >> order) << order | low);
}

// The fields of an element that differ. `made` is NULL when writing, `found` when reading.
static void code_element(struct coder *coder, const struct replication_table *table, const uint32_t *before,
                         const uint32_t *found, uint32_t *made)
{
    uint32_t count = table->field_count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t equal = 0;
        while (found && i + equal < count && before[i + equal] == found[i + equal])
            equal++;
        i += code_run(coder, equal, count - i);
        if (i == count)
            return;
        const struct replication_field *field = &table->fields[i];
        uint32_t value = found ? found[i] : 0, advanced = before[i] + coder->elapsed;
        if (field->kind != REPLICATION_TICK)
            value = code_near(coder, field, before[i], value);
        else if (code_bits(coder, value == advanced, 1))
            value = advanced;
        else
            value = code_near(coder, field, coder->tick, value);
        if (made)
            made[i] = value;
    }
}

// The elements of a table that differ. `made` is NULL when writing, `found` when reading. The head, the first table,
// has the counts.
static void code_table(struct coder *coder, const struct replication_table *table, const struct world *baseline,
                       const struct world *found, struct world *made)
{
    uint32_t used = replication_table_used(table, found ? found : made), words = table->field_count;
    const uint32_t *from = replication_table_words_const(table, baseline);
    const uint32_t *source = found ? replication_table_words_const(table, found) : NULL;
    uint32_t *target = made ? replication_table_words(table, made) : NULL;
    for (uint32_t i = 0; i < used; i++) {
        uint32_t equal = 0;
        while (source && i + equal < used &&
               memcmp(from + (i + equal) * words, source + (i + equal) * words, table->element_bytes) == 0)
            equal++;
        i += code_run(coder, equal, used - i);
        if (i == used)
            return;
        uint32_t at = i * words;
        code_element(coder, table, from + at, source ? source + at : NULL, target ? target + at : NULL);
    }
}

size_t snapshot_body_encode(const struct world *baseline, const struct world *world, uint8_t *bytes, size_t capacity)
{
    struct bit_writer writer = bits_writer(bytes, capacity);
    struct coder coder = {
        .walk = bits_walk_into(&writer), .tick = world->tick, .elapsed = world->tick - baseline->tick};
    code_number(&coder, bits_zigzag(coder.elapsed));
    for (uint32_t t = 0; t < REPLICATION_TABLE_COUNT; t++)
        code_table(&coder, &REPLICATION_TABLES[t], baseline, world, NULL);
    return bits_flush(&writer);
}

bool snapshot_body_decode(struct world *world, const struct world *baseline, const struct map *map,
                          const uint8_t *bytes, size_t byte_count)
{
    struct bit_reader reader = bits_reader(bytes, byte_count);
    struct coder coder = {.walk = bits_walk_from(&reader)};
    *world = *baseline;
    coder.elapsed = bits_unzigzag(code_number(&coder, 0));
    coder.tick = baseline->tick + coder.elapsed;
    for (uint32_t t = 0; t < REPLICATION_TABLE_COUNT && !reader.failed; t++) {
        const struct replication_table *table = &REPLICATION_TABLES[t];
        code_table(&coder, table, baseline, NULL, world);
        uint32_t used = replication_table_used(table, world), used_before = replication_table_used(table, baseline);
        if (used < used_before) // elements that only the baseline uses become zero
            memset(replication_table_words(table, world) + used * table->field_count, 0,
                   (used_before - used) * table->element_bytes);
    }
    return bits_read_all(&reader) && world->tick == coder.tick && world_validate(world, map);
}

static bool walk_head(struct bit_walk *walk, struct snapshot_head *head)
{
    uint32_t kind = MESSAGE_SNAPSHOT, age = head->tick - head->baseline_tick, last = head->parts - 1;
    uint32_t ahead = bits_zigzag(head->input_tick - head->tick), missed = head->inputs_missed & 0xFFFF;
    int32_t quarters = head->margin_quarter_ticks;
    uint32_t margin = bits_lowest((uint32_t)(quarters < -128 ? -128 : quarters > 127 ? 127 : quarters), 8);
    bits_walk(walk, &kind, 8);
    bits_walk(walk, &head->tick, 32);
    bits_walk_number(walk, &age);
    bits_walk(walk, &head->world_hash, 32);
    bits_walk_number(walk, &ahead);
    bits_walk(walk, &margin, 8);
    bits_walk_number(walk, &missed);
    bits_walk_number(walk, &last);
    bits_walk_number(walk, &head->part);
    head->baseline_tick = head->tick - age;
    head->input_tick = head->tick + bits_unzigzag(ahead);
    head->margin_quarter_ticks = (int32_t)bits_extend(margin, 8);
    head->inputs_missed = missed;
    head->parts = last + 1;
    return bits_check(walk, kind == MESSAGE_SNAPSHOT && age <= head->tick && missed <= 0xFFFF &&
                                last < SNAPSHOT_PARTS_MAX && head->part <= last);
}

size_t snapshot_part_encode(const struct snapshot_head *head, const uint8_t *part_bytes, size_t part_byte_count,
                            uint8_t *bytes)
{
    assert(part_byte_count >= 1 && part_byte_count <= SNAPSHOT_PART_BYTES);
    struct bit_writer writer = bits_writer(bytes, MESSAGE_BYTES_MAX);
    struct bit_walk walk = bits_walk_into(&writer);
    struct snapshot_head copy = *head; // the walk stores what it writes, too
    walk_head(&walk, &copy);
    bits_walk_rest(&walk, &part_bytes, &part_byte_count);
    return bits_flush(&writer);
}

bool snapshot_part_decode(struct snapshot_head *head, const uint8_t **part_bytes, size_t *part_byte_count,
                          const uint8_t *bytes, size_t byte_count)
{
    struct bit_reader reader = bits_reader(bytes, byte_count);
    struct bit_walk walk = bits_walk_from(&reader);
    *head = (struct snapshot_head){0};
    bool good = walk_head(&walk, head), is_last = head->part == head->parts - 1;
    bits_walk_rest(&walk, part_bytes, part_byte_count);
    return good && !reader.failed &&
           (is_last ? *part_byte_count >= 1 && *part_byte_count <= SNAPSHOT_PART_BYTES
                    : *part_byte_count == SNAPSHOT_PART_BYTES);
}

bool snapshot_assembly_add(struct snapshot_assembly *assembly, const struct snapshot_head *head,
                           const uint8_t *part_bytes, size_t part_byte_count)
{
    if (head->tick < assembly->head.tick)
        return false;
    const struct snapshot_head *old = &assembly->head;
    if (head->tick != old->tick || head->baseline_tick != old->baseline_tick || head->world_hash != old->world_hash ||
        head->parts != old->parts) {
        memset(assembly->have, 0, sizeof assembly->have);
        assembly->have_count = 0;
        assembly->byte_count = 0;
    }
    if (assembly->have[head->part])
        return false;
    assembly->head = *head;
    assembly->have[head->part] = true;
    assembly->have_count++;
    memcpy(assembly->body + head->part * (size_t)SNAPSHOT_PART_BYTES, part_bytes, part_byte_count);
    if (head->part == head->parts - 1)
        assembly->byte_count = head->part * SNAPSHOT_PART_BYTES + (uint32_t)part_byte_count;
    return assembly->have_count == head->parts;
}
