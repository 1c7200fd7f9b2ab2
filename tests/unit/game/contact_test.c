// SPDX-License-Identifier: MIT
// Tests what happens when things touch, and the grid that says which players are near.
#include "base/random.h"
#include "game/rules/rules.h"
#include "game/tuning.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

static const char *const HALL[] = {
    "################", "#..............#", "#..............#", "#..............#", "#..............#",
    "#..............#", "#.S............#", "########^^^#####", "################", NULL};

static void in_hall(void)
{
    test_match_draw(&match, HALL);
    test_match_start(&match);
    match.world.round.phase = ROUND_PLAYING;
}

TEST(landing_on_a_player_stomps_and_bounces)
{
    in_hall();
    struct player *above = test_match_put(&match, 0, 32, 30), *below = test_match_put(&match, 1, 32, 56);
    above->dashes = 0;
    for (int i = 0; i < 30 && below->state == PLAYER_ALIVE; i++)
        test_match_step(&match, 1);
    assert_int_equal(below->state, PLAYER_DEAD);
    assert_int_equal(above->vy, TUNING.stomp_vy);
    assert_int_equal(above->dashes, 1);
    assert_int_equal(above->score, 1);
    assert_int_equal(test_match_event(&match, EVENT_KILL)->detail, DEATH_STOMP);
}

TEST(landing_beside_a_player_is_no_stomp)
{
    in_hall();
    struct player *falls = test_match_put(&match, 0, 38, 50), *stands = test_match_put(&match, 1, 32, 56);
    falls->vy = 100;
    test_match_step(&match, 20);
    assert_int_equal(stands->state, PLAYER_ALIVE);
    assert_int_equal(falls->state, PLAYER_ALIVE);
}

TEST(a_shield_saves_the_victim_of_a_stomp)
{
    in_hall();
    struct player *above = test_match_put(&match, 0, 32, 30), *below = test_match_put(&match, 1, 32, 56);
    below->shield_until = 1000;
    for (int i = 0; i < 30 && below->shover == 0; i++)
        test_match_step(&match, 1);
    assert_int_equal(below->state, PLAYER_ALIVE);
    assert_int_equal(above->vy, TUNING.stomp_vy);
    assert_int_equal(below->shover, 1);
}

TEST(two_players_who_shoot_each_other_both_die)
{
    in_hall();
    struct player *left = test_match_put(&match, 0, 16, 56), *right = test_match_put(&match, 1, 56, 56);
    right->facing = -1;
    test_match_step(&match, 2);
    test_match_hold(&match, 0, BUTTON_SHOOT);
    test_match_hold(&match, 1, BUTTON_SHOOT);
    test_match_step(&match, 12);
    assert_int_equal(left->state, PLAYER_DEAD);
    assert_int_equal(right->state, PLAYER_DEAD);
    assert_int_equal(left->score, 1);
    assert_int_equal(right->score, 1);
}

TEST(spikes_kill_and_cost_a_point)
{
    in_hall();
    struct player *player = test_match_put(&match, 0, 76, 56), *other = test_match_put(&match, 1, 32, 56);
    test_match_step(&match, 10);
    assert_int_equal(player->state, PLAYER_DEAD);
    assert_int_equal(player->score, -1);
    assert_int_equal(other->score, 0);
    const struct event *kill = test_match_event(&match, EVENT_KILL);
    assert_int_equal(kill->detail, DEATH_HAZARD);
    assert_int_equal(kill->other, EVENT_NOBODY);
}

TEST(a_shove_into_spikes_within_two_seconds_is_a_kill)
{
    for (uint32_t age = 100; age <= 140; age += 40) {
        in_hall();
        struct player *player = test_match_put(&match, 0, 76, 56), *other = test_match_put(&match, 1, 32, 56);
        match.world.tick = 1000;
        player->shover = 2;
        player->shoved_tick = 1000 - age;
        test_match_step(&match, 10);
        assert_int_equal(player->state, PLAYER_DEAD);
        assert_int_equal(other->score, age < 120 ? 1 : 0);
        assert_int_equal(player->score, age < 120 ? 0 : -1);
    }
}

TEST(a_player_who_leaves_an_open_map_dies)
{
    in_hall();
    match.map.outside = DF_OUTSIDE_EMPTY;
    struct player *player = test_match_put(&match, 0, 200, 56);
    test_match_step(&match, 60);
    assert_int_equal(player->state, PLAYER_DEAD);
    assert_int_equal(test_match_event(&match, EVENT_KILL)->detail, DEATH_FALL);
}

TEST(nothing_counts_in_warm_up)
{
    in_hall();
    match.world.round.phase = ROUND_WARMUP;
    struct player *player = test_match_put(&match, 0, 76, 56);
    test_match_step(&match, 10);
    assert_int_equal(player->state, PLAYER_DEAD);
    assert_int_equal(player->score, 0);
    assert_int_equal(player->stats.deaths, 0);
}

TEST(contacts_work_across_the_seam)
{
    static const char *const ring[] = {"................", "................", "..S.............", "################",
                                       NULL};
    test_match_draw(&match, ring);
    match.map.outside = DF_OUTSIDE_WRAP;
    test_match_start(&match);
    test_match_put(&match, 0, 100, 24);
    struct player *victim = test_match_put(&match, 1, 2, 24);
    test_match_step(&match, 1);
    test_match_hold(&match, 0, BUTTON_SHOOT);
    test_match_step(&match, 12);
    assert_int_equal(victim->state, PLAYER_DEAD);
}

static struct player_grid grid;

// Up to 40 px outside of the map on each side.
static struct df_box some_box(uint32_t *dice)
{
    int32_t x = (int32_t)random_below(dice, 37 * 8 + 80) - 40, y = (int32_t)random_below(dice, 160);
    return (struct df_box){x, y, 4, 4};
}

TEST(all_players_who_overlap_a_box_are_found)
{
    uint32_t dice = 3, met = 0, called = 0, asked = 0;
    for (uint32_t seed = 1; seed <= 30; seed++) {
        test_map_random(&match.map, seed, 37, 20);
        test_match_start(&match);
        struct step step = {.world = &match.world, .map = &match.map};
        for (uint32_t slot = 0; slot < 200; slot += 1 + random_below(&dice, 3)) {
            struct df_box box = some_box(&dice);
            test_match_put(&match, slot, box.x, box.y);
        }
        contact_grid_build(&grid, &step);
        for (int i = 0; i < 200; i++, asked++) {
            struct df_box box = some_box(&dice);
            struct player_set set = contact_grid_near(&grid, &step, box);
            bool near[PLAYER_CAPACITY] = {false};
            for (uint32_t slot; (slot = contact_grid_next(&set)) != PLAYER_CAPACITY; called++)
                near[slot] = true;
            for (uint32_t slot = 0; slot < match.world.player_slots; slot++)
                if (match.world.players[slot].state == PLAYER_ALIVE &&
                    step_overlaps(&step, box, step_hurt_box(&step, slot))) {
                    assert_true(near[slot]);
                    met++;
                }
        }
    }
    assert_true(met > 500);
    assert_true(called / asked < 12); // out of about 100: far from all players
}

TEST(players_far_to_any_side_are_not_found)
{
    static const struct df_box far[] = {{8, 80, 8, 11}, {144, 80, 8, 11}, {80, 8, 8, 11}, {80, 144, 8, 11}};
    test_map_random(&match.map, 1, 37, 20);
    test_match_start(&match);
    test_match_put(&match, 5, 80, 80);
    struct step step = {.world = &match.world, .map = &match.map};
    contact_grid_build(&grid, &step);
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
        struct player_set set = contact_grid_near(&grid, &step, far[i]);
        assert_int_equal(contact_grid_next(&set), PLAYER_CAPACITY);
    }
}

// 37 tiles are nine cells and a part of one; a box reaches over that part.
TEST(a_box_over_the_seam_finds_all_who_overlap_it)
{
    test_map_random(&match.map, 1, 37, 37);
    match.map.outside = DF_OUTSIDE_WRAP;
    test_match_start(&match);
    test_match_put(&match, 5, 292, 296);
    struct step step = {.world = &match.world, .map = &match.map};
    contact_grid_build(&grid, &step);
    for (int32_t from_px = 264; from_px <= 280; from_px += 4) {
        struct player_set set = contact_grid_near(&grid, &step, (struct df_box){from_px, from_px, 32, 32});
        assert_int_equal(contact_grid_next(&set), 5);
    }
}

TEST(dead_and_absent_players_are_not_found)
{
    test_map_random(&match.map, 1, 37, 20);
    test_match_start(&match);
    test_match_put(&match, 5, 50, 50)->state = PLAYER_DEAD;
    struct step step = {.world = &match.world, .map = &match.map};
    contact_grid_build(&grid, &step);
    struct player_set set = contact_grid_near(&grid, &step, (struct df_box){46, 39, 8, 11});
    assert_int_equal(contact_grid_next(&set), PLAYER_CAPACITY);
}
