// SPDX-License-Identifier: MIT
// Tests gifts: that each has a whole row, and what those that last do.
#include "game/gift.h"

#include "game/tuning.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

#define MAGNET_TICKS 600

static struct test_match match;

TEST(each_gift_has_a_whole_row)
{
    for (uint32_t i = 0; i < MAP_GIFTS; i++) {
        const struct gift *gift = &GIFT_TABLE[i];
        assert_true(gift->name && gift->report && gift->weight > 0 && gift->give);
        assert_true(gift->member != 0 || (!gift->is_timed && gift->step == NULL));
        for (uint32_t other = 0; other < i; other++)
            assert_string_not_equal(gift->name, GIFT_TABLE[other].name);
        test_match_draw(&match, TEST_MAP_HALL);
        test_map_chest(&match.map, 100, 64, 1u << i, 100);
        test_match_start(&match);
        struct player *player = test_match_put(&match, 0, 40, 64);
        test_match_step(&match, 1);
        assert_int_equal(gift_left_ticks(player, (enum map_gift)i, match.world.tick), 0);
        test_match_body(&match, 0)->x = match.world.actors[CHEST_ACTORS].x;
        test_match_step(&match, 2); // the roll comes before the second step
        uint32_t left = gift_left_ticks(player, (enum map_gift)i, match.world.tick);
        assert_true(gift->is_timed ? left > 0 && left != GIFT_UNTIL_USED
                                   : left == (gift->member ? GIFT_UNTIL_USED : 0));
    }
}

TEST(wings_give_three_jumps_in_the_air_and_glide)
{
    struct player *player = test_match_in_hall(&match, 100);
    player->wings_until = match.world.tick + TUNING.wings_ticks;
    test_match_step(&match, 1);
    assert_int_equal(player->flaps, 3);
    test_match_body(&match, 0)->y = 20;
    test_match_step(&match, 8);
    for (uint32_t i = 0; i < 3; i++) {
        test_match_body(&match, 0)->y = 30;
        test_match_hold(&match, 0, BUTTON_JUMP);
        test_match_step(&match, 1);
        assert_true(player->vy < 0);
        assert_int_equal(player->flaps, 2 - i);
        test_match_hold(&match, 0, 0);
        test_match_step(&match, 1);
    }
    test_match_body(&match, 0)->y = 20;
    player->vy = 300;
    test_match_hold(&match, 0, BUTTON_JUMP);
    test_match_step(&match, 3);
    assert_int_equal(player->flaps, 0);
    assert_in_range(player->vy, 1, TUNING.wings_fall_max);
}

TEST(expired_wings_do_nothing)
{
    struct player *player = test_match_in_hall(&match, 100);
    player->flaps = 3;
    player->wings_until = match.world.tick;
    test_match_body(&match, 0)->y = 20;
    player->flags = 0;
    player->coyote_until = 0;
    test_match_hold(&match, 0, BUTTON_JUMP);
    test_match_step(&match, 4);
    assert_int_equal(player->flaps, 3);
    assert_true(player->vy > 0);
}

// --- the magnet

static const struct arrow *arrow(void)
{
    return &match.world.arrows[0];
}

static const struct df_actor *arrow_body(void)
{
    return &match.world.actors[PLAYER_CAPACITY];
}

// An arrow sticks in the left wall at about y px. Player 0, who has shot it and has two, stands at x.
static struct player *with_arrow(int32_t y, int32_t x)
{
    struct player *player = test_match_in_hall(&match, 60);
    test_match_body(&match, 0)->y = y;
    test_match_shoot(&match, 0, BUTTON_LEFT);
    test_match_step(&match, 30);
    assert_int_equal(arrow()->state, ARROW_STUCK);
    assert_int_equal(arrow_body()->x, 8);
    test_match_body(&match, 0)->x = x;
    test_match_step(&match, 1);
    return player;
}

static void magnetize(struct player *player, uint32_t ticks)
{
    player->magnet_until = match.world.tick + ticks + 1;
}

TEST(a_magnet_brings_arrows_to_its_owner)
{
    struct player *player = with_arrow(50, 70);
    assert_int_equal(player->arrows, 2);
    magnetize(player, MAGNET_TICKS);
    for (int32_t x = 10; x <= 60; x += 2) { // two pixels a tick
        test_match_step(&match, 1);
        assert_int_equal(arrow()->state, ARROW_STUCK);
        assert_int_equal(arrow_body()->x, x);
        assert_true(arrow()->vx > 0); // it points to them
        assert_true(world_validate(&match.world, &match.map));
    }
    test_match_step(&match, 6);
    assert_int_equal(match.world.arrow_slots, 0);
    assert_int_equal(player->arrows, 3);
    assert_int_equal(test_match_event(&match, EVENT_PICKUP)->subject, 0);
}

TEST(a_magnet_does_not_reach_far_arrows_nor_those_that_its_owner_has_no_room_for)
{
    static const struct {
        int32_t x;
        uint32_t arrows, burnt_tick;
        bool moves;
    } rows[] = {
        /* 1 */ {86, 2, 0, true},
        /* 2 */ {89, 2, 0, false}, // more than 80 px
        /* 3 */ {60, 6, 0, false}, // TUNING.arrows_max
        /* 4 */ {60, 5, 0, true},
        /* 5 */ {60, 2, 99999, false}, // a fuse burns
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct player *player = with_arrow(50, rows[i].x);
        player->arrows = rows[i].arrows;
        if (rows[i].burnt_tick != 0) {
            match.world.arrows[0].kind = ARROW_BOMB;
            match.world.arrows[0].burnt_tick = rows[i].burnt_tick;
        }
        magnetize(player, MAGNET_TICKS);
        test_match_step(&match, 2);
        if ((arrow_body()->x > 8) != rows[i].moves || arrow()->state != ARROW_STUCK)
            fail_msg("row %zu: the arrow is at %d", i + 1, arrow_body()->x);
    }
}

TEST(an_arrow_falls_when_its_magnet_ends_or_its_owner_does)
{
    static const struct {
        uint32_t ticks;
        bool dies, is_full;
    } rows[] = {{10, false, false}, {MAGNET_TICKS, true, false}, {MAGNET_TICKS, false, true}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct player *player = with_arrow(12, 70);
        int32_t y = arrow_body()->y;
        magnetize(player, rows[i].ticks);
        test_match_step(&match, 10);
        assert_int_equal(arrow()->state, ARROW_STUCK);
        assert_int_equal(arrow_body()->x, 28);
        assert_true(arrow_body()->y > y && arrow_body()->y < 50);
        if (rows[i].dies)
            test_match_body(&match, 0)->y = 1000;
        if (rows[i].is_full)
            player->arrows = TUNING.arrows_max;
        test_match_step(&match, 2);
        assert_int_equal(arrow()->state, ARROW_FLYING);
        test_match_step(&match, 60);
        assert_int_equal(arrow()->state, ARROW_STUCK);
        assert_int_equal(arrow_body()->y + arrow_body()->h, 64);
        assert_int_equal(arrow_body()->x, 28);
    }
}

TEST(a_wall_keeps_an_arrow_from_a_magnet)
{
    struct player *player = with_arrow(50, 70);
    for (uint32_t row = 0; row < 8; row++)
        match.map.tiles[row * 32 + 5] = DF_TILE_SOLID; // 40 to 48 px
    magnetize(player, 100);
    test_match_step(&match, 120);
    assert_int_equal(arrow()->state, ARROW_STUCK); // it touches the wall, so it stays when the magnet ends
    assert_int_equal(arrow_body()->x + arrow_body()->w, 40);
    assert_int_equal(player->arrows, 2);
}

TEST(a_magnet_pulls_an_arrow_off_a_mover)
{
    test_match_draw(&match, TEST_MAP_HALL);
    struct map_point path[] = {{0, 0}, {0, -24}};
    test_map_mover(&match.map, (struct df_box){20, 40, 8, 24}, path, 2, MAP_PATH_PINGPONG, 160);
    test_match_start(&match);
    struct player *player = test_match_put(&match, 0, 80, 64);
    test_match_step(&match, 1);
    test_match_shoot(&match, 0, BUTTON_LEFT);
    test_match_step(&match, 15);
    assert_int_equal(arrow()->stuck_in, 1);
    magnetize(player, MAGNET_TICKS);
    for (int i = 0; i < 10; i++) {
        test_match_step(&match, 1);
        assert_int_equal(arrow()->state, ARROW_STUCK);
        assert_int_equal(arrow()->stuck_in, 0);
    }
    test_match_step(&match, 20);
    assert_int_equal(player->arrows, 3);
}

TEST(two_magnets_pull_against_each_other)
{
    struct player *player = with_arrow(50, 20);
    struct player *other = test_match_put(&match, 1, 100, 64);
    match.world.actors[PLAYER_CAPACITY].x = (match.world.actors[0].x + match.world.actors[1].x) / 2 + 2;
    match.world.actors[PLAYER_CAPACITY].y = match.world.actors[0].y + 3;
    int32_t x = arrow_body()->x;
    other->arrows = 2;
    magnetize(player, MAGNET_TICKS);
    magnetize(other, MAGNET_TICKS);
    test_match_step(&match, 30);
    assert_int_equal(arrow_body()->x, x);
    magnetize(other, 0);
    test_match_step(&match, 30);
    assert_int_equal(player->arrows, 3);
    assert_int_equal(other->arrows, 2);
}

TEST(an_arrow_that_is_pulled_hurts_nobody_and_the_first_it_meets_may_have_it)
{
    struct player *player = with_arrow(50, 70);
    struct player *other = test_match_put(&match, 1, 40, 64);
    match.world.round.phase = ROUND_PLAYING;
    other->arrows = TUNING.arrows_max;
    magnetize(player, MAGNET_TICKS);
    test_match_step(&match, 60);
    assert_int_equal(other->state, PLAYER_ALIVE);
    assert_int_equal(player->arrows, 3); // it passed them, who had no room

    player = with_arrow(50, 70);
    test_match_put(&match, 1, 40, 64)->arrows = 0;
    magnetize(player, MAGNET_TICKS);
    test_match_step(&match, 60);
    assert_int_equal(match.world.players[1].arrows, 1);
    assert_int_equal(player->arrows, 2);
}
