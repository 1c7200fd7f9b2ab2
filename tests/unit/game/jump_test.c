// SPDX-License-Identifier: MIT
// Tests jumps, coyote time, buffered presses and corner correction.
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

static const char *const LEDGE[] = {"####################", "#..................#", "#..................#",
                                    "#..................#", "#..................#", "#..................#",
                                    "#..................#", "#..S...............#", "########...........#",
                                    "#..................#", "#..................#", "#..................#",
                                    "#..................#", "####################", NULL};

static struct player *on_ledge(int32_t x)
{
    test_match_draw(&match, LEDGE);
    test_match_start(&match);
    struct player *player = test_match_put(&match, 0, x, 64);
    test_match_step(&match, 1);
    return player;
}

static int32_t height_of_jump(uint32_t held_ticks)
{
    on_ledge(30);
    int32_t top = 64;
    for (uint32_t i = 0; i < 60; i++) {
        test_match_hold(&match, 0, i < held_ticks ? BUTTON_JUMP : 0);
        test_match_step(&match, 1);
        int32_t feet = test_match_body(&match, 0)->y + 11;
        top = feet < top ? feet : top;
    }
    return 64 - top;
}

TEST(a_jump_starts_at_448_and_can_be_held_for_twelve_ticks)
{
    struct player *player = on_ledge(30);
    test_match_hold(&match, 0, BUTTON_JUMP);
    for (uint32_t i = 0; i < 12; i++) {
        test_match_step(&match, 1);
        assert_int_equal(player->vy, -448);
    }
    test_match_step(&match, 1);
    assert_int_equal(player->vy, -448 + 64);
}

TEST(a_held_jump_is_higher_than_a_tapped_one)
{
    int32_t tapped = height_of_jump(1), half = height_of_jump(6), held = height_of_jump(30);
    assert_in_range(tapped, 6, 9);
    assert_in_range(half, tapped + 6, held - 6);
    assert_in_range(held, 27, 32);
}

TEST(a_jump_helps_in_the_held_direction)
{
    struct player *player = on_ledge(30);
    test_match_hold(&match, 0, BUTTON_JUMP | BUTTON_RIGHT);
    test_match_step(&match, 1);
    assert_int_equal(player->vx, 71 + 171);
}

// Walks off the ledge, presses jump this many ticks after the last grounded one, and returns whether the player jumped.
static bool jumps_after(uint32_t ticks)
{
    struct player *player = on_ledge(56);
    test_match_hold(&match, 0, BUTTON_RIGHT);
    while (player->flags & PLAYER_GROUNDED)
        test_match_step(&match, 1);
    // This tick ended in the air: it is the first after the last grounded one.
    test_match_step(&match, ticks - 2);
    test_match_hold(&match, 0, BUTTON_RIGHT | BUTTON_JUMP);
    test_match_step(&match, 1);
    return player->vy == -448;
}

TEST(coyote_time_is_five_ticks)
{
    for (uint32_t ticks = 2; ticks <= 5; ticks++)
        assert_true(jumps_after(ticks));
    assert_false(jumps_after(6));
}

TEST(coyote_time_gives_no_second_jump)
{
    struct player *player = on_ledge(30);
    test_match_hold(&match, 0, BUTTON_JUMP);
    test_match_step(&match, 1);
    test_match_hold(&match, 0, 0);
    test_match_step(&match, 1);
    test_match_hold(&match, 0, BUTTON_JUMP);
    test_match_step(&match, 1);
    assert_true(player->vy > -448);
}

// Falls, presses jump this many ticks before landing, and returns whether the player jumps after landing.
static bool jumps_before(uint32_t ticks)
{
    struct player *player = on_ledge(30);
    test_match_body(&match, 0)->y -= 16;
    player->flags = 0;
    player->coyote_until = 0;
    struct test_match trial = match;
    uint32_t fall = 0;
    for (; (trial.world.players[0].flags & PLAYER_GROUNDED) == 0; fall++)
        test_match_step(&trial, 1);
    test_match_step(&match, fall - ticks);
    test_match_hold(&match, 0, BUTTON_JUMP);
    for (uint32_t i = 0; i <= ticks + 1; i++) {
        test_match_step(&match, 1);
        if (player->vy < -400)
            return true;
    }
    return false;
}

TEST(a_jump_press_is_buffered_for_five_ticks)
{
    for (uint32_t ticks = 1; ticks <= 5; ticks++)
        assert_true(jumps_before(ticks));
    assert_false(jumps_before(6));
}

TEST(a_jumping_player_slips_round_a_corner_of_four_pixels)
{
    static const char *const roof[] = {"####################", "#..................#", "#..................#",
                                       "#.....####.........#", "#..................#", "#..................#",
                                       "#..S...............#", "####################", NULL};
    for (int32_t overlap = 1; overlap <= 5; overlap++) {
        test_match_draw(&match, roof);
        test_match_start(&match);
        struct player *player = test_match_put(&match, 0, 48 - 4 + overlap, 56);
        test_match_step(&match, 1);
        test_match_hold(&match, 0, BUTTON_JUMP);
        test_match_step(&match, 12);
        assert_int_equal(player->vy < 0, overlap <= 4);
        assert_int_equal(test_match_body(&match, 0)->x, overlap <= 4 ? 40 : 45);
    }
}

TEST(a_jumping_player_never_slips_against_their_direction)
{
    static const char *const roof[] = {"####################", "#..................#", "#..................#",
                                       "#.....####.........#", "#..................#", "#..................#",
                                       "#..S...............#", "####################", NULL};
    for (int32_t vx = 0; vx <= 200; vx += 200) {
        test_match_draw(&match, roof);
        test_match_start(&match);
        struct player *player = test_match_put(&match, 0, vx != 0 ? 44 : 46, 46);
        player->vx = vx;
        player->vy = -448;
        player->facing = 1;
        test_match_hold(&match, 0, vx != 0 ? BUTTON_RIGHT : 0);
        test_match_step(&match, 3);
        assert_int_equal(player->vy < 0, vx == 0);
    }
}

TEST(a_wall_within_two_pixels_allows_a_wall_jump)
{
    for (int32_t gap = 0; gap <= 3; gap++) {
        struct player *player = on_ledge(8 + 4 + gap);
        test_match_body(&match, 0)->y -= 20;
        player->flags = 0;
        player->coyote_until = 0;
        player->facing = 1;
        test_match_hold(&match, 0, BUTTON_JUMP);
        test_match_step(&match, 1);
        assert_int_equal(player->vx, gap <= 2 ? 555 : 0);
        assert_int_equal(player->vy == -448, gap <= 2);
        assert_int_equal(player->facing, 1);
    }
}

TEST(between_two_walls_a_player_jumps_off_the_one_they_face)
{
    for (int32_t facing = -1; facing <= 1; facing += 2) {
        test_match_draw(&match, LEDGE);
        struct map_point still[] = {{0, 0}, {0, 8}};
        test_map_mover(&match.map, (struct df_box){20, 24, 16, 24}, still, 2, MAP_PATH_PINGPONG, 36000);
        test_match_start(&match);
        struct player *player = test_match_put(&match, 0, 14, 44);
        player->facing = facing;
        test_match_hold(&match, 0, BUTTON_JUMP);
        test_match_step(&match, 1);
        assert_int_equal(player->vx, -facing * 555);
    }
}

TEST(a_player_cannot_steer_back_for_ten_ticks_after_a_wall_jump)
{
    struct player *player = on_ledge(12);
    test_match_body(&match, 0)->y -= 20;
    player->flags = 0;
    player->coyote_until = 0;
    test_match_hold(&match, 0, BUTTON_JUMP | BUTTON_LEFT);
    test_match_step(&match, 1);
    assert_int_equal(player->vx, 555);
    test_match_step(&match, 10);
    assert_int_equal(player->vx, 384);
    test_match_step(&match, 1);
    assert_int_equal(player->vx, 384 - 46);
}

TEST(the_speed_of_a_lift_is_added_to_a_jump)
{
    test_match_draw(&match, LEDGE);
    struct map_point up[] = {{0, 0}, {0, -60}};
    test_map_mover(&match.map, (struct df_box){96, 96, 32, 8}, up, 2, MAP_PATH_PINGPONG, 120);
    test_match_start(&match);
    struct player *player = test_match_put(&match, 0, 112, 96);
    test_match_step(&match, 10); // it rises one px a tick
    assert_true(player->flags & PLAYER_GROUNDED);
    test_match_hold(&match, 0, BUTTON_JUMP);
    test_match_step(&match, 1);
    assert_int_equal(player->vy, -448 - 256);
    test_match_step(&match, 5);
    assert_int_equal(player->vy, -448 - 256);
}

TEST(a_player_who_walks_off_a_rising_mover_keeps_its_speed)
{
    test_match_draw(&match, LEDGE);
    struct map_point up[] = {{0, 0}, {0, -60}};
    test_map_mover(&match.map, (struct df_box){96, 96, 32, 8}, up, 2, MAP_PATH_PINGPONG, 120);
    test_match_start(&match);
    struct player *player = test_match_put(&match, 0, 122, 96);
    test_match_hold(&match, 0, BUTTON_RIGHT);
    do
        test_match_step(&match, 1);
    while (player->flags & PLAYER_GROUNDED);
    assert_int_equal(player->vy, -256);
}
