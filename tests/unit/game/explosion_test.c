// SPDX-License-Identifier: MIT
// Tests bomb arrows: the fuse, the radius, cover, chain reactions and credit.
#include "game/tuning.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

// A bomb arrow that sticks at x, y px in a tile and burns for `ticks` more, shot by `owner`.
static void lay_bomb(uint32_t arrow, int32_t x, int32_t y, uint32_t owner, uint32_t ticks)
{
    match.world.arrows[arrow] = (struct arrow){.state = ARROW_STUCK,
                                               .kind = ARROW_BOMB,
                                               .owner = owner + 1,
                                               .vx = 1280,
                                               .since_tick = match.world.tick,
                                               .burnt_tick = match.world.tick + ticks};
    match.world.actors[PLAYER_CAPACITY + arrow] =
        (struct df_actor){.x = x, .y = y, .w = 4, .h = 4, .ride = DF_RIDE_NEVER, .flags = DF_ACTOR_ALIVE};
    if (match.world.arrow_slots <= arrow)
        match.world.arrow_slots = arrow + 1;
}

TEST(a_bomb_burns_where_it_sticks_and_explodes)
{
    struct player *player = test_match_in_hall(&match, 120);
    player->bombs = 1;
    test_match_shoot(&match, 0, BUTTON_RIGHT);
    assert_int_equal(player->bombs, 0);
    assert_int_equal(player->arrows, 2);
    assert_int_equal(test_match_event(&match, EVENT_SHOOT)->detail, ARROW_BOMB);
    while (match.world.arrows[0].state == ARROW_FLYING)
        test_match_step(&match, 1);
    assert_int_equal(match.world.arrows[0].burnt_tick, match.world.tick + TUNING.bomb_fuse_ticks);
    test_match_step(&match, TUNING.bomb_fuse_ticks - 1);
    assert_null(test_match_event(&match, EVENT_EXPLODE));
    test_match_step(&match, 1);
    assert_int_equal(test_match_event(&match, EVENT_EXPLODE)->subject, 0);
    assert_int_equal(match.world.arrow_slots, 0);
    assert_int_equal(player->state, PLAYER_ALIVE);
}

TEST(a_bomb_explodes_at_once_on_a_player_for_its_owner)
{
    struct player *player = test_match_in_hall(&match, 60);
    struct player *hit = test_match_put(&match, 1, 150, 64), *beside = test_match_put(&match, 2, 166, 64);
    match.world.round.phase = ROUND_PLAYING;
    player->bombs = 1;
    test_match_shoot(&match, 0, BUTTON_RIGHT);
    test_match_step(&match, 30);
    assert_int_equal(hit->state, PLAYER_DEAD);
    assert_int_equal(beside->state, PLAYER_DEAD);
    assert_int_equal(player->stats.kills, 2);
    const struct event *kill = test_match_event(&match, EVENT_KILL);
    assert_int_equal(kill->detail, DEATH_BOMB);
    assert_int_equal(kill->other, 0);
}

TEST(an_explosion_kills_near_players_and_shoves_farther_ones)
{
    static const struct {
        int32_t x;
        bool dies, flies;
    } rows[] = {
        /* 1 */ {124, true, false},
        /* 2 */ {129, true, false},  // the player's edge is at 125, 23 px from the middle
        /* 3 */ {130, false, true},  // 24 px are too far
        /* 4 */ {161, false, true},  // 55 px
        /* 5 */ {162, false, false}, // 56 px
        /* 6 */ {75, true, false},   // and the same on the left
        /* 7 */ {74, false, true},
        /* 8 */ {43, false, true},
        /* 9 */ {42, false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_match_in_hall(&match, 230);
        struct player *player = test_match_put(&match, 1, rows[i].x, 64);
        lay_bomb(0, 100, 56, 0, 1);
        test_match_step(&match, 1);
        assert_int_equal(player->state, rows[i].dies ? PLAYER_DEAD : PLAYER_ALIVE);
        assert_int_equal(player->vx != 0, rows[i].flies);
        assert_int_equal(player->shover, rows[i].flies ? 1 : 0);
        if (rows[i].flies)
            assert_true((player->vx > 0) == (rows[i].x > 102));
    }
}

TEST(a_wall_gives_cover_and_a_block_does_not)
{
    for (int block = 0; block <= 1; block++) {
        test_match_draw(&match, TEST_MAP_HALL);
        for (int32_t row = 1; row < 8; row++)
            match.map.tiles[row * 32 + 14] = block ? DF_TILE_BLOCK : DF_TILE_SOLID;
        test_match_start(&match);
        test_match_put(&match, 0, 230, 64);
        struct player *player = test_match_put(&match, 1, 124, 64);
        lay_bomb(0, 108, 56, 0, 1);
        test_match_step(&match, 1);
        assert_int_equal(player->state, block ? PLAYER_DEAD : PLAYER_ALIVE);
        assert_int_equal(player->vx, 0);
        assert_int_equal(test_match_is_broken(&match, 14, 7), block);
        assert_int_equal(test_match_is_broken(&match, 14, 1), 0);
    }
}

TEST(a_moving_solid_gives_cover)
{
    test_match_draw(&match, TEST_MAP_HALL);
    test_map_crusher(&match.map, (struct df_box){112, 8, 8, 56}, 1);
    test_match_start(&match);
    test_match_put(&match, 0, 230, 64);
    struct player *player = test_match_put(&match, 1, 125, 64);
    lay_bomb(0, 106, 56, 0, 1);
    test_match_step(&match, 1);
    assert_int_equal(player->state, PLAYER_ALIVE);
}

TEST(two_players_who_bomb_each_other_both_die_and_score)
{
    struct player *left = test_match_in_hall(&match, 60), *right = test_match_put(&match, 1, 200, 64);
    match.world.round.phase = ROUND_PLAYING;
    lay_bomb(0, 60, 56, 1, 1);
    lay_bomb(1, 200, 56, 0, 1);
    test_match_step(&match, 1);
    assert_int_equal(left->state, PLAYER_DEAD);
    assert_int_equal(right->state, PLAYER_DEAD);
    assert_int_equal(left->score, 1);
    assert_int_equal(right->score, 1);
}

TEST(a_players_own_bomb_kills_them_and_costs_a_point)
{
    struct player *player = test_match_in_hall(&match, 60);
    test_match_put(&match, 1, 230, 64);
    match.world.round.phase = ROUND_PLAYING;
    lay_bomb(0, 60, 56, 0, 1);
    test_match_step(&match, 1);
    assert_int_equal(player->state, PLAYER_DEAD);
    assert_int_equal(player->score, -1);
}

TEST(an_explosion_sets_off_another_bomb_a_moment_later)
{
    test_match_in_hall(&match, 230);
    lay_bomb(0, 60, 56, 0, 1);
    lay_bomb(1, 76, 56, 0, 500);
    lay_bomb(2, 140, 56, 0, 500);
    test_match_step(&match, TUNING.bomb_chain_ticks);
    assert_int_equal(match.world.arrows[0].state, ARROW_ABSENT);
    assert_int_equal(match.world.arrows[1].state, ARROW_STUCK);
    test_match_step(&match, 1);
    assert_int_equal(match.world.arrows[1].state, ARROW_ABSENT);
    test_match_step(&match, 60);
    assert_int_equal(match.world.arrows[2].state, ARROW_STUCK);
}

TEST(a_dash_catches_a_bomb_in_the_air)
{
    struct player *player = test_match_in_hall(&match, 60), *catcher = test_match_put(&match, 1, 150, 64);
    player->bombs = 1;
    test_match_shoot(&match, 0, BUTTON_RIGHT);
    test_match_step(&match, 11);
    test_match_hold(&match, 1, BUTTON_LEFT | BUTTON_DASH);
    test_match_step(&match, 6);
    assert_int_equal(catcher->state, PLAYER_ALIVE);
    assert_int_equal(catcher->bombs, 1);
    assert_int_equal(catcher->arrows, 4);
    assert_int_equal(test_match_event(&match, EVENT_CATCH)->detail, ARROW_BOMB);
    test_match_step(&match, 60);
    assert_null(test_match_event(&match, EVENT_EXPLODE));
}

TEST(only_a_dash_tears_off_a_burning_bomb)
{
    for (int dash = 0; dash <= 1; dash++) {
        struct player *player = test_match_in_hall(&match, 60);
        lay_bomb(0, 60, 56, 1, 20);
        test_match_hold(&match, 0, dash ? BUTTON_RIGHT | BUTTON_DASH : 0);
        test_match_step(&match, 2);
        assert_int_equal(match.world.arrow_slots, dash ? 0 : 1);
        assert_int_equal(player->bombs, dash);
        assert_int_equal(player->stats.catches, dash);
    }
}

TEST(a_squished_bomb_explodes)
{
    test_match_draw(&match, TEST_MAP_HALL);
    struct map_point path[] = {{0, 0}, {40, 0}};
    test_map_mover(&match.map, (struct df_box){208, 32, 8, 32}, path, 2, MAP_PATH_PINGPONG, 160);
    test_match_start(&match);
    test_match_put(&match, 0, 40, 64);
    lay_bomb(0, 244, 50, 0, 10000);
    test_match_step(&match, 80);
    assert_int_equal(match.world.arrow_slots, 0);
    assert_non_null(test_match_event(&match, EVENT_EXPLODE));
}

TEST(a_burning_bomb_rides_the_mover_it_sticks_in)
{
    test_match_draw(&match, TEST_MAP_HALL);
    struct map_point path[] = {{0, 0}, {40, 0}};
    test_map_mover(&match.map, (struct df_box){160, 8, 16, 56}, path, 2, MAP_PATH_PINGPONG, 80);
    test_match_start(&match);
    test_match_put(&match, 0, 130, 64)->bombs = 1;
    test_match_shoot(&match, 0, BUTTON_RIGHT);
    while (match.world.arrows[0].state == ARROW_FLYING)
        test_match_step(&match, 1);
    int32_t dx = match.world.actors[PLAYER_CAPACITY].x - match.world.solids[0].x;
    int32_t x = match.world.solids[0].x;
    test_match_step(&match, 20);
    assert_int_equal(match.world.actors[PLAYER_CAPACITY].x - match.world.solids[0].x, dx);
    assert_true(match.world.solids[0].x > x);
    test_match_step(&match, TUNING.bomb_fuse_ticks);
    assert_non_null(test_match_event(&match, EVENT_EXPLODE));
}

TEST(an_explosion_throws_a_ball_and_its_owner_owns_the_ball)
{
    test_match_draw(&match, TEST_MAP_HALL);
    test_map_ball(&match.map, 130, 58, 4, 0, 0);
    test_match_start(&match);
    test_match_put(&match, 0, 230, 64);
    lay_bomb(0, 100, 56, 0, 1);
    test_match_step(&match, 1);
    assert_int_equal(match.world.balls[0].vx, TUNING.bomb_throw_speed);
    assert_int_equal(match.world.ball_hits[0].by, 1);
    assert_int_equal(test_match_event(&match, EVENT_KICK)->subject, 0);
}

TEST(a_chests_shield_takes_the_explosion_once)
{
    test_match_in_hall(&match, 230);
    struct player *player = test_match_put(&match, 1, 104, 64);
    player->shield = 1;
    lay_bomb(0, 100, 56, 0, 1);
    lay_bomb(1, 100, 50, 0, 1);
    test_match_step(&match, 1);
    assert_int_equal(player->state, PLAYER_ALIVE);
    assert_int_equal(player->shield, 0);
    assert_int_equal(test_match_event(&match, EVENT_SHIELD)->subject, 1);
    assert_int_equal(test_match_event(&match, EVENT_SHIELD)->detail, DEATH_BOMB);
    test_match_step(&match, TUNING.shield_broken_ticks);
    lay_bomb(0, test_match_body(&match, 1)->x, test_match_body(&match, 1)->y, 0, 1);
    test_match_step(&match, 1);
    assert_int_equal(player->state, PLAYER_DEAD);
}
