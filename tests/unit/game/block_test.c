// SPDX-License-Identifier: MIT
// Tests blocks that come back: when, and never onto a player.
#include "game/entities/entities.h"
#include "game/tuning.h"
#include "test.h"
#include "test_map.h"
#include "test_match.h"

static struct test_match match;

enum { COLUMN = 10, ROW = 7, TILE = ROW * 32 + COLUMN }; // 80 to 88, 56 to 64 px

static uint64_t index_memory[STEP_INDEX_BYTES / sizeof(uint64_t)];

static bool break_block(int32_t column, int32_t row)
{
    static struct step step;
    step_begin(&step, &match.world, &match.map, (struct df_rules){0}, index_memory);
    return block_break(&step, column, row, EVENT_NOBODY);
}

static bool is_broken(uint32_t tile)
{
    assert_true(world_validate(&match.world, &match.map));
    return match.world.broken[tile / 32] >> tile % 32 & 1u;
}

static void in_hall(enum mode mode, int32_t return_ticks)
{
    test_match_draw(&match, TEST_MAP_HALL);
    match.map.tiles[TILE] = match.map.tiles[TILE + 1] = DF_TILE_BLOCK;
    match.map.block_return_ticks = return_ticks;
    match.map.goals[match.map.goal_count++] =
        (struct map_goal){.team = 1, .column = COLUMN + 1, .row = ROW, .columns = 1, .rows = 1};
    assert_true(map_validate(&match.map, NULL));
    test_match_start_mode(&match, mode);
}

TEST(a_block_comes_back_after_the_time_of_the_mode_or_map)
{
    uint32_t ffa = TUNING.block_return_ticks[MODE_FFA], lms = TUNING.block_return_ticks[MODE_LMS];
    const struct {
        enum mode mode;
        int32_t map_ticks, column;
        uint32_t ticks; ///< 0: never
    } rows[] = {
        /* 1 */ {MODE_FFA, 0, COLUMN, ffa},
        /* 2 */ {MODE_LMS, 0, COLUMN, lms},
        /* 3 */ {MODE_TEAMS, 90, COLUMN, 90},       // the map says otherwise
        /* 4 */ {MODE_FFA, 90, COLUMN + 1, 90},     // a goal is a wall like any other
        /* 5 */ {MODE_BREAKOUT, 0, COLUMN, 0},      // never
        /* 6 */ {MODE_BREAKOUT, 90, COLUMN, 90},    // the map says otherwise
        /* 7 */ {MODE_BREAKOUT, 90, COLUMN + 1, 0}, // but a goal stays broken
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        in_hall(rows[i].mode, rows[i].map_ticks);
        uint32_t tile = ROW * 32 + (uint32_t)rows[i].column;
        assert_true(break_block(rows[i].column, ROW));
        assert_false(break_block(rows[i].column, ROW)); // it is broken already
        assert_true(is_broken(tile));
        test_match_step(&match, rows[i].ticks > 0 ? rows[i].ticks - 1 : 3000);
        assert_true(is_broken(tile));
        test_match_step(&match, 1);
        assert_int_equal(is_broken(tile), rows[i].ticks == 0);
        assert_int_equal(test_match_event(&match, EVENT_RETURN) != NULL, rows[i].ticks > 0);
        assert_int_equal(match.world.rubble_slots, 0);
    }
}

TEST(a_block_waits_while_a_player_is_inside)
{
    in_hall(MODE_FFA, 60);
    break_block(COLUMN, ROW);
    test_match_put(&match, 0, 77, 64); // one px inside
    test_match_step(&match, 200);
    assert_true(is_broken(TILE));
    test_match_body(&match, 0)->x--; // flush
    test_match_step(&match, 1);
    assert_false(is_broken(TILE));
}

TEST(a_block_waits_while_an_arrow_or_a_ball_is_inside)
{
    in_hall(MODE_FFA, 60);
    test_map_ball(&match.map, 150, 30, 4, 0, 0);
    test_match_start(&match);
    break_block(COLUMN, ROW);
    match.world.arrows[0] = (struct arrow){.state = ARROW_STUCK};
    match.world.actors[PLAYER_CAPACITY] =
        (struct df_actor){.x = 80, .y = 60, .w = 4, .h = 4, .ride = DF_RIDE_NEVER, .flags = DF_ACTOR_ALIVE};
    match.world.arrow_slots = 1;
    test_match_step(&match, 100);
    assert_true(is_broken(TILE));
    match.world.actors[PLAYER_CAPACITY].x = 30;
    match.world.balls[0].cx = 84 * DF_SUB;
    match.world.balls[0].cy = 58 * DF_SUB;
    test_match_step(&match, 10);
    assert_true(is_broken(TILE));
    match.world.balls[0].cx = 150 * DF_SUB;
    test_match_step(&match, 1);
    assert_false(is_broken(TILE));
}

TEST(no_block_breaks_while_all_slots_are_in_use)
{
    in_hall(MODE_FFA, 600);
    for (int32_t tile = 32; tile < 32 * 8; tile++)
        match.map.tiles[tile] = tile % 32 % 31 == 0 || tile == 7 * 32 + 4 ? match.map.tiles[tile] : DF_TILE_BLOCK;
    match.map.tiles[6 * 32 + 4] = DF_TILE_EMPTY;
    assert_true(map_validate(&match.map, NULL));
    test_match_start(&match);
    // The map has fewer blocks (30 x 7 less two) than there are slots: fill the rest with the first ones.
    match.world.rubble_slots = RUBBLE_CAPACITY;
    for (uint32_t i = 0; i < RUBBLE_CAPACITY; i++)
        match.world.rubble[i] = (struct rubble){.tile = 2 * 32 + 3, .return_tick = 1000};
    assert_false(break_block(10, 5));
    assert_false(is_broken(5 * 32 + 10));
    match.world.rubble[100] = (struct rubble){0};
    assert_true(break_block(10, 5));
    assert_int_equal(match.world.rubble[100].tile, 5 * 32 + 10 + 1);
    assert_false(break_block(11, 5));
    match.map.block_return_ticks = 0;
    match.world.rules.mode = MODE_BREAKOUT; // blocks never come back, so they need no slot
    assert_true(break_block(11, 5));
}

TEST(a_tile_that_is_no_block_does_not_break)
{
    static const struct {
        int32_t column, row;
    } rows[] = {{0, 0}, {4, 4}, {-1, ROW}, {32, ROW}, {COLUMN, -1}, {COLUMN, 9}, {INT32_MAX, 0}, {0, INT32_MIN}};
    in_hall(MODE_FFA, 60);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_false(break_block(rows[i].column, rows[i].row));
    match.map.outside = DF_OUTSIDE_WRAP;
    assert_true(break_block(COLUMN - 32, ROW)); // beyond the seam
    assert_true(is_broken(TILE));
}

TEST(a_new_round_restores_blocks_and_turns_switches_off)
{
    in_hall(MODE_BREAKOUT, 0);
    test_map_switch(&match.map, MAP_SWITCH_LEVER, (struct df_box){200, 16, 8, 8}, 1);
    test_match_start(&match);
    match.world.rules.mode = MODE_BREAKOUT;
    for (uint32_t slot = 0; slot < 2; slot++)
        assert_true(world_command(&match.world, &match.map, &(struct command){.kind = COMMAND_JOIN, .slot = slot}));
    break_block(COLUMN, ROW);
    break_block(COLUMN + 1, ROW);
    match.world.switches[0].on = 1;
    test_match_step(&match, TUNING.warmup_ticks - 1);
    assert_true(is_broken(TILE));
    while (match.world.round.phase == ROUND_WARMUP)
        test_match_step(&match, 1);
    assert_false(is_broken(TILE));
    assert_false(is_broken(TILE + 1));
    assert_int_equal(match.world.switches[0].on, 0);
    assert_int_equal(match.world.rubble_slots, 0);
}
