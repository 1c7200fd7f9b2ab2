// SPDX-License-Identifier: MIT
// Tests crushers: they see a player, warn, fall, rest and rise.
#include "game/entities/entities.h"
#include "game/tuning.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

static const char *const HALL[] = {"################", "#..............#", "#..............#",
                                   "#..............#", "#..............#", "#..............#",
                                   "#.S............#", "################", NULL};

static struct crusher *in_hall(void)
{
    test_match_draw(&match, HALL);
    test_map_crusher(&match.map, (struct df_box){64, 8, 24, 16}, 32);
    test_match_start(&match);
    match.world.round.phase = ROUND_PLAYING;
    return &match.world.crushers[0];
}

TEST(a_crusher_waits_while_nobody_is_beneath)
{
    struct crusher *trap = in_hall();
    test_match_put(&match, 0, 59, 56);
    struct player *dead = test_match_put(&match, 1, 76, 56);
    dead->state = PLAYER_DEAD;
    dead->respawn_tick = 100000;
    test_match_body(&match, 1)->flags = 0;
    test_match_step(&match, 200);
    assert_int_equal(trap->state, CRUSHER_ARMED);
    assert_int_equal(match.world.solids[0].y, 8);
}

TEST(a_crusher_warns_for_twenty_ticks_and_falls_faster_and_faster)
{
    struct crusher *trap = in_hall();
    test_match_put(&match, 0, 60 + 1, 56);
    test_match_step(&match, 1);
    assert_int_equal(trap->state, CRUSHER_WARNING);
    assert_int_equal(test_match_event(&match, EVENT_WARN)->detail, 0);
    test_match_step(&match, 19);
    assert_int_equal(trap->state, CRUSHER_WARNING);
    test_match_step(&match, 1);
    assert_int_equal(trap->state, CRUSHER_FALLING);
    assert_int_equal(match.world.solids[0].y, 8);
    test_match_step(&match, 1);
    assert_int_equal(trap->vy, 96);
    test_match_step(&match, 4);
    assert_int_equal(trap->vy, 5 * 96);
    assert_int_equal(trap->fallen, 15 * 96);
}

TEST(a_crusher_slams_rests_sixty_ticks_and_rises)
{
    struct crusher *trap = in_hall();
    test_match_put(&match, 0, 61, 56);
    while (trap->state != CRUSHER_RESTING)
        test_match_step(&match, 1);
    assert_int_equal(match.world.solids[0].y, 40);
    assert_int_equal(trap->fallen, 32 * 256);
    assert_non_null(test_match_event(&match, EVENT_SLAM));
    tick slam_tick = match.world.tick;
    test_match_body(&match, 0)->x = 20;
    while (trap->state == CRUSHER_RESTING)
        test_match_step(&match, 1);
    assert_int_equal(match.world.tick - slam_tick, TUNING.crusher_rest_ticks);
    while (trap->state == CRUSHER_RISING)
        test_match_step(&match, 1);
    assert_int_equal(trap->state, CRUSHER_ARMED);
    assert_int_equal(match.world.solids[0].y, 8);
    assert_int_equal(match.world.solids[0].rem_y, 0);
    assert_int_equal(match.world.tick - slam_tick,
                     TUNING.crusher_rest_ticks + (uint32_t)(32 * 256 / TUNING.crusher_rise));
}

TEST(a_player_beneath_is_squished_in_spite_of_a_shield)
{
    for (uint32_t shield = 0; shield < 2; shield++) {
        in_hall();
        struct player *player = test_match_put(&match, 0, 76, 56);
        test_match_put(&match, 1, 20, 56);
        player->shield_until = shield * 1000;
        test_match_step(&match, 60);
        assert_int_equal(player->state, PLAYER_DEAD);
        assert_int_equal(player->score, -1);
        assert_int_equal(test_match_event(&match, EVENT_KILL)->detail, DEATH_SQUISH);
        assert_int_equal(test_match_event(&match, EVENT_KILL)->other, EVENT_NOBODY);
    }
}

TEST(a_player_on_a_crusher_is_carried_up)
{
    struct crusher *trap = in_hall();
    test_match_put(&match, 0, 61, 56);
    while (trap->state != CRUSHER_RESTING)
        test_match_step(&match, 1);
    test_match_body(&match, 0)->x = 20;
    test_match_put(&match, 1, 76, 40);
    while (trap->state != CRUSHER_ARMED && match.world.players[1].state == PLAYER_ALIVE && match.world.solids[0].y > 20)
        test_match_step(&match, 1);
    assert_int_equal(test_match_body(&match, 1)->y + 11, match.world.solids[0].y);
    assert_true(match.world.players[1].flags & PLAYER_GROUNDED);
}

TEST(a_crusher_threatens_its_whole_path_while_it_warns_and_falls)
{
    struct crusher *trap = in_hall();
    struct df_box beneath = {70, 45, 8, 11}, beside = {30, 45, 8, 11};
    assert_false(crusher_threatens(&match.world, &match.map, beneath));
    trap->state = CRUSHER_WARNING;
    assert_true(crusher_threatens(&match.world, &match.map, beneath));
    assert_false(crusher_threatens(&match.world, &match.map, beside));
    trap->state = CRUSHER_RISING;
    assert_false(crusher_threatens(&match.world, &match.map, beneath));
}

TEST(a_crusher_sees_and_threatens_across_the_seam)
{
    test_match_draw(&match, HALL);
    for (int32_t row = 0; row < 7; row++)
        match.map.tiles[row * 16] = match.map.tiles[row * 16 + 15] = DF_TILE_EMPTY;
    match.map.outside = DF_OUTSIDE_WRAP;
    test_map_crusher(&match.map, (struct df_box){0, 8, 16, 16}, 32);
    test_match_start(&match);
    test_match_put(&match, 0, 127, 56); // the player's box is 123 to 131, so 3 px of it are at the left edge
    test_match_step(&match, 1);
    assert_int_equal(match.world.crushers[0].state, CRUSHER_WARNING);
    assert_true(crusher_threatens(&match.world, &match.map, (struct df_box){123, 45, 8, 11}));
    assert_false(crusher_threatens(&match.world, &match.map, (struct df_box){120, 45, 8, 11}));
}
