// SPDX-License-Identifier: MIT
// Tests the replication table: it covers every word of the world and describes differences.
#include <string.h>

#include "sync/world.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;
static struct world other;

static const char *const ROOM[] = {"########", "#......#", "#.S....#", "########", NULL};

TEST(the_tables_cover_the_world_without_a_gap)
{
    uint32_t offset = 0;
    for (uint32_t t = 0; t < REPLICATION_TABLE_COUNT; t++) {
        const struct replication_table *table = &REPLICATION_TABLES[t];
        assert_int_equal(table->world_offset, offset);
        assert_int_equal(table->element_bytes, 4 * table->field_count);
        offset += table->element_bytes * table->capacity;
    }
    assert_int_equal(offset, sizeof(struct world));
}

TEST(the_fields_cover_their_element_without_a_gap)
{
    for (uint32_t t = 0; t < REPLICATION_TABLE_COUNT; t++)
        for (uint32_t f = 0; f < REPLICATION_TABLES[t].field_count; f++) {
            const struct replication_field *field = &REPLICATION_TABLES[t].fields[f];
            assert_int_equal(field->offset, 4 * f);
            assert_in_range(field->bits, 1, 32);
            assert_true(field->delta_bits < field->bits);
        }
}

TEST(the_used_part_never_exceeds_the_capacity)
{
    memset(&other, 0xFF, sizeof other);
    for (uint32_t t = 0; t < REPLICATION_TABLE_COUNT; t++)
        assert_int_equal(replication_table_used(&REPLICATION_TABLES[t], &other), REPLICATION_TABLES[t].capacity);
}

TEST(a_value_that_needs_more_bits_is_refused)
{
    struct replication_field number = {"n", 0, REPLICATION_UNSIGNED, 3, 0},
                             signed_number = {"s", 0, REPLICATION_SIGNED, 3, 0};
    assert_true(replication_field_fits(&number, 7));
    assert_false(replication_field_fits(&number, 8));
    assert_true(replication_field_fits(&signed_number, 3));
    assert_false(replication_field_fits(&signed_number, 4));
    assert_true(replication_field_fits(&signed_number, (uint32_t)-4));
    assert_false(replication_field_fits(&signed_number, (uint32_t)-5));
}

TEST(a_difference_is_described)
{
    char text[120] = "";
    test_match_draw(&match, ROOM);
    test_match_start(&match);
    test_match_put(&match, 0, 24, 24);
    test_match_put(&match, 3, 24, 24);
    other = match.world;
    assert_false(replication_difference(&match.world, &other, text, sizeof text));
    other.players[3].vx = 14;
    match.world.players[3].vx = -12;
    assert_true(replication_difference(&match.world, &other, text, sizeof text));
    assert_string_equal(text, "player 3 vx: -12, expected 14");
    assert_true(replication_difference(&match.world, &other, NULL, 0));
}
