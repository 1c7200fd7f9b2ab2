// SPDX-License-Identifier: MIT
// Tests switches: what turns them on, for how long, and the channels they drive.
#include "game/entities/entities.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

static uint32_t in_hall(enum map_switch_kind kind, struct df_box box, int32_t hold_ticks)
{
    test_match_draw(&match, TEST_MAP_HALL);
    uint32_t index = test_map_switch(&match.map, kind, box, 3);
    match.map.switches[index].hold_ticks = hold_ticks;
    test_match_start(&match);
    return index;
}

static void put_arrow(uint32_t slot, int32_t x, int32_t y, int32_t vx)
{
    match.world.arrows[slot] =
        (struct arrow){.state = ARROW_FLYING, .owner = 1, .vx = vx, .since_tick = match.world.tick};
    match.world.actors[PLAYER_CAPACITY + slot] =
        (struct df_actor){.x = x, .y = y, .w = 4, .h = 4, .ride = DF_RIDE_NEVER, .flags = DF_ACTOR_ALIVE};
    if (match.world.arrow_slots <= slot)
        match.world.arrow_slots = slot + 1;
}

static bool is_on(void)
{
    assert_true(world_validate(&match.world, &match.map));
    assert_int_equal(switch_channels(&match.world, &match.map), match.world.switches[0].on ? 1u << 2 : 0);
    return match.world.switches[0].on;
}

TEST(a_plate_is_on_while_a_player_is_in_it_or_on_it)
{
    static const struct {
        struct df_box plate;
        int32_t x, y;
        bool on;
    } rows[] = {
        /* 1 */ {{96, 56, 16, 8}, 104, 64, true},  // in it
        /* 2 */ {{96, 64, 16, 8}, 104, 64, true},  // on it: it lies in the floor
        /* 3 */ {{96, 64, 16, 8}, 93, 64, true},   // by one pixel
        /* 4 */ {{96, 64, 16, 8}, 92, 64, false},  // beside it
        /* 5 */ {{96, 56, 16, 8}, 116, 64, false}, // beside it on the other side
        /* 6 */ {{96, 56, 16, 8}, 104, 40, false}, // in the air above
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        in_hall(MAP_SWITCH_PLATE, rows[i].plate, 0);
        test_match_put(&match, 0, rows[i].x, rows[i].y);
        test_match_step(&match, 1);
        assert_int_equal(is_on(), rows[i].on);
    }
}

TEST(a_plate_goes_off_when_the_player_leaves)
{
    in_hall(MAP_SWITCH_PLATE, (struct df_box){96, 56, 16, 8}, 0);
    test_match_put(&match, 0, 104, 64);
    test_match_put(&match, 1, 30, 64);
    test_match_step(&match, 30);
    assert_true(is_on());
    assert_int_equal(test_match_event(&match, EVENT_SWITCH)->subject, 0);
    assert_int_equal(test_match_event(&match, EVENT_SWITCH)->detail, 1);
    test_match_forget(&match);
    test_match_put(&match, 0, 200, 64);
    test_match_step(&match, 1);
    assert_false(is_on());
    assert_int_equal(test_match_event(&match, EVENT_SWITCH)->detail, 0);
}

TEST(a_plate_with_a_hold_time_stays_on_for_that_time)
{
    in_hall(MAP_SWITCH_PLATE, (struct df_box){96, 56, 16, 8}, 30);
    test_match_put(&match, 0, 104, 64);
    test_match_step(&match, 5);
    test_match_put(&match, 0, 200, 64);
    for (int i = 1; i < 30; i++) {
        test_match_step(&match, 1);
        assert_true(is_on());
    }
    test_match_step(&match, 1);
    assert_false(is_on());
}

TEST(a_dead_player_does_not_hold_a_plate)
{
    in_hall(MAP_SWITCH_PLATE, (struct df_box){96, 56, 16, 8}, 0);
    struct player *dead = test_match_put(&match, 0, 104, 64);
    dead->state = PLAYER_DEAD;
    dead->respawn_tick = 1000;
    test_match_body(&match, 0)->flags = 0;
    test_match_step(&match, 1);
    assert_false(is_on());
}

TEST(every_arrow_that_hits_a_lever_turns_it_once)
{
    in_hall(MAP_SWITCH_LEVER, (struct df_box){100, 24, 8, 16}, 0);
    test_match_put(&match, 0, 30, 64);
    for (uint32_t arrow = 0; arrow < 3; arrow++) {
        test_match_forget(&match);
        put_arrow(arrow, 60, 30, 1280);
        test_match_step(&match, 7); // 60 + 7 * 5 + 4 < 100
        assert_int_equal(is_on(), arrow % 2);
        test_match_step(&match, 1);
        assert_int_equal(is_on(), (arrow + 1) % 2);
        assert_int_equal(test_match_event(&match, EVENT_SWITCH)->subject, 0);
        test_match_step(&match, 15);
        assert_int_equal(is_on(), (arrow + 1) % 2); // it flew through and on
    }
}

TEST(an_arrow_stuck_inside_a_lever_turns_it_once)
{
    in_hall(MAP_SWITCH_LEVER, (struct df_box){240, 24, 8, 16}, 0); // flush with the right wall
    test_match_put(&match, 0, 30, 64);
    put_arrow(0, 235, 30, 4096);
    test_match_step(&match, 1);
    assert_int_equal(match.world.arrows[0].state, ARROW_STUCK);
    assert_true(is_on());
    test_match_step(&match, 60);
    assert_true(is_on());
}

TEST(players_do_not_turn_levers)
{
    in_hall(MAP_SWITCH_LEVER, (struct df_box){96, 48, 16, 16}, 0);
    test_match_put(&match, 0, 104, 64);
    test_match_step(&match, 30);
    assert_false(is_on());
}

TEST(a_timed_lever_goes_off_and_a_hit_restarts_the_time)
{
    in_hall(MAP_SWITCH_LEVER, (struct df_box){100, 24, 8, 16}, 50);
    test_match_put(&match, 0, 30, 64);
    put_arrow(0, 92, 30, 1280);
    test_match_step(&match, 1);
    assert_true(is_on());
    test_match_step(&match, 29);
    put_arrow(1, 92, 30, 1280);
    test_match_step(&match, 1); // hit again 30 ticks later
    test_match_step(&match, 49);
    assert_true(is_on());
    test_match_step(&match, 1);
    assert_false(is_on());
}

TEST(a_channel_is_on_while_any_of_its_switches_is)
{
    in_hall(MAP_SWITCH_PLATE, (struct df_box){96, 56, 16, 8}, 0);
    test_map_switch(&match.map, MAP_SWITCH_PLATE, (struct df_box){160, 56, 16, 8}, 3);
    test_map_switch(&match.map, MAP_SWITCH_PLATE, (struct df_box){200, 56, 16, 8}, 32);
    test_match_start(&match);
    test_match_put(&match, 0, 168, 64);
    test_match_step(&match, 1);
    assert_int_equal(switch_channels(&match.world, &match.map), 1u << 2);
    test_match_put(&match, 1, 208, 64);
    test_match_step(&match, 1);
    assert_int_equal(switch_channels(&match.world, &match.map), 1u << 2 | 1u << 31);
}

TEST(a_plate_works_across_the_seam)
{
    in_hall(MAP_SWITCH_PLATE, (struct df_box){0, 56, 8, 8}, 0);
    for (int32_t row = 0; row < 8; row++)
        match.map.tiles[row * 32] = match.map.tiles[row * 32 + 31] = DF_TILE_EMPTY;
    match.map.outside = DF_OUTSIDE_WRAP;
    test_match_start(&match);
    test_match_put(&match, 0, 254, 64); // the player's box is 250 to 258
    test_match_step(&match, 1);
    assert_true(is_on());
}
