// SPDX-License-Identifier: MIT
// Tests drill arrows, which pass through one wall of tiles and no more.
#include "game/tuning.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

static void build_wall(int32_t column, int32_t columns, enum df_tile kind)
{
    for (int32_t row = 1; row < 8; row++)
        for (int32_t i = 0; i < columns; i++)
            match.map.tiles[row * 32 + column + i] = (uint8_t)kind;
}

TEST(a_drill_passes_one_wall_and_sticks_in_the_next)
{
    struct player *player = test_match_in_hall(&match, 60);
    build_wall(12, 1, DF_TILE_SOLID);
    build_wall(20, 1, DF_TILE_SOLID);
    player->drills = 1;
    test_match_shoot(&match, 0, BUTTON_RIGHT);
    test_match_step(&match, 40);
    assert_int_equal(match.world.arrows[0].state, ARROW_STUCK);
    assert_int_equal(match.world.actors[PLAYER_CAPACITY].x + 4, 160);
    assert_int_equal(match.world.arrows[0].spent, 1);
    assert_non_null(test_match_event(&match, EVENT_DRILL));
}

TEST(a_wall_that_is_too_thick_stops_a_drill)
{
    for (int32_t columns = 5; columns <= 6; columns++) {
        struct player *player = test_match_in_hall(&match, 60);
        build_wall(12, columns, DF_TILE_SOLID);
        player->drills = 1;
        test_match_shoot(&match, 0, BUTTON_RIGHT);
        test_match_step(&match, 60);
        assert_int_equal(match.world.actors[PLAYER_CAPACITY].x + 4, columns == 5 ? 248 : 96);
    }
}

TEST(a_drill_passes_blocks_without_breaking_them)
{
    struct player *player = test_match_in_hall(&match, 60);
    build_wall(12, 2, DF_TILE_BLOCK);
    player->drills = 1;
    test_match_shoot(&match, 0, BUTTON_RIGHT);
    test_match_step(&match, 60);
    assert_true(match.world.actors[PLAYER_CAPACITY].x > 112);
    assert_null(test_match_event(&match, EVENT_BREAK));
}

TEST(a_drill_flies_the_same_to_the_left_and_to_the_right)
{
    int32_t reached[2];
    for (int side = 0; side <= 1; side++) {
        struct player *player = test_match_in_hall(&match, 128);
        build_wall(20, 2, DF_TILE_SOLID);
        build_wall(10, 2, DF_TILE_SOLID);
        player->drills = 1;
        test_match_hold(&match, 0, (side ? BUTTON_RIGHT : BUTTON_LEFT) | BUTTON_UP | BUTTON_SHOOT);
        test_match_step(&match, 8);
        const struct df_actor *a = &match.world.actors[PLAYER_CAPACITY];
        reached[side] = side ? a->x + 4 : 256 - a->x;
    }
    assert_int_equal(reached[0], reached[1]);
}

TEST(the_edge_of_the_map_stops_a_drill)
{
    struct player *player = test_match_in_hall(&match, 200);
    player->drills = 1;
    test_match_shoot(&match, 0, BUTTON_RIGHT);
    test_match_step(&match, 30);
    assert_int_equal(match.world.arrows[0].state, ARROW_STUCK);
    assert_int_equal(match.world.actors[PLAYER_CAPACITY].x + 4, 248);
    assert_int_equal(match.world.arrows[0].spent, 0);
}

TEST(a_moving_solid_stops_a_drill)
{
    test_match_draw(&match, TEST_MAP_HALL);
    test_map_crusher(&match.map, (struct df_box){160, 8, 8, 56}, 1);
    test_match_start(&match);
    test_match_put(&match, 0, 60, 64)->drills = 1;
    test_match_shoot(&match, 0, BUTTON_RIGHT);
    test_match_step(&match, 30);
    assert_int_equal(match.world.arrows[0].stuck_in, 1);
}

TEST(a_drill_kills_behind_the_wall)
{
    struct player *player = test_match_in_hall(&match, 60), *hidden = test_match_put(&match, 1, 120, 64);
    match.world.round.phase = ROUND_PLAYING;
    build_wall(12, 1, DF_TILE_SOLID);
    player->drills = 1;
    test_match_shoot(&match, 0, BUTTON_RIGHT);
    test_match_step(&match, 20);
    assert_int_equal(hidden->state, PLAYER_DEAD);
    assert_int_equal(player->stats.kills, 1);
}

TEST(a_drill_is_picked_up_as_a_drill)
{
    struct player *player = test_match_in_hall(&match, 60);
    build_wall(12, 1, DF_TILE_SOLID);
    player->drills = 1;
    test_match_shoot(&match, 0, BUTTON_RIGHT);
    test_match_step(&match, 40);
    test_match_body(&match, 0)->x = 240;
    test_match_step(&match, 2);
    assert_int_equal(player->drills, 1);
    assert_int_equal(player->arrows, 3);
    assert_int_equal(test_match_event(&match, EVENT_PICKUP)->detail, ARROW_DRILL);
}

TEST(bombs_are_shot_first_then_drills_then_the_rest)
{
    struct player *player = test_match_in_hall(&match, 60);
    player->bombs = player->drills = 1;
    for (uint32_t i = 0; i < 3; i++) {
        test_match_forget(&match);
        test_match_shoot(&match, 0, BUTTON_UP);
        static const uint32_t kinds[] = {ARROW_BOMB, ARROW_DRILL, ARROW_NORMAL};
        assert_int_equal(test_match_event(&match, EVENT_SHOOT)->detail, kinds[i]);
        test_match_body(&match, 0)->x = 20 + 60 * (int32_t)i;
        test_match_step(&match, TUNING.shoot_cooldown_ticks);
    }
    assert_int_equal(player->arrows, 0);
}
