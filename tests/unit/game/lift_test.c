// SPDX-License-Identifier: MIT
// Tests doors and lifts: how switches move them, and what they do to players in the way.
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

static const struct map_point OPEN[] = {{0, 0}, {0, -40}}, SHAFT[] = {{0, 0}, {0, -30}}, ASIDE[] = {{0, 0}, {60, 0}};

// A plate at the left, where player 0 stands.
static uint32_t in_hall(enum map_solid_kind kind, struct df_box box, const struct map_point *line,
                        enum map_path_mode mode, int32_t period_ticks)
{
    test_match_draw(&match, TEST_MAP_HALL);
    test_map_switch(&match.map, MAP_SWITCH_PLATE, (struct df_box){8, 56, 16, 8}, 1);
    return test_map_driven(&match.map, kind, box, line, 2, mode, period_ticks, 1);
}

static void start(void)
{
    test_match_start(&match);
    test_match_put(&match, 0, 16, 64);
}

static void let_go(void)
{
    test_match_put(&match, 0, 40, 64);
}

static void step(uint32_t ticks)
{
    for (; ticks > 0; ticks--) {
        test_match_step(&match, 1);
        assert_true(world_validate(&match.world, &match.map));
    }
}

static void stick(uint32_t slot, int32_t x, int32_t y, uint32_t solid)
{
    match.world.arrows[slot] = (struct arrow){.state = ARROW_STUCK, .stuck_in = solid + 1, .vx = 1280};
    match.world.actors[PLAYER_CAPACITY + slot] =
        (struct df_actor){.x = x, .y = y, .w = 4, .h = 4, .ride = DF_RIDE_NEVER, .flags = DF_ACTOR_ALIVE};
    match.world.arrow_slots = slot + 1;
}

TEST(a_door_is_open_while_its_channel_is_on)
{
    in_hall(MAP_SOLID_DOOR, (struct df_box){128, 24, 8, 40}, OPEN, MAP_PATH_CALL, 40);
    start();
    const struct df_solid *door = match.world.solids;
    step(1); // the plate notices the player
    assert_int_equal(door->y, 24);
    for (int32_t i = 1; i <= 20; i++) {
        step(1);
        assert_int_equal(door->y, 24 - 2 * i);
    }
    step(10);
    assert_int_equal(door->y, -16); // it stays open
    let_go();
    step(1);
    for (int32_t i = 1; i <= 20; i++) {
        step(1);
        assert_int_equal(door->y, -16 + 2 * i);
    }
    step(10);
    assert_int_equal(door->y, 24);
}

TEST(a_door_can_reverse_halfway)
{
    in_hall(MAP_SOLID_DOOR, (struct df_box){128, 24, 8, 40}, OPEN, MAP_PATH_CALL, 40);
    start();
    step(1 + 7);
    assert_int_equal(match.world.solids[0].y, 24 - 14);
    let_go();
    step(1 + 7);
    assert_int_equal(match.world.solids[0].y, 24 - 2); // it still rose in the tick of the change
    step(1);
    assert_int_equal(match.world.solids[0].y, 24);
}

TEST(a_door_that_shuts_squishes)
{
    in_hall(MAP_SOLID_DOOR, (struct df_box){128, 24, 16, 40}, OPEN, MAP_PATH_CALL, 40);
    start();
    match.world.round.phase = ROUND_PLAYING;
    step(25);
    struct player *victim = test_match_put(&match, 1, 136, 64);
    step(5);
    assert_int_equal(victim->state, PLAYER_ALIVE); // an open door does no harm
    let_go();
    test_match_forget(&match);
    step(25);
    assert_int_equal(victim->state, PLAYER_DEAD);
    assert_int_equal(test_match_event(&match, EVENT_KILL)->detail, DEATH_SQUISH);
}

TEST(a_rider_between_a_door_and_a_wall_stops_and_survives)
{
    in_hall(MAP_SOLID_LIFT, (struct df_box){100, 48, 40, 8}, ASIDE, MAP_PATH_CALL, 240);
    test_map_driven(&match.map, MAP_SOLID_DOOR, (struct df_box){140, 8, 8, 40}, OPEN, 2, MAP_PATH_CALL, 40, 1);
    match.map.switches[match.map.switch_count++] =
        (struct map_switch){.box = {200, 56, 8, 8}, .channel = 2}; // nobody ever stands on it
    match.map.solids[1].channel = 2;
    start();
    struct player *rider = test_match_put(&match, 1, 130, 48);
    step(60);
    assert_int_equal(rider->state, PLAYER_ALIVE);
    assert_int_equal(test_match_body(&match, 1)->x + 8,
                     140); // the shut door stopped the player, the lift went on below
    assert_int_equal(test_match_body(&match, 1)->y + 11, 48);
    assert_true(match.world.solids[0].x > 125);
}

TEST(a_door_that_slides_aside_squishes_against_a_wall)
{
    in_hall(MAP_SOLID_DOOR, (struct df_box){180, 24, 8, 40}, ASIDE, MAP_PATH_CALL, 120);
    start();
    struct player *victim = test_match_put(&match, 1, 230, 64);
    step(90);
    assert_int_equal(victim->state, PLAYER_DEAD);
    assert_int_equal(match.world.solids[0].x, 240);
}

TEST(an_arrow_that_sticks_in_a_door_rides_it)
{
    uint32_t door = in_hall(MAP_SOLID_DOOR, (struct df_box){128, 24, 8, 40}, OPEN, MAP_PATH_CALL, 80);
    start();
    stick(0, 124, 50, door);
    for (int i = 0; i < 30; i++) {
        step(1);
        assert_int_equal(match.world.arrows[0].state, ARROW_STUCK);
        assert_int_equal(match.world.actors[PLAYER_CAPACITY].y - match.world.solids[0].y, 26);
    }
    assert_int_equal(match.world.solids[0].y, 24 - 29);
}

TEST(a_lift_carries_player_and_arrow_up_and_down)
{
    uint32_t lift = in_hall(MAP_SOLID_LIFT, (struct df_box){100, 56, 32, 8}, SHAFT, MAP_PATH_CALL, 120);
    start();
    test_match_put(&match, 1, 110, 56);
    stick(0, 124, 52, lift);
    for (int i = 0; i < 140; i++) {
        if (i == 70)
            let_go();
        step(1);
        int32_t top = match.world.solids[0].y;
        assert_int_equal(test_match_body(&match, 1)->y + 11, top);
        assert_int_equal(match.world.actors[PLAYER_CAPACITY].y + 4, top);
        assert_true(match.world.players[1].flags & PLAYER_GROUNDED);
        if (i == 65)
            assert_int_equal(top, 26);
    }
    assert_int_equal(match.world.solids[0].y, 56);
}

TEST(a_lift_squishes_against_a_ceiling)
{
    in_hall(MAP_SOLID_LIFT, (struct df_box){100, 48, 32, 8}, SHAFT, MAP_PATH_CALL, 120);
    start();
    struct player *rider = test_match_put(&match, 1, 116, 48);
    step(70);
    assert_int_equal(rider->state, PLAYER_DEAD); // only ten px between lift and ceiling
    assert_int_equal(match.world.solids[0].y, 18);
}

TEST(a_pingpong_lift_stops_while_its_channel_is_off)
{
    in_hall(MAP_SOLID_LIFT, (struct df_box){100, 56, 32, 8}, SHAFT, MAP_PATH_PINGPONG, 60);
    start();
    step(1 + 10);
    assert_int_equal(match.world.solids[0].y, 46);
    let_go();
    step(1 + 40);
    assert_int_equal(match.world.solids[0].y, 45);
    test_match_put(&match, 0, 16, 64);
    step(1 + 49);
    assert_int_equal(match.world.solids[0].y, 56); // there and back: 60 ticks in all
    step(1);
    assert_int_equal(match.world.solids[0].y, 55);
}

TEST(a_lift_begins_at_its_phase)
{
    in_hall(MAP_SOLID_LIFT, (struct df_box){100, 56, 32, 8}, SHAFT, MAP_PATH_PINGPONG, 60);
    match.map.solids[0].phase_ticks = 20;
    start();
    let_go();
    step(10);
    assert_int_equal(match.world.solids[0].y, 36);
}

TEST(doors_of_a_group_push_as_one_body)
{
    in_hall(MAP_SOLID_DOOR, (struct df_box){120, 24, 8, 40}, ASIDE, MAP_PATH_CALL, 120);
    test_map_driven(&match.map, MAP_SOLID_DOOR, (struct df_box){136, 24, 8, 40}, ASIDE, 2, MAP_PATH_CALL, 120, 1);
    match.map.solids[0].group = match.map.solids[1].group = 5;
    assert_true(map_validate(&match.map, NULL));
    start();
    struct player *between = test_match_put(&match, 1, 132, 64); // an exact fit
    for (int i = 0; i < 80; i++) {
        step(1);
        assert_int_equal(match.world.solids[1].x - match.world.solids[0].x, 16);
        assert_int_equal(between->state, PLAYER_ALIVE);
        assert_int_equal(test_match_body(&match, 1)->x - match.world.solids[0].x, 8);
    }
    assert_int_equal(match.world.solids[0].x, 180);
}

TEST(a_lift_crosses_the_seam)
{
    in_hall(MAP_SOLID_LIFT, (struct df_box){220, 40, 24, 4}, ASIDE, MAP_PATH_CALL, 240);
    for (int32_t row = 0; row < 8; row++)
        match.map.tiles[row * 32] = match.map.tiles[row * 32 + 31] = DF_TILE_EMPTY;
    match.map.outside = DF_OUTSIDE_WRAP;
    start();
    test_match_put(&match, 1, 232, 40);
    for (int i = 0; i < 280; i++) {
        if (i == 140)
            let_go();
        step(1);
        assert_true(match.world.players[1].flags & PLAYER_GROUNDED);
        if (i == 130)
            assert_int_equal(match.world.solids[0].x, 280 - 256);
    }
    assert_int_equal(match.world.solids[0].x, 220);
    assert_int_equal(test_match_body(&match, 1)->x, 228);
}

TEST(a_oneway_lift_picks_up_players_and_loses_none)
{
    in_hall(MAP_SOLID_LIFT, (struct df_box){100, 60, 40, 4}, SHAFT, MAP_PATH_PINGPONG, 44);
    match.map.solids[0].oneway = 1;
    start();
    test_match_put(&match, 1, 120, 55);
    step(10);
    for (int i = 0; i < 200; i++) {
        step(1);
        assert_int_equal(test_match_body(&match, 1)->y + 11, match.world.solids[0].y);
    }
}
