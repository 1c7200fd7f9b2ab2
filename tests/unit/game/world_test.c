// SPDX-License-Identifier: MIT
// Tests a world as plain data: commands, copies, hashes, and that equal steps give equal worlds.
#include <string.h>

#include "base/random.h"
#include "sync/player_name.h"
#include "sync/world.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match, again;
static struct world copy;

static void join(struct test_match *in, uint32_t slot)
{
    struct command command = {.kind = COMMAND_JOIN, .slot = slot, .colour = slot % 16, .name = {'a' + slot}};
    assert_true(world_command(&in->world, &in->map, &command));
}

static void begin(struct test_match *in, uint32_t seed, uint32_t players)
{
    test_map_random(&in->map, seed, 48, 32);
    test_match_start(in);
    for (uint32_t slot = 0; slot < players; slot++)
        join(in, slot);
}

static void play(struct test_match *in, uint32_t ticks)
{
    for (; ticks > 0; ticks--) {
        test_match_think(in, 3);
        test_match_step(in, 1);
    }
}

TEST(a_new_world_is_at_tick_zero_with_solids_in_place)
{
    begin(&match, 3, 0);
    assert_int_equal(match.world.tick, 0);
    assert_int_equal(match.world.solid_count, match.map.solid_count);
    assert_int_equal(match.world.broken_words, 48 * 32 / 32);
    assert_true(world_validate(&match.world, &match.map));
}

TEST(invalid_joins_and_leaves_change_nothing)
{
    begin(&match, 3, 2);
    copy = match.world;
    struct command senseless[] = {
        {.kind = COMMAND_JOIN, .slot = 0},
        {.kind = COMMAND_JOIN, .slot = PLAYER_CAPACITY},
        {.kind = COMMAND_JOIN, .slot = 5, .colour = 16},
        {.kind = COMMAND_JOIN, .slot = 5, .record = {.team = 3}},
        {.kind = COMMAND_JOIN, .slot = 5, .record = {.handicap = HANDICAPS}},
        {.kind = COMMAND_JOIN, .slot = 5, .record = {.score = 500001}},
        {.kind = COMMAND_JOIN, .slot = 5, .record = {.score = INT32_MIN}},
        {.kind = COMMAND_JOIN, .slot = 5, .bot = 2},
        {.kind = COMMAND_LEAVE, .slot = 5},
        {.kind = COMMAND_LEAVE, .slot = UINT32_MAX},
        {.kind = COMMAND_KINDS, .slot = 0},
    };
    for (size_t i = 0; i < sizeof senseless / sizeof senseless[0]; i++) {
        assert_false(world_command(&match.world, &match.map, &senseless[i]));
        assert_memory_equal(&match.world, &copy, sizeof copy);
    }
}

TEST(no_other_player_refers_to_one_who_left)
{
    begin(&match, 3, 4);
    test_match_step(&match, 2);
    match.world.players[1].shover = 4;
    match.world.arrows[0] = (struct arrow){.state = ARROW_STUCK, .owner = 4};
    match.world.arrow_slots = 1;
    assert_true(world_command(&match.world, &match.map, &(struct command){.kind = COMMAND_LEAVE, .slot = 2}));
    assert_int_equal(match.world.player_slots, 4);
    assert_true(world_command(&match.world, &match.map, &(struct command){.kind = COMMAND_LEAVE, .slot = 3}));
    assert_int_equal(match.world.player_slots, 2);
    assert_int_equal(match.world.players[1].shover, 0);
    assert_int_equal(match.world.arrows[0].owner, 0);
    struct player nobody = {0};
    assert_memory_equal(&match.world.players[3], &nobody, sizeof nobody);
}

TEST(no_two_players_have_the_same_generation)
{
    begin(&match, 3, 1);
    uint32_t first = match.world.players[0].generation;
    assert_true(world_command(&match.world, &match.map, &(struct command){.kind = COMMAND_LEAVE, .slot = 0}));
    join(&match, 0);
    assert_true(match.world.players[0].generation > first);
}

TEST(the_same_steps_give_the_same_world)
{
    begin(&match, 5, 12);
    begin(&again, 5, 12);
    play(&match, 900);
    play(&again, 900);
    assert_memory_equal(&match.world, &again.world, sizeof match.world);
}

TEST(a_copy_equals_the_original_in_every_byte)
{
    begin(&match, 6, 20);
    begin(&again, 7, 40);
    play(&match, 400);
    play(&again, 700);
    world_copy(&again.world, &match.world);
    assert_memory_equal(&again.world, &match.world, sizeof match.world);
    assert_true(world_hash(&again.world) == world_hash(&match.world));
}

TEST(everything_beyond_the_used_part_is_zero)
{
    begin(&match, 8, 20);
    for (int i = 0; i < 60; i++) {
        play(&match, 20);
        memset(&copy, 0, sizeof copy);
        world_copy(&copy, &match.world);
        assert_memory_equal(&copy, &match.world, sizeof copy);
        if (i == 40)
            assert_true(world_command(&match.world, &match.map, &(struct command){.kind = COMMAND_LEAVE, .slot = 19}));
    }
}

TEST(every_used_word_changes_the_hash)
{
    begin(&match, 9, 6);
    play(&match, 500);
    uint64_t hash = world_hash(&match.world);
    for (uint32_t t = 0; t < REPLICATION_TABLE_COUNT; t++) {
        const struct replication_table *table = &REPLICATION_TABLES[t];
        if (t == 0)
            continue; // a changed count changes which part is used
        uint32_t *words = replication_table_words(table, &match.world);
        for (uint32_t i = 0; i < replication_table_used(table, &match.world) * table->field_count; i++) {
            words[i] ^= 1;
            assert_true(world_hash(&match.world) != hash);
            words[i] ^= 1;
        }
    }
    match.world.random ^= 1;
    assert_true(world_hash(&match.world) != hash);
}

TEST(a_copy_steps_to_the_same_world)
{
    begin(&match, 10, 16);
    for (int i = 0; i < 600; i++) {
        test_match_think(&match, 3);
        world_copy(&copy, &match.world);
        test_match_step(&match, 1);
        for (uint32_t roll = 0; roll < match.roll_count; roll++)
            assert_true(world_command(&copy, &match.map, &match.rolls[roll]));
        world_step(&copy, &match.map, match.inputs);
        assert_true(world_hash(&copy) == world_hash(&match.world));
    }
}

TEST(unknown_buttons_are_ignored)
{
    begin(&match, 3, 1);
    test_match_step(&match, 2);
    test_match_hold(&match, 0, UINT32_MAX);
    test_match_step(&match, 1);
    assert_int_equal(match.world.players[0].buttons, 0xFF);
}

TEST(a_world_fits_in_128_kilobytes_and_the_index_in_its_memory)
{
    test_map_random(&match.map, 4, MAP_SIDE_CAPACITY, MAP_SIDE_CAPACITY);
    for (uint32_t outside = 0; outside < 3; outside++) {
        match.map.outside = outside;
        struct map_point line[] = {{0, 0}, {8, 0}};
        while (match.map.solid_count < MAP_SOLID_CAPACITY)
            test_map_mover(&match.map, (struct df_box){8, 8, 8, 8}, line, 2, MAP_PATH_LOOP, 60);
        test_match_start(&match);
        join(&match, PLAYER_CAPACITY - 1);
        test_match_step(&match, 3); // world_step asserts it
    }
    assert_true(sizeof(struct world) <= 128 * 1024);
}

TEST(a_name_is_the_bytes_of_its_text_in_little_endian_words)
{
    static const struct {
        const char *given, *shown;
        uint32_t name[PLAYER_NAME_BYTES / 4];
    } rows[] = {
        {"", "", {0}},
        {"Zo\xc3\xab", "Zo\xc3\xab", {0xABC36F5A}},
        {"Ann B", "Ann B", {0x206E6E41, 0x42}},
        {"0123456789abcdefgh", "0123456789abcdef", {0x33323130, 0x37363534, 0x62613938, 0x66656463}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t name[PLAYER_NAME_BYTES / 4];
        char text[PLAYER_NAME_BYTES + 1];
        memset(name, 0xFF, sizeof name);
        memset(text, 0xFF, sizeof text);
        player_name_from_text(name, rows[i].given);
        assert_memory_equal(name, rows[i].name, sizeof name);
        player_name_to_text(name, text);
        assert_string_equal(text, rows[i].shown);
    }
}
