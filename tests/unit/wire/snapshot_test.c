// SPDX-License-Identifier: MIT
#include "unit.h"

#include <string.h>

#include "game/ai/ai.h"
#include "sync/world.h"
#include "test_map.h"
#include "test_match.h"
#include "wire/bits.h"
#include "wire/snapshot.h"

enum { KEPT = 41 };

static struct test_match match;
static struct world kept[KEPT], made;
static uint8_t body[SNAPSHOT_BODY_BYTES_MAX];

static void begin_match(uint32_t seed, uint32_t bots)
{
    test_map_random(&match.map, seed, 64, 40);
    test_match_start(&match);
    for (uint32_t slot = 0; slot < bots; slot++)
        assert_true(world_command(&match.world, &match.map,
                                  &(struct command){.kind = COMMAND_JOIN, .slot = slot, .bot = 1, .name = {slot}}));
}

static void step_match(uint32_t ticks)
{
    for (; ticks > 0; ticks--) {
        test_match_think(&match, SKILL_NORMAL);
        test_match_step(&match, 1);
    }
}

static void assert_comes_back(const struct world *baseline, const struct world *world)
{
    size_t byte_count = snapshot_body_encode(baseline, world, body, sizeof body);
    assert_true(byte_count > 0);
    memset(&made, 0xA5, sizeof made);
    assert_true(snapshot_body_decode(&made, baseline, &match.map, body, byte_count));
    char difference[160] = "";
    if (replication_difference(&made, world, difference, sizeof difference))
        fail_msg("tick %u from %u: %s", world->tick, baseline->tick, difference);
    assert_memory_equal(&made, world, sizeof made);
}

TEST(every_world_is_restored_from_baselines_of_1_to_40_ticks)
{
    for (uint32_t seed = 1; seed <= 6; seed++) {
        begin_match(seed, 4 * seed);
        memset(kept, 0, sizeof kept);
        for (uint32_t t = 0; t < 600; t++) {
            kept[t % KEPT] = match.world;
            if (t % 97 == 50) // a player joins or leaves, also in the last slot
                world_command(&match.world, &match.map,
                              &(struct command){.kind = t % 2 ? COMMAND_LEAVE : COMMAND_JOIN, .slot = 4 * seed - 1});
            step_match(1);
            uint32_t age = 1 + t % 40;
            if (t >= 40)
                assert_comes_back(&kept[(t + 1 - age) % KEPT], &match.world);
        }
    }
}

TEST(a_full_snapshot_is_relative_to_the_first_world)
{
    begin_match(3, 12);
    struct world *fresh = &kept[0];
    *fresh = match.world;
    world_init(fresh, &match.map, &match.world.rules);
    assert_comes_back(fresh, &match.world);
    step_match(300);
    assert_comes_back(fresh, &match.world);
    assert_comes_back(&match.world, fresh); // everything in use becomes unused
}

TEST(an_equal_world_takes_few_bytes)
{
    begin_match(3, 16);
    step_match(120);
    assert_comes_back(&match.world, &match.world);
    size_t byte_count = snapshot_body_encode(&match.world, &match.world, body, sizeof body);
    assert_in_range(byte_count, 1, 16);
}

TEST(a_body_that_does_not_fit_has_size_zero)
{
    begin_match(4, 8);
    kept[0] = match.world;
    step_match(60);
    size_t byte_count = snapshot_body_encode(&kept[0], &match.world, body, sizeof body);
    assert_int_equal(snapshot_body_encode(&kept[0], &match.world, body, byte_count - 1), 0);
    assert_int_equal(snapshot_body_encode(&kept[0], &match.world, body, byte_count), byte_count);
}

// The most bits that a body can take, by the layout of PROTOCOL.md.
static size_t most_bits(void)
{
    size_t bits = 65;
    for (uint32_t t = 0; t < REPLICATION_TABLE_COUNT; t++) {
        const struct replication_table *table = &REPLICATION_TABLES[t];
        size_t element = 1; // an empty run before it
        for (uint32_t f = 0; f < table->field_count; f++) {
            const struct replication_field *field = &table->fields[f];
            uint32_t far = field->bits == 32 ? 33 : field->bits + 2; // digits of the zigzag of a difference, plus one
            uint32_t near = field->delta_bits + 2 * (far - field->delta_bits) - 1;
            element += 1u + (field->kind == REPLICATION_TICK) + (field->delta_bits ? near : field->bits);
        }
        bits += element * table->capacity;
    }
    return bits;
}

TEST(the_worst_difference_fits)
{
    assert_in_range(most_bits() / 8 + 1, 60 * 1024, SNAPSHOT_BODY_BYTES_MAX);
}

// Two small worlds without a match: four player slots, ten ticks apart.
static void make_small_worlds(struct world *before, struct world *after)
{
    memset(before, 0, sizeof *before);
    before->tick = 1000;
    before->player_slots = 4;
    before->players[2].coyote_until = 1005;
    before->players[2].vx = 100;
    *after = *before;
    after->tick = 1010;
    after->players[2].vx = 97;
    after->players[2].coyote_until = 1015; // kept pace
    after->players[2].forced_until = 1013;
    after->players[2].team = 2;
    after->actors[2].rem_y = -128;
}

// How many fields of a table come after one.
static uint32_t fields_after(uint32_t table, const char *name)
{
    uint32_t field = 0;
    while (strcmp(REPLICATION_TABLES[table].fields[field].name, name) != 0)
        field++;
    return REPLICATION_TABLES[table].field_count - field - 1;
}

TEST(a_body_is_encoded_as_protocol_md_says)
{
    make_small_worlds(&kept[0], &kept[1]);
    struct bit_writer bits = bits_writer(body, sizeof body);
    bits_write_number(&bits, 20);                              // zigzag(10)
    bits_write_number(&bits, 0);                               // head: it is changed,
    bits_write_number(&bits, 0);                               // its tick is,
    bits_write(&bits, 1, 1);                                   // and kept pace,
    bits_write_number(&bits, fields_after(0, "tick"));         // no other field is
    bits_write_number(&bits, 2);                               // player: two are equal
    bits_write_number(&bits, 4);                               // player 2: four fields to team
    bits_write(&bits, 2, 2);                                   // whole
    bits_write_number(&bits, 8);                               // eight to vx
    bits_write(&bits, 5, 8);                                   // zigzag(-3), lowest 8
    bits_write_number(&bits, 0);                               // nothing above
    bits_write_number(&bits, 4);                               // four to coyote_until
    bits_write(&bits, 1, 1);                                   // kept pace
    bits_write_number(&bits, 3);                               // three to forced_until
    bits_write(&bits, 0, 1);                                   // another pace
    bits_write(&bits, 6, 5);                                   // zigzag(3), lowest 5
    bits_write_number(&bits, 0);                               // nothing above
    bits_write_number(&bits, fields_after(2, "forced_until")); // the rest is equal
    bits_write_number(&bits, 1);                               // one player left
    bits_write_number(&bits, 2);                               // body: two are equal
    bits_write_number(&bits, 5);                               // five fields to rem_y
    bits_write(&bits, 0x180, 9);                               // -128
    bits_write_number(&bits, 7);
    bits_write_number(&bits, 1);
    size_t expected_bytes = bits_flush(&bits);
    static uint8_t found[SNAPSHOT_BODY_BYTES_MAX];
    assert_int_equal(snapshot_body_encode(&kept[0], &kept[1], found, sizeof found), expected_bytes);
    assert_memory_equal(found, body, expected_bytes);
}

TEST(bodies_that_no_encoder_writes_are_refused)
{
    static const struct {
        uint32_t count, numbers[5];
    } rows[] = {
        /* 1 */ {3, {2, 0, 17}},      // head: a run beyond its 16 fields
        /* 2 */ {2, {2, 2}},          // a run beyond its one element
        /* 3 */ {3, {2, 0, 0}},       // the body ends there
        /* 4 */ {2, {2, 1}},          // one tick later, says the beginning; the head does not
        /* 5 */ {2, {UINT32_MAX, 1}}, // nor this one
    };
    begin_match(6, 3);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bit_writer bits = bits_writer(body, sizeof body);
        for (uint32_t n = 0; n < rows[i].count; n++)
            bits_write_number(&bits, rows[i].numbers[n]);
        for (uint32_t t = 1; t < REPLICATION_TABLE_COUNT; t++) { // everything else is equal
            uint32_t used = replication_table_used(&REPLICATION_TABLES[t], &match.world);
            if (used > 0 && i >= 3)
                bits_write_number(&bits, used);
        }
        if (snapshot_body_decode(&made, &match.world, &match.map, body, bits_flush(&bits)))
            fail_msg("row %zu is accepted", i + 1);
    }
}

TEST(damaged_bodies_are_refused_or_give_a_valid_world)
{
    begin_match(5, 10);
    kept[0] = match.world;
    step_match(200);
    size_t byte_count = snapshot_body_encode(&kept[0], &match.world, body, sizeof body);
    static uint8_t bent[SNAPSHOT_BODY_BYTES_MAX];
    uint32_t refused = 0;
    for (size_t bit = 0; bit < 8 * byte_count; bit++) {
        memcpy(bent, body, byte_count);
        bent[bit / 8] ^= (uint8_t)(1u << bit % 8);
        if (!snapshot_body_decode(&made, &kept[0], &match.map, bent, byte_count)) {
            refused++;
            continue;
        }
        assert_true(world_validate(&made, &match.map));
        world_step(&made, &match.map, match.inputs);
    }
    assert_true(refused > byte_count);
    for (size_t cut = 0; cut < byte_count; cut++)
        assert_false(snapshot_body_decode(&made, &kept[0], &match.map, body, cut));
    body[byte_count] = 0;
    assert_false(snapshot_body_decode(&made, &kept[0], &match.map, body, byte_count + 1));
}

static const struct snapshot_head HEADS[] = {
    /* 0 */ {.tick = 1, .parts = 1},
    /* 1 */ {1000, 994, 0xDEADBEEF, 1003, -128, 1, 0, 1},
    /* 2 */ {UINT32_MAX, 0, UINT32_MAX, 0, 127, 65535, 63, 64},
    /* 3 */ {UINT32_MAX, UINT32_MAX, 0, 1, 0, 0, 3, 5},
    /* 4 */ {50, 40, 0, UINT32_MAX, 0, 0, 0, 64},
};

TEST(heads_are_decoded_as_they_were_encoded)
{
    static const uint8_t part[SNAPSHOT_PART_BYTES] = {1, 2, 3};
    for (size_t i = 0; i < COUNT_OF(HEADS); i++) {
        uint8_t bytes[MESSAGE_BYTES_MAX];
        size_t byte_count = snapshot_part_encode(&HEADS[i], part, sizeof part, bytes);
        assert_in_range(byte_count, SNAPSHOT_PART_BYTES + 1, MESSAGE_BYTES_MAX);
        struct snapshot_head head;
        const uint8_t *found;
        size_t found_count;
        assert_true(snapshot_part_decode(&head, &found, &found_count, bytes, byte_count));
        assert_memory_equal(&head, &HEADS[i], sizeof head);
        assert_int_equal(found_count, sizeof part);
        assert_memory_equal(found, part, sizeof part);
        for (size_t cut = 0; cut < byte_count - sizeof part + 1; cut++)
            assert_false(snapshot_part_decode(&head, &found, &found_count, bytes, cut));
    }
}

TEST(the_head_of_a_typical_snapshot_takes_twelve_bytes)
{
    // 7; 1000; 6: 00111; DEADBEEF; zigzag(3) = 6: 00111; 80; 1: 010; 0: 1; 0: 1
    uint8_t expected[] = {7, 0xE8, 3, 0, 0, 0xFC, 0xDD, 0xB7, 0xD5, 0x9B, 0x03, 0x6A, 0xAA};
    uint8_t bytes[MESSAGE_BYTES_MAX];
    size_t byte_count = snapshot_part_encode(&HEADS[1], (const uint8_t[]){0xAA}, 1, bytes);
    assert_int_equal(byte_count, sizeof expected);
    assert_memory_equal(bytes, expected, sizeof expected);
}

TEST(a_margin_beyond_a_byte_is_clamped)
{
    static const int32_t rows[][2] = {/* 1 */ {200, 127}, /* 2 */ {-1000, -128}, /* 3 */ {-3, -3}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct snapshot_head head = {.tick = 1, .parts = 1, .margin_quarter_ticks = rows[i][0]};
        uint8_t bytes[MESSAGE_BYTES_MAX];
        const uint8_t *part;
        size_t count = snapshot_part_encode(&head, (const uint8_t[]){0}, 1, bytes);
        assert_true(snapshot_part_decode(&head, &part, &count, bytes, count));
        assert_int_equal(head.margin_quarter_ticks, rows[i][1]);
    }
}

// Writes the head of tick 5, which is a full snapshot. Returns its bytes.
static size_t write_head(uint8_t bytes[MESSAGE_BYTES_MAX], uint32_t missed, uint32_t last_part, uint32_t part)
{
    struct bit_writer bits = bits_writer(bytes, MESSAGE_BYTES_MAX);
    bits_write(&bits, MESSAGE_SNAPSHOT, 8);
    bits_write(&bits, 5, 32);
    bits_write_number(&bits, 0);
    bits_write(&bits, 0, 32);
    bits_write_number(&bits, 0);
    bits_write(&bits, 0, 8);
    bits_write_number(&bits, missed);
    bits_write_number(&bits, last_part);
    bits_write_number(&bits, part);
    return bits_flush(&bits);
}

TEST(heads_that_no_encoder_writes_are_refused)
{
    uint8_t bytes[MESSAGE_BYTES_MAX + 1] = {0};
    struct snapshot_head head;
    const uint8_t *part;
    size_t count, byte_count = snapshot_part_encode(&HEADS[4], body, SNAPSHOT_PART_BYTES, bytes);
    assert_false(snapshot_part_decode(&head, &part, &count, bytes, byte_count - 1)); // not the last, and not full
    assert_false(snapshot_part_decode(&head, &part, &count, bytes, byte_count + 1)); // more than a part holds
    byte_count = write_head(bytes, 0, 2, 3);                                         // the fourth of three
    assert_false(snapshot_part_decode(&head, &part, &count, bytes, byte_count + SNAPSHOT_PART_BYTES));
    byte_count = write_head(bytes, 65536, 0, 0); // more misses than a head can hold
    assert_false(snapshot_part_decode(&head, &part, &count, bytes, byte_count + 1));
    byte_count = write_head(bytes, 65535, 0, 0);
    assert_true(snapshot_part_decode(&head, &part, &count, bytes, byte_count + 1));
    byte_count = snapshot_part_encode(&HEADS[4], body, SNAPSHOT_PART_BYTES, bytes);
    bytes[0] = MESSAGE_SYSTEM;
    assert_false(snapshot_part_decode(&head, &part, &count, bytes, byte_count));
    byte_count = snapshot_part_encode(&HEADS[1], body, 5, bytes);
    bytes[1] = bytes[2] = 0; // tick 0 cannot have a baseline 6 ticks earlier
    assert_false(snapshot_part_decode(&head, &part, &count, bytes, byte_count));
}

static struct snapshot_assembly assembly;

static bool add(tick at, uint32_t part, uint32_t parts, size_t byte_count)
{
    static uint8_t bytes[SNAPSHOT_PART_BYTES];
    memset(bytes, (int)(at + part), sizeof bytes);
    struct snapshot_head head = {.tick = at, .part = part, .parts = parts};
    return snapshot_assembly_add(&assembly, &head, bytes, byte_count);
}

TEST(parts_make_a_body_in_any_order)
{
    memset(&assembly, 0, sizeof assembly);
    assert_false(add(5, 2, 3, 10));
    assert_false(add(5, 0, 3, 1024));
    assert_false(add(5, 0, 3, 1024)); // twice
    assert_true(add(5, 1, 3, 1024));
    assert_int_equal(assembly.byte_count, 2058);
    assert_int_equal(assembly.head.tick, 5);
    assert_int_equal(assembly.body[0], 5);
    assert_int_equal(assembly.body[1024], 6);
    assert_int_equal(assembly.body[2057], 7);
    assert_false(add(5, 1, 3, 1024)); // it was complete already
}

TEST(a_newer_tick_replaces_the_parts_and_an_older_is_ignored)
{
    memset(&assembly, 0, sizeof assembly);
    assert_false(add(5, 0, 2, 1024));
    assert_false(add(7, 1, 2, 100));
    assert_false(add(5, 1, 2, 100)); // older
    assert_true(add(7, 0, 2, 1024));
    assert_true(add(8, 0, 1, 50));
    assert_int_equal(assembly.byte_count, 50);
    assert_false(add(7, 0, 1, 50));
    assert_false(add(8, 0, SNAPSHOT_PARTS_MAX, 1024)); // the same tick in another number of parts
    assert_false(add(8, SNAPSHOT_PARTS_MAX - 1, SNAPSHOT_PARTS_MAX, 1024));
    assert_int_equal(assembly.byte_count, SNAPSHOT_BODY_BYTES_MAX);
}
