// SPDX-License-Identifier: MIT
// Tests the dash: its speed, its pause, and which players it shoves.
#include "game/tuning.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

static struct player *in_hall(int32_t x, int32_t y)
{
    test_match_draw(&match, TEST_MAP_HALL);
    test_match_start(&match);
    struct player *player = test_match_put(&match, 0, x, y);
    test_match_step(&match, 1);
    return player;
}

static void press_dash(uint32_t slot, uint32_t directions)
{
    test_match_hold(&match, slot, directions);
    test_match_step(&match, 1);
    test_match_hold(&match, slot, directions | BUTTON_DASH);
    test_match_step(&match, 1);
}

TEST(a_dash_goes_forty_pixels_straight_without_gravity)
{
    struct player *player = in_hall(60, 40);
    player->vy = 0;
    int32_t x = test_match_body(&match, 0)->x;
    test_match_hold(&match, 0, BUTTON_DASH);
    test_match_step(&match, 1);
    int32_t y = test_match_body(&match, 0)->y;
    assert_int_equal(player->vx, 1024);
    test_match_step(&match, 9);
    assert_int_equal(test_match_body(&match, 0)->x, x + 40);
    assert_int_equal(test_match_body(&match, 0)->y, y);
    test_match_step(&match, 1);
    assert_int_equal(player->vx, 683 - 46); // the speed at its end, less the drag of the air
    assert_int_equal(player->dash_x, 0);
}

TEST(a_diagonal_dash_has_724_per_axis_and_ends_at_483)
{
    struct player *player = in_hall(60, 60);
    press_dash(0, BUTTON_UP | BUTTON_RIGHT);
    assert_int_equal(player->vx, 724);
    assert_int_equal(player->vy, -724);
    player->dash_until = match.world.tick + 1;
    test_match_step(&match, 1);
    assert_int_equal(player->vy, -483 + 64);
}

TEST(there_is_one_dash_in_the_air_until_the_player_lands)
{
    struct player *player = in_hall(60, 30);
    press_dash(0, BUTTON_RIGHT);
    assert_int_equal(player->dashes, 0);
    test_match_body(&match, 0)->y = 10;
    player->vy = 0;
    player->dash_until = 0;
    player->dash_ready_tick = 0;
    test_match_forget(&match);
    press_dash(0, BUTTON_RIGHT);
    assert_null(test_match_event(&match, EVENT_DASH));
    test_match_hold(&match, 0, 0);
    test_match_step(&match, 60);
    assert_int_equal(player->dashes, 1);
    press_dash(0, BUTTON_LEFT);
    assert_non_null(test_match_event(&match, EVENT_DASH));
}

TEST(a_dash_can_start_twelve_ticks_after_the_last_began)
{
    struct player *player = in_hall(60, 64);
    press_dash(0, BUTTON_RIGHT);
    tick began_tick = match.world.tick;
    for (;;) {
        player->dashes = 1;
        test_match_forget(&match);
        test_match_hold(&match, 0, BUTTON_RIGHT);
        test_match_step(&match, 1);
        player->buttons = 0;
        test_match_hold(&match, 0, BUTTON_RIGHT | BUTTON_DASH);
        test_match_step(&match, 1);
        if (test_match_event(&match, EVENT_DASH) != NULL)
            break;
    }
    assert_int_equal(match.world.tick - began_tick, 12);
}

TEST(a_dash_slips_round_a_step_of_four_pixels)
{
    for (int32_t step_px = 3; step_px <= 5; step_px++) {
        test_match_draw(&match, TEST_MAP_HALL);
        struct map_point still[] = {{0, 0}, {0, 8}};
        uint32_t solid =
            test_map_mover(&match.map, (struct df_box){100, 64 - step_px, 64, 16}, still, 2, MAP_PATH_PINGPONG, 36000);
        assert_int_equal(solid, 0);
        test_match_start(&match);
        struct player *player = test_match_put(&match, 0, 80, 64);
        test_match_step(&match, 1);
        press_dash(0, BUTTON_RIGHT);
        test_match_step(&match, 6);
        assert_int_equal(player->vx != 0, step_px <= 4);
        assert_int_equal(test_match_body(&match, 0)->y, step_px <= 4 ? 53 - step_px : 53);
    }
}

TEST(a_dash_shoves_each_player_once_and_is_remembered)
{
    in_hall(60, 64);
    struct player *other = test_match_put(&match, 1, 90, 64);
    test_match_step(&match, 1);
    press_dash(0, BUTTON_RIGHT);
    while (other->vx == 0)
        test_match_step(&match, 1);
    assert_int_equal(other->vx, 1024);
    assert_int_equal(other->vy, TUNING.dash_shove_vy);
    assert_int_equal(other->shover, 1);
    assert_int_equal(other->shoved_tick, match.world.tick);
    tick shoved_tick = other->shoved_tick;
    test_match_step(&match, 5);
    assert_int_equal(other->shoved_tick, shoved_tick);
    assert_int_equal(other->state, PLAYER_ALIVE);
}

TEST(a_jump_ends_a_dash_and_keeps_its_speed)
{
    struct player *player = in_hall(60, 64);
    press_dash(0, BUTTON_RIGHT);
    test_match_step(&match, 2);
    test_match_hold(&match, 0, BUTTON_RIGHT | BUTTON_JUMP);
    test_match_step(&match, 1);
    assert_int_equal(player->vy, -448);
    assert_int_equal(player->vx, 1024 + 171);
    assert_int_equal(player->dash_until, 0);
}

TEST(a_held_jump_does_not_continue_after_a_dash)
{
    struct player *player = in_hall(60, 64);
    test_match_hold(&match, 0, BUTTON_JUMP);
    test_match_step(&match, 1);
    test_match_hold(&match, 0, BUTTON_JUMP | BUTTON_DASH);
    test_match_step(&match, 10);
    assert_int_equal(player->vy, 0);
    test_match_step(&match, 1);
    assert_int_equal(player->vy, 32);
}
