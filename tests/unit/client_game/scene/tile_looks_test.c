// SPDX-License-Identifier: MIT
// Tests the table of looks: it says what is computed tile by tile, and follows breaking blocks and other maps.
#include <string.h>

#include "scene/tiles.h"
#include "test.h"
#include "test_map.h"

static struct map map;
static uint32_t broken[MAP_TILE_CAPACITY / 32];
static struct tile_looks looks;
static const struct tile_view TILES = {&map, broken};

static void compare(void)
{
    tile_looks_update(&looks, &TILES);
    assert_true(tile_looks_are_of(&looks, &TILES));
    for (int32_t row = -50; row < map.rows + 50; row++)
        for (int32_t column = -50; column < map.columns + 50; column++)
            if (tile_looks_at(&looks, &TILES, column, row) != tile_looks_at(NULL, &TILES, column, row))
                fail_msg("tile %d, %d", column, row);
}

TEST(looks_follow_the_map)
{
    for (uint32_t seed = 1; seed < 9; seed++) {
        test_map_random(&map, seed, seed % 2 ? 60 : 33, seed % 3 ? 40 : 21);
        map.outside = seed % 3;
        memset(broken, 0, sizeof broken);
        assert_false(tile_looks_are_of(&looks, &TILES));
        compare();
    }
}

TEST(a_breaking_block_shows_what_is_behind_it)
{
    static const char *const WALL[] = {"########", "#.BBBB.#", "#.#..#.#", "#......#", "#......#",
                                       "#......#", "#.S....#", "########", 0};
    test_map_draw(&map, WALL);
    memset(broken, 0, sizeof broken);
    compare();
    for (int32_t tile = 0; tile < map.columns * map.rows; tile++) {
        if (map.tiles[tile] != DF_TILE_BLOCK)
            continue;
        broken[tile / 32] |= 1u << tile % 32;
        assert_false(tile_looks_are_of(&looks, &TILES));
        compare();
    }
}

TEST(depth_and_open_sides_are_those_of_the_drawing)
{
    static const char *const ROOM[] = {
        "##########", "##########", "##########", "####..####", "####.S####", "##########", 0};
    test_map_draw(&map, ROOM);
    memset(broken, 0, sizeof broken);
    compare();
    assert_int_equal(tile_looks_at(&looks, &TILES, 4, 2) & ~(uint32_t)TILE_LOOK_LAMP, TILE_LOOK_BELOW);
    assert_int_equal(tile_looks_at(&looks, &TILES, 3, 3) & (TILE_LOOK_DEPTH | TILE_LOOK_RIGHT | TILE_LOOK_LEFT),
                     TILE_LOOK_RIGHT);
    assert_int_equal(tile_looks_at(&looks, &TILES, 4, 1) & TILE_LOOK_DEPTH, 1);
    assert_int_equal(tile_looks_at(&looks, &TILES, 0, 0) & TILE_LOOK_DEPTH, 3);
    assert_true(tile_looks_at(&looks, &TILES, 6, 5) & TILE_LOOK_CORNER_LEFT);
    assert_true(tile_looks_at(&looks, &TILES, 3, 5) & TILE_LOOK_CORNER_RIGHT);
}
