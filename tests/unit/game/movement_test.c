// SPDX-License-Identifier: MIT
// Tests running, falling and sliding: the exact speed at each tick.
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

static const char *const HALL[] = {
    "################################", "#..............................#", "#..............................#",
    "#..............................#", "#..............................#", "#..............................#",
    "#..............................#", "#..............................#", "#..............................#",
    "#...S..........................#", "################################", NULL};

static struct player *in_hall(int32_t x)
{
    test_match_draw(&match, HALL);
    test_match_start(&match);
    struct player *player = test_match_put(&match, 0, x, 80);
    test_match_step(&match, 1);
    return player;
}

TEST(a_player_reaches_full_speed_in_six_ticks)
{
    struct player *player = in_hall(60);
    test_match_hold(&match, 0, BUTTON_RIGHT);
    int32_t speeds[] = {71, 142, 213, 284, 355, 384, 384};
    for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; i++) {
        test_match_step(&match, 1);
        assert_int_equal(player->vx, speeds[i]);
    }
    assert_int_equal(player->facing, 1);
}

TEST(a_player_stops_with_the_same_acceleration)
{
    struct player *player = in_hall(60);
    player->vx = 384;
    test_match_step(&match, 1);
    assert_int_equal(player->vx, 384 - 71);
    test_match_step(&match, 5);
    assert_int_equal(player->vx, 0);
}

TEST(excess_speed_falls_by_28_on_ground_and_18_in_the_air)
{
    struct player *player = in_hall(60);
    test_match_hold(&match, 0, BUTTON_RIGHT);
    player->vx = 1000;
    test_match_step(&match, 1);
    assert_int_equal(player->vx, 972);
    player = in_hall(60);
    test_match_body(&match, 0)->y = 40;
    player->flags = 0;
    test_match_hold(&match, 0, BUTTON_RIGHT);
    player->vx = 1000;
    test_match_step(&match, 1);
    assert_int_equal(player->vx, 982);
}

TEST(left_is_the_mirror_of_right)
{
    static const uint32_t script[] = {BUTTON_RIGHT,
                                      BUTTON_RIGHT | BUTTON_JUMP,
                                      BUTTON_RIGHT | BUTTON_DASH,
                                      0,
                                      BUTTON_RIGHT | BUTTON_UP | BUTTON_JUMP,
                                      BUTTON_RIGHT | BUTTON_DOWN};
    int32_t xs[120], ys[120];
    struct player *player = in_hall(48);
    for (uint32_t i = 0; i < 120; i++) {
        test_match_hold(&match, 0, script[i / 7 % 6]);
        test_match_step(&match, 1);
        xs[i] = test_match_body(&match, 0)->x;
        ys[i] = test_match_body(&match, 0)->y;
    }
    player = in_hall(256 - 48);
    player->facing = -1;
    for (uint32_t i = 0; i < 120; i++) {
        uint32_t held = script[i / 7 % 6];
        test_match_hold(&match, 0, (held & ~(uint32_t)BUTTON_RIGHT) | ((held & BUTTON_RIGHT) ? BUTTON_LEFT : 0));
        test_match_step(&match, 1);
        assert_int_equal(test_match_body(&match, 0)->x, 256 - 8 - xs[i]);
        assert_int_equal(test_match_body(&match, 0)->y, ys[i]);
    }
}

TEST(left_and_right_together_cancel)
{
    struct player *player = in_hall(60);
    test_match_hold(&match, 0, BUTTON_LEFT | BUTTON_RIGHT);
    test_match_step(&match, 10);
    assert_int_equal(player->vx, 0);
}

TEST(gravity_is_64_up_to_683_and_1024_with_down_held)
{
    static const char *const shaft[] = {"####", "#..#", "#..#", "#..#", "#..#", "#..#", "#..#", "#..#",
                                        "#..#", "#..#", "#..#", "#..#", "#..#", "#..#", "#..#", "#..#",
                                        "#..#", "#..#", "#..#", "#..#", "#..#", "#..#", "#..#", "#..#",
                                        "#..#", "#..#", "#..#", "#..#", "#S.#", "####", NULL};
    test_match_draw(&match, shaft);
    test_match_start(&match);
    struct player *player = test_match_put(&match, 0, 16, 24);
    test_match_step(&match, 1);
    assert_int_equal(player->vy, 64);
    test_match_step(&match, 9);
    assert_int_equal(player->vy, 640);
    test_match_step(&match, 2);
    assert_int_equal(player->vy, 683);
    test_match_hold(&match, 0, BUTTON_DOWN);
    test_match_step(&match, 1);
    assert_int_equal(player->vy, 683 + 21);
    test_match_step(&match, 16);
    assert_int_equal(player->vy, 1024);
}

TEST(a_landing_reports_the_speed_of_the_fall_once)
{
    struct player *player = in_hall(60);
    test_match_body(&match, 0)->y -= 20;
    player->flags = 0;
    test_match_forget(&match);
    test_match_step(&match, 40);
    const struct event *land = test_match_event(&match, EVENT_LAND);
    assert_non_null(land);
    assert_in_range(land->detail, 640, 683);
    assert_in_range(land->tick, 10, 20);
    assert_true(player->flags & PLAYER_GROUNDED);
    test_match_forget(&match);
    test_match_step(&match, 40);
    assert_null(test_match_event(&match, EVENT_LAND));
}

TEST(a_slide_on_a_wall_starts_at_85_and_wears_off)
{
    struct player *player = in_hall(12);
    struct df_actor *body = test_match_body(&match, 0);
    body->x = 8;
    body->y = 10;
    player->flags = 0;
    player->vy = 300;
    test_match_hold(&match, 0, BUTTON_LEFT);
    test_match_step(&match, 4);
    assert_true(player->flags & PLAYER_WALL_LEFT);
    assert_in_range(player->vy, 85, 85 + 4 * 8);
    test_match_step(&match, 10);
    assert_in_range(player->vy, 85 + 12 * 8, 85 + 14 * 8);
    test_match_hold(&match, 0, BUTTON_LEFT | BUTTON_DOWN); // down lets go
    test_match_step(&match, 5);
    assert_false(player->flags & PLAYER_WALL_LEFT);
    assert_true(player->vy > 400);
}

TEST(a_player_who_rises_beside_a_wall_does_not_slide)
{
    struct player *player = in_hall(12);
    test_match_hold(&match, 0, BUTTON_LEFT | BUTTON_JUMP);
    test_match_step(&match, 5);
    assert_true(player->vy < 0);
    assert_int_equal(player->flags & (PLAYER_WALL_LEFT | PLAYER_WALL_RIGHT), 0);
}

TEST(a_player_stops_flush_with_a_wall)
{
    struct player *player = in_hall(200);
    test_match_hold(&match, 0, BUTTON_RIGHT);
    test_match_step(&match, 60);
    assert_int_equal(test_match_body(&match, 0)->x + 8, 31 * 8);
    assert_int_equal(player->vx, 0);
    assert_int_equal(test_match_body(&match, 0)->rem_x, 0);
}

TEST(down_and_jump_drop_through_a_oneway_only)
{
    static const char *const planks[] = {"##########", "#........#", "#........#", "#...S....#", "#..====..#",
                                         "#........#", "#........#", "#........#", "##########", NULL};
    test_match_draw(&match, planks);
    test_match_start(&match);
    test_match_put(&match, 0, 40, 32);
    test_match_step(&match, 1);
    test_match_hold(&match, 0, BUTTON_DOWN | BUTTON_JUMP);
    test_match_step(&match, 1);
    assert_true(test_match_body(&match, 0)->y + 11 > 32);
    assert_false(test_match_body(&match, 0)->flags & DF_ACTOR_DROP_THROUGH);
    test_match_step(&match, 60);
    assert_int_equal(test_match_body(&match, 0)->y + 11, 64);
    // On the solid floor the same press is a jump.
    test_match_hold(&match, 0, 0);
    test_match_step(&match, 1);
    test_match_hold(&match, 0, BUTTON_DOWN | BUTTON_JUMP);
    test_match_step(&match, 5);
    assert_true(test_match_body(&match, 0)->y + 11 < 64);
}

TEST(a_player_half_on_a_wall_does_not_drop)
{
    static const char *const planks[] = {"##########", "#........#", "#........#", "#...S....#", "###====..#",
                                         "#........#", "#........#", "##########", NULL};
    test_match_draw(&match, planks);
    test_match_start(&match);
    struct player *player = test_match_put(&match, 0, 24, 32);
    test_match_step(&match, 1);
    test_match_hold(&match, 0, BUTTON_DOWN | BUTTON_JUMP);
    test_match_step(&match, 1);
    assert_true(player->vy < 0);
}
