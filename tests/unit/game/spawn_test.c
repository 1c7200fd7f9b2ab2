// SPDX-License-Identifier: MIT
// Tests where and when players spawn, and what they carry.
#include "game/player/player.h"
#include "game/tuning.h"
#include "game/variant.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

static const char *const HALL[] = {"################################", "#..............................#",
                                   "#..............................#", "#..............................#",
                                   "#..............................#", "#.S............S............S..#",
                                   "################################", NULL};

static void join(uint32_t slot)
{
    struct command command = {.kind = COMMAND_JOIN, .slot = slot};
    assert_true(world_command(&match.world, &match.map, &command));
}

TEST(a_new_player_spawns_with_a_shield_and_three_arrows)
{
    test_match_draw(&match, HALL);
    test_match_start(&match);
    join(3);
    assert_int_equal(match.world.players[3].state, PLAYER_DEAD);
    test_match_step(&match, 1);
    const struct player *player = &match.world.players[3];
    assert_int_equal(player->state, PLAYER_ALIVE);
    assert_int_equal(player->arrows, 3);
    assert_int_equal(player->shield_until, 1 + 60);
    const struct event *spawn = test_match_event(&match, EVENT_SPAWN);
    assert_int_equal(spawn->subject, 3);
    assert_int_equal(test_match_body(&match, 3)->x + 4, spawn->x);
    assert_int_equal(test_match_body(&match, 3)->y + 11, 48);
}

TEST(a_handicap_helps_or_hinders_at_each_spawn)
{
    static const struct {
        uint32_t handicap, variants, arrows, shield;
    } rows[] = {
        /* 1 */ {HANDICAP_NONE, 0, 3, 0},
        /* 2 */ {HANDICAP_SHIELD, 0, 3, 1},
        /* 3 */ {HANDICAP_ARROW, 0, 1, 0},
        /* 4 */ {HANDICAP_ARROW, 1u << VARIANT_SHIELDS, 1, 1},
        /* 5 */ {HANDICAP_ARROW, 1u << VARIANT_NO_ARROWS, 0, 0},
        /* 6 */ {HANDICAP_SHIELD, 1u << VARIANT_ONE_ARROW, 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_match_draw(&match, HALL);
        test_match_start(&match);
        match.world.rules.variants = rows[i].variants;
        struct command command = {.kind = COMMAND_JOIN, .slot = 3, .record.handicap = rows[i].handicap};
        assert_true(world_command(&match.world, &match.map, &command));
        struct player *player = &match.world.players[3];
        for (int life = 0; life < 2; life++) {
            test_match_step(&match, 1);
            if (player->state != PLAYER_ALIVE || player->arrows != rows[i].arrows || player->shield != rows[i].shield)
                fail_msg("row %zu, life %d: %u arrows, shield %u", i + 1, life, player->arrows, player->shield);
            player_withdraw(&match.world, 3, PLAYER_DEAD);
        }
        assert_int_equal(player_record(player).handicap, rows[i].handicap);
    }
}

TEST(the_spawn_is_the_one_farthest_from_the_living)
{
    test_match_draw(&match, HALL);
    test_match_start(&match);
    test_match_put(&match, 0, 20, 48);
    test_match_put(&match, 1, 100, 48);
    join(2);
    test_match_step(&match, 1);
    assert_int_equal(test_match_body(&match, 2)->x + 4, 28 * 8 + 4);
}

TEST(no_player_spawns_beneath_a_falling_crusher)
{
    test_match_draw(&match, HALL);
    test_map_crusher(&match.map, (struct df_box){216, 8, 24, 8}, 32);
    test_match_start(&match);
    test_match_put(&match, 0, 20, 48);
    match.world.crushers[0].state = CRUSHER_WARNING;
    join(1);
    test_match_step(&match, 1);
    assert_int_equal(test_match_body(&match, 1)->x + 4, 15 * 8 + 4);
}

TEST(a_player_waits_until_a_spawn_is_free_of_solids)
{
    static const char *const one[] = {"##########", "#........#", "#........#", "#..S.....#", "##########", NULL};
    test_match_draw(&match, one);
    struct map_point line[] = {{0, 0}, {40, 0}};
    test_map_mover(&match.map, (struct df_box){24, 16, 8, 16}, line, 2, MAP_PATH_PINGPONG, 80);
    test_match_start(&match);
    join(0);
    test_match_step(&match, 5);
    assert_int_equal(match.world.players[0].state, PLAYER_DEAD);
    test_match_step(&match, 10);
    assert_int_equal(match.world.players[0].state, PLAYER_ALIVE);
}

TEST(a_dead_player_waits_for_ninety_ticks)
{
    test_match_draw(&match, HALL);
    test_match_start(&match);
    struct player *player = test_match_put(&match, 0, 50, 48);
    match.map.tiles[5 * 32 + 6] = DF_TILE_HAZARD;
    test_match_step(&match, 1);
    assert_int_equal(player->state, PLAYER_DEAD);
    match.map.tiles[5 * 32 + 6] = DF_TILE_EMPTY;
    test_match_step(&match, 89);
    assert_int_equal(player->state, PLAYER_DEAD);
    test_match_step(&match, 1);
    assert_int_equal(player->state, PLAYER_ALIVE);
}

TEST(at_most_eight_players_spawn_per_tick)
{
    test_match_draw(&match, HALL);
    test_match_start(&match);
    for (uint32_t slot = 0; slot < 20; slot++)
        join(slot);
    for (uint32_t ticks = 1; ticks <= 3; ticks++) {
        test_match_step(&match, 1);
        uint32_t alive = 0;
        for (uint32_t slot = 0; slot < 20; slot++)
            alive += match.world.players[slot].state == PLAYER_ALIVE;
        assert_int_equal(alive, ticks < 3 ? 8 * ticks : 20);
    }
}
