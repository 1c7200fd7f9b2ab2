// SPDX-License-Identifier: MIT
// Tests which players the grid finds near a box: all who overlap it, on every kind of map.
#include "base/rng.h"
#include "game/rules/rules.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;
static struct player_grid grid;

// Up to 40 px outside of the map on each side.
static struct df_box some_box(uint32_t *dice)
{
    int32_t x = (int32_t)rng_below(dice, 37 * 8 + 80) - 40, y = (int32_t)rng_below(dice, 160);
    return (struct df_box){x, y, 4, 4};
}

TEST(all_players_who_overlap_a_box_are_found)
{
    uint32_t dice = 3, met = 0, called = 0, asked = 0;
    for (uint32_t seed = 1; seed <= 30; seed++) {
        test_map_random(&match.map, seed, 37, 20);
        test_match_start(&match);
        struct step step = {.world = &match.world, .map = &match.map};
        for (uint32_t slot = 0; slot < 200; slot += 1 + rng_below(&dice, 3)) {
            struct df_box box = some_box(&dice);
            test_match_put(&match, slot, box.x, box.y);
        }
        contact_grid_build(&grid, &step);
        for (int i = 0; i < 200; i++, asked++) {
            struct df_box box = some_box(&dice);
            struct player_set set = contact_grid_near(&grid, &step, box);
            bool near[PLAYER_CAPACITY] = {false};
            for (uint32_t slot; (slot = contact_grid_next(&set)) != PLAYER_CAPACITY; called++)
                near[slot] = true;
            for (uint32_t slot = 0; slot < match.world.player_slots; slot++)
                if (match.world.players[slot].state == PLAYER_ALIVE &&
                    step_overlaps(&step, box, step_hurt_box(&step, slot))) {
                    assert_true(near[slot]);
                    met++;
                }
        }
    }
    assert_true(met > 500);
    assert_true(called / asked < 12); // out of about 100: far from all players
}

TEST(players_far_to_any_side_are_not_found)
{
    static const struct df_box far[] = {{8, 80, 8, 11}, {144, 80, 8, 11}, {80, 8, 8, 11}, {80, 144, 8, 11}};
    test_map_random(&match.map, 1, 37, 20);
    test_match_start(&match);
    test_match_put(&match, 5, 80, 80);
    struct step step = {.world = &match.world, .map = &match.map};
    contact_grid_build(&grid, &step);
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
        struct player_set set = contact_grid_near(&grid, &step, far[i]);
        assert_int_equal(contact_grid_next(&set), PLAYER_CAPACITY);
    }
}

// 37 tiles are nine cells and a part of one; a box reaches over that part.
TEST(a_box_over_the_seam_finds_all_who_overlap_it)
{
    test_map_random(&match.map, 1, 37, 37);
    match.map.outside = DF_OUTSIDE_WRAP;
    test_match_start(&match);
    test_match_put(&match, 5, 292, 296);
    struct step step = {.world = &match.world, .map = &match.map};
    contact_grid_build(&grid, &step);
    for (int32_t from_px = 264; from_px <= 280; from_px += 4) {
        struct player_set set = contact_grid_near(&grid, &step, (struct df_box){from_px, from_px, 32, 32});
        assert_int_equal(contact_grid_next(&set), 5);
    }
}

TEST(dead_and_absent_players_are_not_found)
{
    test_map_random(&match.map, 1, 37, 20);
    test_match_start(&match);
    test_match_put(&match, 5, 50, 50)->state = PLAYER_DEAD;
    struct step step = {.world = &match.world, .map = &match.map};
    contact_grid_build(&grid, &step);
    struct player_set set = contact_grid_near(&grid, &step, (struct df_box){46, 39, 8, 11});
    assert_int_equal(contact_grid_next(&set), PLAYER_CAPACITY);
}
