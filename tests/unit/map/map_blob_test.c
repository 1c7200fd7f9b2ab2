// SPDX-License-Identifier: MIT
//
// Tests the map blob: every map survives encoding, and has only one encoding.
#include <stdlib.h>
#include <string.h>

#include "game/map/map_blob.h"
#include "test.h"

static struct map small_map(void)
{
    struct map map = {.name = "pit", .theme = MAP_THEME_SNOW, .outside = DF_OUTSIDE_WRAP, .columns = 6, .rows = 5};
    map.block_return_ticks = 600;
    map.tiles[7] = DF_TILE_ONEWAY;
    map.tiles[8] = DF_TILE_BLOCK;
    memset(map.tiles + 24, DF_TILE_SOLID, 6);
    map.spawns[map.spawn_count++] = (struct map_spawn){.x = 24, .y = 32, .team = 2};
    map.solids[map.solid_count++] = (struct map_solid){.kind = MAP_SOLID_MOVER,
                                                       .oneway = 1,
                                                       .group = 7,
                                                       .box = {-8, 9, 16, 4},
                                                       .path_mode = MAP_PATH_PINGPONG,
                                                       .path_count = 2,
                                                       .period_ticks = 300,
                                                       .phase_ticks = 30,
                                                       .belt_sub = -5};
    map.solids[map.solid_count++] = (struct map_solid){.kind = MAP_SOLID_CRUSHER, .box = {32, 2, 8, 6}, .drop_px = 24};
    map.solids[map.solid_count++] = (struct map_solid){.kind = MAP_SOLID_DOOR,
                                                       .box = {40, 8, 8, 8},
                                                       .path_mode = MAP_PATH_CALL,
                                                       .path_count = 2,
                                                       .period_ticks = 60,
                                                       .channel = 3,
                                                       .slippery = 1};
    map.points[1] = (struct map_point){10, -10};
    map.point_count = 2;
    map.balls[map.ball_count++] = (struct map_ball){.cx = 13, .cy = 3, .radius_px = 3, .vx = -9};
    map.switches[map.switch_count++] =
        (struct map_switch){.kind = MAP_SWITCH_LEVER, .box = {8, 24, 8, 8}, .channel = 3, .hold_ticks = 30};
    map.chests[map.chest_count++] =
        (struct map_chest){.x = 24, .y = 32, .gifts = 1u << MAP_GIFT_ARROWS | 1u << MAP_GIFT_SHIELD};
    map.goals[map.goal_count++] = (struct map_goal){.team = 2, .column = 2, .row = 1, .columns = 1, .rows = 1};
    return map;
}

// clang-format off
static const uint8_t SMALL[] = {
    'D', 'F', 'M', 2,                                           // magic and version
    3, 'p', 'i', 't', 4, 2, 12, 10, 0xB0, 9,                    // name, theme, outside, columns, rows, block return
    2, 6, 4, 2, 2, 2, 2,                                        // counts
    7 << 3, 1 << 3 | 2, 1 << 3 | 3, 15 << 3, 6 << 3 | 1,        // runs of 7, 1, 1, 15 and 6 tiles
    48, 64, 4,                                                  // spawn
    0, 1, 7, 15, 18, 32, 8, 1, 0, 4, 0xD8, 4, 60, 0, 0, 9, 0,   // mover
    1, 0, 0, 64, 4, 16, 12, 0, 0, 0, 0, 0, 48, 0, 0, 0,         // crusher
    2, 0, 0, 80, 16, 16, 16, 2, 0, 4, 120, 0, 0, 3, 0, 1,       // door
    0, 0, 20, 19,                                               // points
    26, 6, 6, 17, 0,                                            // ball
    1, 16, 48, 16, 16, 3, 60,                                   // switch
    48, 64, 9, 0,                                               // chest
    2, 4, 2, 2, 2,                                              // goal
};
// clang-format on

TEST(the_bytes_follow_the_layout)
{
    uint8_t bytes[sizeof SMALL];
    struct map map = small_map();
    assert_true(map_validate(&map, NULL));
    assert_int_equal(map_blob_encode(&map, bytes, sizeof bytes), sizeof SMALL);
    assert_memory_equal(bytes, SMALL, sizeof SMALL);
}

TEST(a_decoded_map_equals_the_original)
{
    struct map map = small_map(), back;
    assert_true(map_blob_decode(&back, SMALL, sizeof SMALL));
    assert_memory_equal(&map, &back, sizeof map);
}

TEST(an_encoder_writes_nothing_beyond_its_buffer)
{
    struct map map = small_map();
    for (size_t capacity = 0; capacity < sizeof SMALL; capacity++) {
        uint8_t *bytes = malloc(capacity + 1);
        bytes[capacity] = 0xA5;
        assert_int_equal(map_blob_encode(&map, bytes, capacity), 0);
        assert_int_equal(bytes[capacity], 0xA5);
        free(bytes);
    }
}

TEST(the_largest_map_fits)
{
    static struct map map, back;
    static uint8_t bytes[MAP_BLOB_BYTES_MAX];
    map = (struct map){.name = "abcdefghijklmnopqrstuvwxyz01234", .columns = 256, .rows = 256};
    for (int32_t i = 0; i < MAP_TILE_CAPACITY; i++)
        map.tiles[i] = i < 4 * 256 ? DF_TILE_EMPTY : i % 2 ? DF_TILE_ONEWAY : DF_TILE_SOLID;
    while (map.spawn_count < MAP_SPAWN_CAPACITY)
        map.spawns[map.spawn_count++] = (struct map_spawn){.x = 2000, .y = 32, .team = 2};
    for (map.point_count = 2; map.point_count < MAP_PATH_POINT_CAPACITY; map.point_count++)
        map.points[map.point_count] = (struct map_point){-2147483647 - 1, 2147483647};
    map.points[1].x = -1900;
    while (map.solid_count < MAP_SOLID_CAPACITY) {
        map.solids[map.solid_count++] = (struct map_solid){
            .box = {1900, 1900, 200, 200}, .path_count = 2, .period_ticks = 36000, .phase_ticks = 35999};
    }
    while (map.ball_count < MAP_BALL_CAPACITY) {
        map.balls[map.ball_count++] =
            (struct map_ball){.cx = 2000, .cy = 2000, .radius_px = 32, .vx = -1536, .vy = 1536};
    }
    while (map.switch_count < MAP_SWITCH_CAPACITY) {
        map.switches[map.switch_count++] =
            (struct map_switch){.box = {2000, 2000, 48, 48}, .channel = 32, .hold_ticks = 36000};
    }
    while (map.chest_count < MAP_CHEST_CAPACITY)
        map.chests[map.chest_count++] =
            (struct map_chest){.x = 2000, .y = 32, .gifts = MAP_GIFTS_ANY, .respawn_ticks = 36000};
    assert_true(map_validate(&map, NULL));
    size_t count = map_blob_encode(&map, bytes, sizeof bytes);
    assert_in_range(count, MAP_TILE_CAPACITY - 4 * 256, MAP_BLOB_BYTES_MAX);
    assert_true(map_blob_decode(&back, bytes, count));
    assert_memory_equal(&map, &back, sizeof map);
}

TEST(bytes_that_no_encoder_writes_are_refused)
{
    static const struct {
        size_t at, cut;
        uint8_t count, bytes[6];
    } ROWS[] = {
        /* 0 */ {0, 1, 1, {'E'}},                          // magic
        /* 1 */ {3, 1, 1, {1}},                            // version
        /* 2 */ {4, 1, 1, {32}},                           // name too long
        /* 3 */ {5, 1, 1, {'P'}},                          // invalid name
        /* 4 */ {7, 1, 1, {0}},                            // a zero at the end of the name
        /* 5 */ {8, 1, 1, {6}},                            // theme
        /* 6 */ {8, 1, 2, {0x84, 0}},                      // a number longer than needed
        /* 7 */ {8, 1, 5, {0x84, 0x80, 0x80, 0x80, 0x10}}, // a number beyond 32 bits
        /* 8 */ {8, 1, 6, {0x84, 0x80, 0x80, 0x80, 0x80, 1}},
        /* 9 */ {10, 1, 1, {11}},               // columns negative
        /* 10 */ {10, 1, 2, {0x82, 4}},         // 257 columns
        /* 11 */ {12, 2, 1, {1}},               // a negative time until blocks return
        /* 12 */ {14, 1, 1, {0}},               // no spawn
        /* 13 */ {20, 1, 1, {18}},              // nine goals
        /* 14 */ {21, 1, 2, {3 << 3, 4 << 3}},  // two runs of one kind
        /* 15 */ {21, 1, 2, {0, 7 << 3}},       // an empty run
        /* 16 */ {22, 1, 1, {1 << 3 | 5}},      // no such tile
        /* 17 */ {25, 1, 1, {7 << 3 | 1}},      // more tiles than the map has
        /* 18 */ {26, 2, 2, {0, 0}},            // spawn outside
        /* 19 */ {29, 1, 1, {5}},               // no such solid
        /* 20 */ {38, 1, 1, {6}},               // more points than there are
        /* 21 */ {75, 1, 1, {4}},               // a door on a channel without a switch
        /* 22 */ {77, 1, 1, {2}},               // slippery is neither 0 nor 1
        /* 23 */ {87, 1, 1, {2}},               // no such switch
        /* 24 */ {96, 1, 1, {1u << MAP_GIFTS}}, // no such gift
        /* 25 */ {98, 1, 1, {3}},               // no such team
        /* 26 */ {99, 1, 1, {2}},               // a goal without a block
        /* 27 */ {sizeof SMALL, 0, 1, {0}},     // a byte too many
        /* 28 */ {24, 2, 2, {0xB0, 1}},         // one empty tile more than the map has
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        uint8_t bytes[sizeof SMALL + 8];
        size_t rest = ROWS[i].at + ROWS[i].cut;
        memcpy(bytes, SMALL, ROWS[i].at);
        memcpy(bytes + ROWS[i].at, ROWS[i].bytes, ROWS[i].count);
        memcpy(bytes + ROWS[i].at + ROWS[i].count, SMALL + rest, sizeof SMALL - rest);
        struct map map;
        if (map_blob_decode(&map, bytes, sizeof SMALL - ROWS[i].cut + ROWS[i].count))
            fail_msg("row %zu is accepted", i);
    }
}

TEST(a_name_has_room_for_its_zero)
{
    static struct map map;
    for (uint8_t length = MAP_NAME_CAPACITY - 1; length <= MAP_NAME_CAPACITY; length++) {
        uint8_t bytes[sizeof SMALL + MAP_NAME_CAPACITY];
        memcpy(bytes, SMALL, 4);
        bytes[4] = length;
        memset(bytes + 5, 'a', length);
        memcpy(bytes + 5 + length, SMALL + 8, sizeof SMALL - 8);
        assert_int_equal(map_blob_decode(&map, bytes, sizeof SMALL - 3 + length), length < MAP_NAME_CAPACITY);
    }
}

TEST(a_truncated_blob_is_refused)
{
    for (size_t count = 0; count < sizeof SMALL; count++) {
        struct map map;
        uint8_t *exact = malloc(count + 1);
        memcpy(exact, SMALL, count);
        assert_false(map_blob_decode(&map, exact, count));
        free(exact);
    }
}

TEST(a_changed_byte_is_refused_or_gives_another_valid_map)
{
    static struct map map, original;
    original = small_map();
    size_t others = 0;
    for (size_t place = 0; place < sizeof SMALL; place++) {
        for (uint32_t value = 0; value < 256; value++) {
            uint8_t bytes[sizeof SMALL], again[sizeof SMALL];
            memcpy(bytes, SMALL, sizeof SMALL);
            bytes[place] = (uint8_t)value;
            if (value == SMALL[place] || !map_blob_decode(&map, bytes, sizeof bytes))
                continue;
            others++;
            assert_memory_not_equal(&map, &original, sizeof map);
            assert_int_equal(map_blob_encode(&map, again, sizeof again), sizeof again);
            assert_memory_equal(again, bytes, sizeof again);
        }
    }
    assert_in_range(others, 100, sizeof SMALL * 128);
}
