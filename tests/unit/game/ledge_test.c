// SPDX-License-Identifier: MIT
// Tests ledges: taking hold, hanging, hopping up, letting go, and riding a moving one.
#include "game/tuning.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

static const char *const CLIFF[] = {"################", "#..............#", "#..............#", "#..............#",
                                    "#..............#", "#.........#####.", "#.........#####.", "#.........#####.",
                                    "#.........#####.", "#.S.......#####.", "################", NULL};

// Falls along the cliff with its edge at x 80, y 40, and holds toward it.
static struct player *at_cliff(void)
{
    test_match_draw(&match, CLIFF);
    test_match_start(&match);
    struct player *player = test_match_put(&match, 0, 76, 45);
    player->vy = 100;
    test_match_hold(&match, 0, BUTTON_RIGHT);
    return player;
}

static bool hangs(const struct player *player)
{
    return (player->flags & PLAYER_HANGING) != 0;
}

TEST(a_falling_player_who_holds_toward_a_ledge_takes_hold)
{
    struct player *player = at_cliff();
    for (int i = 0; i < 20 && !hangs(player); i++)
        test_match_step(&match, 1);
    assert_true(hangs(player));
    assert_non_null(test_match_event(&match, EVENT_GRAB));
    assert_int_equal(test_match_body(&match, 0)->y, 40);
    test_match_hold(&match, 0, 0);
    test_match_step(&match, 60);
    assert_true(hangs(player));
    assert_int_equal(test_match_body(&match, 0)->y, 40);
}

TEST(a_jump_hops_up_onto_the_ledge)
{
    struct player *player = at_cliff();
    test_match_step(&match, 20);
    assert_true(hangs(player));
    test_match_hold(&match, 0, BUTTON_RIGHT | BUTTON_JUMP);
    test_match_step(&match, 1);
    assert_false(hangs(player));
    assert_int_equal(test_match_event(&match, EVENT_JUMP)->detail, 3);
    test_match_step(&match, 40);
    assert_true((player->flags & PLAYER_GROUNDED) != 0);
    assert_int_equal(test_match_body(&match, 0)->y + 11, 40);
}

TEST(away_and_down_let_go_of_a_ledge)
{
    static const uint32_t held[] = {BUTTON_LEFT, BUTTON_DOWN};
    for (size_t i = 0; i < 2; i++) {
        struct player *player = at_cliff();
        test_match_step(&match, 20);
        assert_true(hangs(player));
        test_match_hold(&match, 0, held[i]);
        test_match_step(&match, 3);
        assert_false(hangs(player));
        assert_true(test_match_body(&match, 0)->y > 40);
        assert_int_equal(match.world.actors[0].ride, DF_RIDE_STAND);
    }
}

TEST(a_player_who_does_not_hold_toward_a_ledge_falls_past)
{
    struct player *player = at_cliff();
    test_match_hold(&match, 0, 0);
    test_match_step(&match, 20);
    assert_false(hangs(player));
    assert_true(test_match_body(&match, 0)->y > 44);
}

TEST(a_rising_player_does_not_take_hold)
{
    struct player *player = at_cliff();
    test_match_body(&match, 0)->y = 50;
    player->vy = -448;
    for (int i = 0; i < 6; i++) {
        test_match_step(&match, 1);
        assert_false(hangs(player));
    }
}

TEST(a_player_rides_a_moving_ledge_and_falls_when_it_is_gone)
{
    test_match_draw(&match, CLIFF);
    struct map_point path[] = {{0, 0}, {-16, 8}};
    test_map_mover(&match.map, (struct df_box){48, 24, 16, 24}, path, 2, MAP_PATH_PINGPONG, 200);
    test_match_start(&match);
    struct player *player = test_match_put(&match, 0, 43, 30);
    player->vy = 100;
    test_match_hold(&match, 0, BUTTON_RIGHT);
    for (int i = 0; i < 20 && !hangs(player); i++)
        test_match_step(&match, 1);
    assert_true(hangs(player));
    test_match_hold(&match, 0, 0);
    for (int i = 0; i < 120; i++) {
        test_match_step(&match, 1);
        assert_int_equal(test_match_body(&match, 0)->x + 8, match.world.solids[0].x);
        assert_int_equal(test_match_body(&match, 0)->y, match.world.solids[0].y);
    }
    test_match_body(&match, 0)->x -= 4;
    test_match_step(&match, 1);
    assert_false(hangs(player));
}

TEST(a_hanging_player_can_be_hit_and_lets_go)
{
    struct player *player = at_cliff();
    test_match_step(&match, 20);
    assert_true(hangs(player));
    test_match_put(&match, 1, 20, 52)->facing = 1;
    test_match_hold(&match, 1, BUTTON_SHOOT);
    test_match_step(&match, 30);
    assert_int_equal(player->state, PLAYER_DEAD);
    assert_false(hangs(player));
}
