// SPDX-License-Identifier: MIT
// Tests arrows: how they fly, stick, ride on solids and are picked up.
#include "game/tuning.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

static const struct df_actor *body_of(uint32_t arrow)
{
    return &match.world.actors[PLAYER_CAPACITY + arrow];
}

TEST(an_arrow_flies_five_pixels_a_tick_and_falls_a_little)
{
    struct player *player = test_match_in_hall(&match, 40);
    test_match_shoot(&match, 0, 0);
    assert_int_equal(player->arrows, 2);
    assert_int_equal(player->stats.shots, 1);
    int32_t x = body_of(0)->x, y = body_of(0)->y;
    test_match_step(&match, 23);
    assert_int_equal(body_of(0)->x, x + 115);
    assert_int_equal(body_of(0)->y, y);
    test_match_step(&match, 16);
    assert_int_equal(body_of(0)->x, x + 195);
    assert_int_equal(body_of(0)->y - y, 3); // 6 * 16 * 17 / 2 sub
}

TEST(an_arrow_is_shot_in_eight_directions)
{
    static const struct {
        uint32_t held;
        int32_t vx, vy;
    } aims[] = {
        {0, 1280, 0},
        {BUTTON_LEFT, -1280, 0},
        {BUTTON_UP, 0, -1280},
        {BUTTON_UP | BUTTON_RIGHT, 905, -905},
        {BUTTON_UP | BUTTON_LEFT, -905, -905},
        {BUTTON_RIGHT, 1280, 0},
    };
    for (size_t i = 0; i < sizeof aims / sizeof aims[0]; i++) {
        test_match_in_hall(&match, 100);
        test_match_shoot(&match, 0, aims[i].held);
        assert_int_equal(match.world.arrows[0].vx, aims[i].vx);
        assert_int_equal(match.world.arrows[0].vy, aims[i].vy);
    }
}

TEST(a_shot_needs_an_arrow_a_new_press_and_fifteen_ticks)
{
    struct player *player = test_match_in_hall(&match, 40);
    test_match_hold(&match, 0, BUTTON_SHOOT);
    test_match_step(&match, 40);
    assert_int_equal(player->arrows, 2);
    test_match_hold(&match, 0, 0);
    test_match_step(&match, 1);
    test_match_shoot(&match, 0, 0);
    assert_int_equal(player->arrows, 1);
    test_match_step(&match, 1);
    test_match_shoot(&match, 0, 0);
    assert_int_equal(player->arrows, 1);
    test_match_step(&match, 13);
    test_match_shoot(&match, 0, 0);
    assert_int_equal(player->arrows, 0);
    test_match_step(&match, 20);
    test_match_shoot(&match, 0, 0);
    assert_int_equal(player->stats.shots, 3);
}

TEST(an_arrow_sticks_in_a_wall_and_stays)
{
    test_match_in_hall(&match, 200);
    test_match_shoot(&match, 0, 0);
    test_match_step(&match, 30);
    assert_int_equal(match.world.arrows[0].state, ARROW_STUCK);
    assert_int_equal(match.world.arrows[0].stuck_in, 0);
    assert_int_equal(body_of(0)->x + 4, 31 * 8);
    const struct event *stick = test_match_event(&match, EVENT_STICK);
    assert_non_null(stick);
    assert_int_equal(stick->subject, 0);
    int32_t y = body_of(0)->y;
    test_match_step(&match, 60);
    assert_int_equal(body_of(0)->y, y);
}

TEST(an_arrow_rides_the_mover_it_sticks_in)
{
    test_match_draw(&match, TEST_MAP_HALL);
    struct map_point path[] = {{0, 0}, {40, 0}, {40, -8}};
    test_map_mover(&match.map, (struct df_box){160, 16, 16, 48}, path, 3, MAP_PATH_PINGPONG, 288);
    test_match_start(&match);
    test_match_put(&match, 0, 100, 64);
    test_match_step(&match, 1);
    test_match_shoot(&match, 0, 0);
    test_match_step(&match, 15);
    assert_int_equal(match.world.arrows[0].state, ARROW_STUCK);
    assert_int_equal(match.world.arrows[0].stuck_in, 1);
    int32_t dx = body_of(0)->x - match.world.solids[0].x, dy = body_of(0)->y - match.world.solids[0].y;
    for (int i = 0; i < 288; i++) {
        test_match_step(&match, 1);
        assert_int_equal(body_of(0)->x - match.world.solids[0].x, dx);
        assert_int_equal(body_of(0)->y - match.world.solids[0].y, dy);
    }
}

TEST(any_player_with_room_picks_up_an_arrow)
{
    test_match_in_hall(&match, 200);
    struct player *other = test_match_put(&match, 1, 60, 64);
    test_match_shoot(&match, 0, 0);
    test_match_step(&match, 20);
    other->arrows = TUNING.arrows_max;
    test_match_body(&match, 1)->x = 238;
    test_match_step(&match, 1);
    assert_int_equal(match.world.arrows[0].state, ARROW_STUCK);
    other->arrows = 2;
    test_match_forget(&match);
    test_match_step(&match, 1);
    assert_int_equal(match.world.arrow_slots, 0);
    assert_int_equal(other->arrows, 3);
    assert_int_equal(test_match_event(&match, EVENT_PICKUP)->subject, 1);
}

TEST(a_hit_kills_and_counts)
{
    struct player *shooter = test_match_in_hall(&match, 60);
    struct player *victim = test_match_put(&match, 1, 120, 64);
    match.world.round.phase = ROUND_PLAYING;
    test_match_shoot(&match, 0, 0);
    test_match_step(&match, 15);
    assert_int_equal(victim->state, PLAYER_DEAD);
    assert_int_equal(match.world.actors[1].flags, 0);
    const struct event *kill = test_match_event(&match, EVENT_KILL);
    assert_int_equal(kill->subject, 1);
    assert_int_equal(kill->other, 0);
    assert_int_equal(kill->detail, DEATH_ARROW);
    assert_int_equal(shooter->score, 1);
    assert_int_equal(shooter->stats.kills, 1);
    assert_int_equal(shooter->stats.hits, 1);
    assert_int_equal(victim->stats.deaths, 1);
    assert_int_equal(victim->score, 0);
    assert_int_equal(match.world.arrow_slots, 0);
}

TEST(a_shield_stops_an_arrow_and_the_shooter_is_remembered)
{
    test_match_in_hall(&match, 60);
    struct player *victim = test_match_put(&match, 1, 120, 64);
    victim->shield_until = 1000;
    test_match_shoot(&match, 0, 0);
    test_match_step(&match, 15);
    assert_int_equal(victim->state, PLAYER_ALIVE);
    assert_int_equal(victim->shover, 1);
    assert_int_equal(match.world.arrow_slots, 0);
}

TEST(a_dash_catches_an_arrow)
{
    test_match_in_hall(&match, 60);
    struct player *catcher = test_match_put(&match, 1, 160, 64);
    catcher->arrows = 0;
    test_match_shoot(&match, 0, 0);
    test_match_step(&match, 10);
    test_match_hold(&match, 1, BUTTON_LEFT | BUTTON_DASH);
    test_match_step(&match, 8);
    assert_int_equal(catcher->state, PLAYER_ALIVE);
    assert_int_equal(catcher->arrows, 1);
    assert_int_equal(catcher->stats.catches, 1);
    assert_non_null(test_match_event(&match, EVENT_CATCH));
}

TEST(a_players_own_arrow_is_harmless_at_first_and_deadly_later)
{
    struct player *player = test_match_in_hall(&match, 60);
    match.world.round.phase = ROUND_PLAYING;
    match.world.rules.time_limit_ticks = 100000;
    test_match_put(&match, 1, 240, 64);
    for (int32_t row = 1; row < 8; row++) // a high room: no ceiling to stick in
        match.map.tiles[row * 32 + 7] = DF_TILE_EMPTY;
    match.map.tiles[7] = DF_TILE_EMPTY;
    match.map.outside = DF_OUTSIDE_EMPTY;
    test_match_shoot(&match, 0, BUTTON_UP);
    test_match_step(&match, 11);
    assert_int_equal(player->state, PLAYER_ALIVE);
    match.world.arrows[0].vy = 300;
    match.world.arrows[0].vx = 0;
    test_match_step(&match, 60);
    assert_int_equal(player->state, PLAYER_DEAD);
    assert_int_equal(player->score, -1);
    assert_int_equal(test_match_event(&match, EVENT_KILL)->other, 0);
}

TEST(a_squished_arrow_breaks)
{
    test_match_draw(&match, TEST_MAP_HALL);
    struct map_point path[] = {{0, 0}, {40, 0}};
    test_map_mover(&match.map, (struct df_box){208, 32, 8, 32}, path, 2, MAP_PATH_PINGPONG, 160);
    test_match_start(&match);
    test_match_put(&match, 0, 228, 64);
    test_match_shoot(&match, 0, 0); // into the wall at 248
    test_match_step(&match, 10);
    assert_int_equal(match.world.arrows[0].state, ARROW_STUCK);
    test_match_body(&match, 0)->x = 20;
    match.world.players[0].vx = 0;
    test_match_forget(&match);
    test_match_step(&match, 80);
    assert_int_equal(match.world.arrow_slots, 0);
    assert_non_null(test_match_event(&match, EVENT_BREAK));
}

TEST(an_arrow_in_a_block_falls_when_the_block_breaks)
{
    static const char *const blocks[] = {"################", "#..............#", "#..............#",
                                         "#..............#", "#..........B...#", "#..............#",
                                         "#.S............#", "################", NULL};
    test_match_draw(&match, blocks);
    test_map_ball(&match.map, 92, 16, 4, 0, 256);
    test_match_start(&match);
    match.world.balls[0].flags = 0;
    test_match_put(&match, 0, 50, 42);
    test_match_shoot(&match, 0, BUTTON_RIGHT);
    match.world.balls[0] = (struct df_ball){92 * 256, 16 * 256, 4, 0, 0, DF_BALL_ALIVE};
    test_match_step(&match, 8);
    assert_int_equal(match.world.arrows[0].state, ARROW_STUCK);
    match.world.balls[0].vy = 400;
    test_match_step(&match, 12);
    assert_int_equal(match.world.arrows[0].state, ARROW_FLYING);
    test_match_step(&match, 60);
    assert_int_equal(match.world.arrows[0].state, ARROW_STUCK);
    assert_int_equal(body_of(0)->y + 4, 56);
}

TEST(an_arrow_that_is_pushed_out_of_a_wall_falls)
{
    test_match_draw(&match, TEST_MAP_HALL);
    struct map_point path[] = {{0, 0}, {0, 8}};
    test_map_mover(&match.map, (struct df_box){240, 32, 8, 16}, path, 2, MAP_PATH_PINGPONG, 400);
    test_match_start(&match);
    test_match_put(&match, 0, 200, 64);
    test_match_shoot(&match, 0, 0); // it comes to rest below the mover
    test_match_step(&match, 20);
    assert_int_equal(match.world.arrows[0].state, ARROW_STUCK);
    match.world.actors[PLAYER_CAPACITY].y = match.world.solids[0].y + 16;
    for (int i = 0; i < 60 && match.world.arrows[0].state == ARROW_STUCK; i++)
        test_match_step(&match, 1);
    assert_int_equal(match.world.arrows[0].state, ARROW_FLYING);
    test_match_step(&match, 60);
    assert_int_equal(body_of(0)->y + 4, 64);
}

TEST(an_arrow_far_from_the_mover_it_stuck_in_falls)
{
    test_match_draw(&match, TEST_MAP_HALL);
    struct map_point path[] = {{0, 0}, {0, 40}};
    test_map_mover(&match.map, (struct df_box){160, 8, 16, 48}, path, 2, MAP_PATH_PINGPONG, 160);
    test_match_start(&match);
    test_match_put(&match, 0, 150, 40);
    test_match_shoot(&match, 0, BUTTON_RIGHT);
    test_match_step(&match, 3);
    assert_int_equal(match.world.arrows[0].stuck_in, 1);
    match.world.actors[PLAYER_CAPACITY].x += 40; // as if something had moved it far away
    test_match_step(&match, 1);
    assert_int_equal(match.world.arrows[0].state, ARROW_FLYING);
}

TEST(in_a_full_world_the_oldest_stuck_arrow_is_removed)
{
    test_match_in_hall(&match, 40);
    for (uint32_t i = 0; i < ARROW_CAPACITY; i++) {
        match.world.arrows[i] = (struct arrow){.state = i % 2 == 0 ? ARROW_FLYING : ARROW_STUCK,
                                               .since_tick = i == 77 || i % 2 == 0 ? 1 : 2};
        match.world.actors[PLAYER_CAPACITY + i] =
            (struct df_actor){.x = 100, .y = 20, .w = 4, .h = 4, .ride = DF_RIDE_NEVER, .flags = DF_ACTOR_ALIVE};
    }
    match.world.arrow_slots = ARROW_CAPACITY;
    test_match_shoot(&match, 0, 0);
    assert_int_equal(match.world.arrows[77].state, ARROW_FLYING);
    assert_int_equal(match.world.arrow_slots, ARROW_CAPACITY);
}

TEST(an_arrow_outside_of_the_map_is_removed)
{
    test_match_in_hall(&match, 240);
    match.map.outside = DF_OUTSIDE_EMPTY;
    for (int32_t row = 1; row < 8; row++)
        match.map.tiles[row * 32 + 31] = DF_TILE_EMPTY;
    test_match_shoot(&match, 0, 0);
    test_match_step(&match, 40);
    assert_int_equal(match.world.arrow_slots, 0);
}
