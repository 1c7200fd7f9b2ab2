// SPDX-License-Identifier: MIT
// Tests chests: what they give, how they fall, ride and break, and when they come back.
#include "game/entities/chest.h"
#include "game/tuning.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

static const struct df_actor *body_of(uint32_t chest)
{
    return &match.world.actors[CHEST_ACTORS + chest];
}

// One chest at x that gives `gifts`; the player at 40.
static struct player *with_chest(int32_t x, int32_t y, uint32_t gifts)
{
    test_match_draw(&match, TEST_MAP_HALL);
    test_map_chest(&match.map, x, y, gifts, 100);
    test_match_start(&match);
    struct player *player = test_match_put(&match, 0, 40, 64);
    test_match_step(&match, 1);
    return player;
}

static struct chest *begin_to_open(uint32_t slot)
{
    test_match_body(&match, slot)->x = body_of(0)->x;
    test_match_step(&match, 1);
    return &match.world.chests[0];
}

// The roll comes before the next step.
static void touch(uint32_t slot)
{
    begin_to_open(slot);
    test_match_step(&match, 1);
}

static bool roll(uint32_t chest, uint32_t gift)
{
    return world_command(&match.world, &match.map,
                         &(struct command){.kind = COMMAND_ROLL, .slot = chest, .gift = gift});
}

TEST(each_gift_has_its_effect)
{
    static const struct {
        enum map_gift gift;
        uint32_t arrows, bombs, drills, shield;
        bool wings;
    } rows[] = {
        /* 1 */ {MAP_GIFT_ARROWS, 5, 0, 0, 0, false},
        /* 2 */ {MAP_GIFT_BOMB, 5, 2, 0, 0, false},
        /* 3 */ {MAP_GIFT_DRILL, 5, 0, 2, 0, false},
        /* 4 */ {MAP_GIFT_SHIELD, 3, 0, 0, 1, false},
        /* 5 */ {MAP_GIFT_WINGS, 3, 0, 0, 0, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct player *player = with_chest(100, 64, 1u << rows[i].gift);
        touch(0);
        assert_int_equal(player->arrows, rows[i].arrows);
        assert_int_equal(player->bombs, rows[i].bombs);
        assert_int_equal(player->drills, rows[i].drills);
        assert_int_equal(player->shield, rows[i].shield);
        assert_int_equal(player->wings_until > match.world.tick, rows[i].wings);
        assert_int_equal(match.world.chests[0].state, CHEST_AWAY);
        assert_int_equal(test_match_event(&match, EVENT_OPEN)->subject, 0);
        assert_int_equal(test_match_event(&match, EVENT_OPEN)->detail, rows[i].gift);
    }
}

TEST(a_player_carries_six_and_special_arrows_replace_normal_ones)
{
    static const struct {
        uint32_t arrows, bombs, drills;
        enum map_gift gift;
        uint32_t then_arrows, then_bombs, then_drills;
    } rows[] = {
        /* 1 */ {5, 0, 0, MAP_GIFT_ARROWS, 6, 0, 0},
        /* 2 */ {6, 0, 0, MAP_GIFT_BOMB, 6, 2, 0},
        /* 3 */ {6, 3, 2, MAP_GIFT_DRILL, 6, 3, 3},
        /* 4 */ {6, 3, 3, MAP_GIFT_BOMB, 6, 3, 3},
        /* 5 */ {0, 0, 0, MAP_GIFT_DRILL, 2, 0, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct player *player = with_chest(100, 64, 1u << rows[i].gift);
        player->arrows = rows[i].arrows;
        player->bombs = rows[i].bombs;
        player->drills = rows[i].drills;
        touch(0);
        assert_int_equal(player->arrows, rows[i].then_arrows);
        assert_int_equal(player->bombs, rows[i].then_bombs);
        assert_int_equal(player->drills, rows[i].then_drills);
    }
}

TEST(the_dice_choose_among_the_gifts_of_the_map)
{
    uint32_t seen = 0;
    for (uint32_t seed = 1; seed <= 60; seed++) {
        with_chest(100, 64, MAP_GIFTS_ANY - (1u << MAP_GIFT_SHIELD));
        match.world.rules.seed = seed;
        touch(0);
        seen |= 1u << test_match_event(&match, EVENT_OPEN)->detail;
    }
    assert_int_equal(seen, MAP_GIFTS_ANY - (1u << MAP_GIFT_SHIELD));
}

TEST(a_chest_comes_back_when_its_place_is_free)
{
    with_chest(100, 64, 1);
    touch(0);
    test_match_step(&match, 120);
    assert_int_equal(match.world.chests[0].state, CHEST_AWAY); // a player stands in its place
    test_match_body(&match, 0)->x = 40;
    test_match_step(&match, 1);
    assert_int_equal(match.world.chests[0].state, CHEST_CLOSED);
    assert_int_equal(body_of(0)->y + body_of(0)->h, 64);
    touch(0);
    test_match_body(&match, 0)->x = 40;
    test_match_step(&match, 98);
    assert_int_equal(match.world.chests[0].state, CHEST_AWAY);
    test_match_step(&match, 1);
    assert_int_equal(match.world.chests[0].state, CHEST_CLOSED);
}

TEST(of_two_players_who_touch_a_chest_the_dice_choose_one)
{
    uint32_t openers = 0;
    for (uint32_t seed = 1; seed <= 30; seed++) {
        with_chest(100, 64, 1);
        test_match_put(&match, 1, 100, 64);
        match.world.random = seed;
        touch(0);
        openers |= 1u << test_match_event(&match, EVENT_OPEN)->subject;
    }
    assert_int_equal(openers, 3);
}

TEST(a_chest_falls_and_lands)
{
    with_chest(100, 24, 1);
    test_match_step(&match, 40);
    assert_int_equal(body_of(0)->y + body_of(0)->h, 64);
    assert_int_equal(match.world.chests[0].vy, 0);
}

TEST(a_lift_carries_a_chest)
{
    test_match_draw(&match, TEST_MAP_HALL);
    struct map_point path[] = {{0, 0}, {40, -16}};
    test_map_mover(&match.map, (struct df_box){80, 48, 32, 8}, path, 2, MAP_PATH_PINGPONG, 160);
    test_map_chest(&match.map, 96, 46, 1, 100);
    test_match_start(&match);
    test_match_step(&match, 6);
    int32_t dx = body_of(0)->x - match.world.solids[0].x;
    for (int i = 0; i < 160; i++) {
        test_match_step(&match, 1);
        assert_int_equal(body_of(0)->x - match.world.solids[0].x, dx);
        assert_int_equal(body_of(0)->y + body_of(0)->h, match.world.solids[0].y);
    }
}

TEST(a_mover_pushes_a_chest_and_squishes_it_against_a_wall)
{
    test_match_draw(&match, TEST_MAP_HALL);
    struct map_point path[] = {{0, 0}, {40, 0}};
    test_map_mover(&match.map, (struct df_box){200, 40, 8, 24}, path, 2, MAP_PATH_PINGPONG, 160);
    test_map_chest(&match.map, 220, 64, 1, 400);
    test_match_start(&match);
    test_match_step(&match, 40);
    assert_int_equal(body_of(0)->x, match.world.solids[0].x + 8);
    test_match_step(&match, 60);
    assert_int_equal(match.world.chests[0].state, CHEST_AWAY);
    assert_int_equal(test_match_event(&match, EVENT_BREAK)->detail, 2);
}

TEST(a_chest_on_a_lift_under_a_crusher_is_squished)
{
    test_match_draw(&match, TEST_MAP_HALL);
    struct map_point path[] = {{0, 0}, {0, -40}};
    test_map_mover(&match.map, (struct df_box){80, 60, 32, 4}, path, 2, MAP_PATH_PINGPONG, 160);
    test_map_crusher(&match.map, (struct df_box){80, 8, 32, 16}, 8);
    test_map_chest(&match.map, 96, 56, 1, 1000);
    test_match_start(&match);
    test_match_step(&match, 90);
    assert_int_equal(match.world.chests[0].state, CHEST_AWAY);
    assert_int_equal(test_match_event(&match, EVENT_BREAK)->detail, 2);
}

TEST(a_bomb_breaks_a_chest_and_nobody_gets_its_gift)
{
    struct player *player = with_chest(100, 64, 1);
    player->bombs = 1;
    test_match_shoot(&match, 0, BUTTON_RIGHT);
    while (match.world.arrow_slots > 0 && match.world.arrows[0].state == ARROW_FLYING)
        test_match_step(&match, 1);
    match.world.actors[PLAYER_CAPACITY].x = 100;
    test_match_step(&match, TUNING.bomb_fuse_ticks);
    assert_int_equal(match.world.chests[0].state, CHEST_AWAY);
    assert_null(test_match_event(&match, EVENT_OPEN));
}

TEST(a_chest_that_leaves_the_map_comes_back)
{
    test_match_draw(&match, TEST_MAP_HALL);
    match.map.outside = DF_OUTSIDE_EMPTY;
    match.map.tiles[8 * 32 + 12] = match.map.tiles[8 * 32 + 11] = match.map.tiles[8 * 32 + 13] = DF_TILE_EMPTY;
    test_map_chest(&match.map, 100, 60, 1, 100);
    test_match_start(&match);
    test_match_step(&match, 100);
    assert_int_equal(match.world.chests[0].state, CHEST_AWAY);
    test_match_step(&match, 50);
    assert_int_equal(match.world.chests[0].state, CHEST_CLOSED);
}

TEST(a_new_round_restores_chests_and_removes_gifts)
{
    struct player *player = with_chest(100, 64, 1u << MAP_GIFT_SHIELD);
    test_match_put(&match, 1, 200, 64);
    touch(0);
    assert_int_equal(player->shield, 1);
    test_match_body(&match, 0)->x = 40;
    match.world.round.phase = ROUND_WARMUP;
    match.world.round.since_tick = match.world.tick - TUNING.warmup_ticks;
    test_match_step(&match, 3);
    assert_int_equal(match.world.round.phase, ROUND_COUNTDOWN);
    assert_int_equal(match.world.chests[0].state, CHEST_CLOSED);
    assert_int_equal(player->shield, 0);
}

TEST(a_chest_that_was_touched_waits_for_its_roll)
{
    struct player *player = with_chest(100, 64, 1u << MAP_GIFT_SHIELD | 1u << MAP_GIFT_WINGS);
    assert_false(roll(0, MAP_GIFT_SHIELD)); // it is closed
    struct chest *chest = begin_to_open(0);
    struct df_actor body = *body_of(0);
    for (uint32_t i = 0; i < 30; i++) { // as in a prediction
        assert_int_equal(chest->state, CHEST_OPENING);
        assert_int_equal(chest->opener, 1);
        assert_int_equal(player->shield, 0);
        assert_null(test_match_event(&match, EVENT_OPEN));
        assert_memory_equal(&body, body_of(0), sizeof body);
        assert_true(world_validate(&match.world, &match.map));
        world_step(&match.world, &match.map, match.inputs);
    }
    static const struct {
        uint32_t chest, gift;
    } refused[] = {{1, MAP_GIFT_SHIELD}, {MAP_CHEST_CAPACITY, MAP_GIFT_SHIELD},
                   {UINT32_MAX, 0},      {0, MAP_GIFT_BOMB},
                   {0, MAP_GIFTS},       {0, UINT32_MAX}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        assert_false(roll(refused[i].chest, refused[i].gift));
    assert_int_equal(match.world.rolls, 0);
    assert_true(roll(0, MAP_GIFT_SHIELD));
    assert_int_equal(player->shield, 1);
    assert_int_equal(match.world.rolls, 1);
    assert_int_equal(chest->state, CHEST_AWAY);
    assert_int_equal(chest->returns_tick, match.world.tick + 100);
    assert_true(world_validate(&match.world, &match.map));
    assert_false(roll(0, MAP_GIFT_SHIELD));
}

TEST(chests_that_open_together_are_rolled_in_order)
{
    with_chest(100, 64, 1u << MAP_GIFT_SHIELD);
    test_map_chest(&match.map, 160, 64, 1u << MAP_GIFT_WINGS, 100);
    test_match_start(&match);
    test_match_put(&match, 0, 40, 64);
    test_match_put(&match, 1, 200, 64);
    test_match_step(&match, 1);
    test_match_body(&match, 1)->x = body_of(1)->x;
    begin_to_open(0);
    assert_int_equal(match.world.chests[1].state, CHEST_OPENING);
    assert_false(roll(1, MAP_GIFT_WINGS));
    assert_true(roll(0, MAP_GIFT_SHIELD));
    assert_true(roll(1, MAP_GIFT_WINGS));
    assert_int_equal(match.world.rolls, 2);
}

TEST(a_gift_is_lost_with_its_opener)
{
    static const enum command_kind kinds[] = {COMMAND_LEAVE, COMMAND_TEAM, COMMAND_PAUSE};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct player *player = with_chest(100, 64, 1u << MAP_GIFT_SHIELD);
        test_match_put(&match, 1, 200, 64);
        struct chest *chest = begin_to_open(0);
        assert_true(world_command(&match.world, &match.map,
                                  &(struct command){.kind = kinds[i], .team = TEAM_SPECTATE, .paused = 1}));
        if (kinds[i] == COMMAND_LEAVE) // somebody else takes the slot
            test_match_put(&match, 0, 40, 64);
        assert_true(world_validate(&match.world, &match.map));
        assert_int_equal(chest->state, CHEST_OPENING);
        assert_true(roll(0, MAP_GIFT_SHIELD));
        assert_int_equal(player->shield, kinds[i] == COMMAND_PAUSE); // they are still there
        assert_int_equal(test_match_event(&match, EVENT_OPEN)->subject, kinds[i] == COMMAND_LEAVE ? EVENT_NOBODY : 0);
        assert_int_equal(chest->state, CHEST_AWAY);
    }
}

TEST(a_bomb_does_not_break_a_chest_that_opens)
{
    struct player *player = with_chest(100, 64, 1u << MAP_GIFT_SHIELD);
    test_match_put(&match, 1, 200, 64)->bombs = 1;
    test_match_shoot(&match, 1, BUTTON_RIGHT);
    while (match.world.arrow_slots > 0 && match.world.arrows[0].state == ARROW_FLYING)
        test_match_step(&match, 1);
    match.world.actors[PLAYER_CAPACITY].x = 120;
    match.world.arrows[0].burnt_tick = match.world.tick + 1;
    touch(0);
    assert_non_null(test_match_event(&match, EVENT_EXPLODE));
    assert_non_null(test_match_event(&match, EVENT_OPEN));
    assert_int_equal(player->shield, 0); // the explosion killed them before they had it
}

TEST(gifts_are_drawn_by_their_weights)
{
    static const struct {
        uint32_t gifts, random;
        enum map_gift gift;
    } rows[] = {
        /* 1 */ {0x1F, 0, MAP_GIFT_ARROWS},
        /* 2 */ {0x1F, 0x66666666, MAP_GIFT_ARROWS}, // 4 of 10
        /* 3 */ {0x1F, 0x66666667, MAP_GIFT_BOMB},
        /* 4 */ {0x1F, 0x9999999A, MAP_GIFT_DRILL},
        /* 5 */ {0x1F, 0xCCCCCCCD, MAP_GIFT_SHIELD},
        /* 6 */ {0x1F, 0xE6666667, MAP_GIFT_WINGS},
        /* 7 */ {0x1F, UINT32_MAX, MAP_GIFT_WINGS},
        /* 8 */ {0x18, 0x7FFFFFFF, MAP_GIFT_SHIELD}, // one each
        /* 9 */ {0x18, 0x80000000, MAP_GIFT_WINGS},
        /* 10 */ {0x02, UINT32_MAX, MAP_GIFT_BOMB},
        /* 11 */ {0x05, 0xAAAAAAAB, MAP_GIFT_DRILL}, // 4 and 2
        /* 12 */ {0x05, 0xAAAAAAAA, MAP_GIFT_ARROWS},
        /* 13 */ {MAP_GIFTS_ANY, UINT32_MAX, MAP_GIFTS - 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (chest_draw(&(struct map_chest){.gifts = rows[i].gifts}, rows[i].random) != rows[i].gift)
            fail_msg("row %zu", i + 1);
}
