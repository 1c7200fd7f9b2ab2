// SPDX-License-Identifier: MIT
//
// The edges of every limit of a map: the least and the most are valid, and one beyond is refused by the rule that says
// so.
#include <stdio.h>
#include <string.h>

#include "game/map/map.h"
#include "test.h"

// 256 x 256 empty tiles, 2,048 x 2,048 px, with one of everything.
static struct map good, map;

enum { MOVER, CRUSHER, DOOR, CONVEYOR };

static void put(int32_t column, int32_t row, enum df_tile tile)
{
    good.tiles[row * good.columns + column] = (uint8_t)tile;
}

static void draw(void)
{
    memset(&good, 0, sizeof good);
    strcpy(good.name, "edges");
    good.outside = DF_OUTSIDE_EMPTY;
    good.columns = good.rows = MAP_SIDE_CAPACITY;
    good.spawns[good.spawn_count++] = (struct map_spawn){.x = 1000, .y = 1000};
    good.points[1] = (struct map_point){1, 0};
    good.points[3] = (struct map_point){0, -1};
    good.point_count = 4;
    good.solid_count = 4;
    good.solids[MOVER] = (struct map_solid){.kind = MAP_SOLID_MOVER,
                                            .box = {-200, -200, 16, 8},
                                            .path_mode = MAP_PATH_PINGPONG,
                                            .path_count = 2,
                                            .period_ticks = 100};
    good.solids[CRUSHER] = (struct map_solid){.kind = MAP_SOLID_CRUSHER, .box = {100, 100, 16, 8}, .drop_px = 30};
    good.solids[DOOR] = (struct map_solid){.kind = MAP_SOLID_DOOR,
                                           .box = {300, 300, 8, 24},
                                           .path_mode = MAP_PATH_CALL,
                                           .path_first = 2,
                                           .path_count = 2,
                                           .period_ticks = 60,
                                           .channel = 1};
    good.solids[CONVEYOR] = (struct map_solid){.kind = MAP_SOLID_CONVEYOR, .box = {400, 400, 8, 8}, .belt_sub = 1};
    good.switch_count = 2;
    good.switches[0] = (struct map_switch){.box = {0, 0, 8, 8}, .channel = 1};
    good.switches[1] = (struct map_switch){.kind = MAP_SWITCH_LEVER, .box = {0, 0, 8, 8}, .channel = 2};
    good.balls[good.ball_count++] = (struct map_ball){.cx = 1000, .cy = 1000, .radius_px = 4};
    good.chests[good.chest_count++] = (struct map_chest){.x = 1000, .y = 1000, .gifts = 1};
    good.goals[good.goal_count++] = (struct map_goal){.team = 1, .column = 0, .row = 10, .columns = 1, .rows = 1};
    put(0, 0, DF_TILE_BLOCK);
    put(0, 10, DF_TILE_BLOCK);
    put(255, 10, DF_TILE_BLOCK);
    put(0, 255, DF_TILE_BLOCK);
}

EACH_TEST(draw, NULL);

static void expect_good(const char *what)
{
    struct error error;
    if (!map_validate(&map, &error))
        fail_msg("%s is refused: %s", what, error.text);
}

static void expect_bad(const char *what, const char *text)
{
    struct error error = {0};
    if (map_validate(&map, &error))
        fail_msg("%s is accepted", what);
    if (!strstr(error.text, text))
        fail_msg("%s is refused by another rule: %s", what, error.text);
}

#define GOOD(change)                                                                                                   \
    do {                                                                                                               \
        map = good;                                                                                                    \
        change;                                                                                                        \
        expect_good(#change);                                                                                          \
    } while (0)

#define BAD(change, text)                                                                                              \
    do {                                                                                                               \
        map = good;                                                                                                    \
        change;                                                                                                        \
        expect_bad(#change, text);                                                                                     \
    } while (0)

// From `least` to `most`; below and above the rule with this text speaks.
#define EDGES(field, least, most, text)                                                                                \
    do {                                                                                                               \
        GOOD(map.field = (least));                                                                                     \
        GOOD(map.field = (most));                                                                                      \
        BAD(map.field = (least)-1, text);                                                                              \
        BAD(map.field = (most) + 1, text);                                                                             \
    } while (0)

TEST(a_map_has_a_name_a_size_and_counts)
{
    GOOD(memcpy(map.name, "azm059_-b", 10));
    GOOD(memset(map.name, 'a', MAP_NAME_CAPACITY - 1));
    GOOD(memcpy(map.name, "a\0\0\0\0", 6));
    BAD(memset(map.name, 'a', MAP_NAME_CAPACITY), "1 to 31 characters");
    BAD(memset(map.name, 0, MAP_NAME_CAPACITY), "1 to 31 characters");
    static const char WRONG[] = "`{/:A. ";
    for (size_t i = 0; i < sizeof WRONG - 1; i++)
        BAD(map.name[2] = WRONG[i], "only a-z, 0-9, _ and -");
    BAD(map.name[6] = 'x', "only a-z, 0-9, _ and -"); // behind the end
    BAD(map.name[MAP_NAME_CAPACITY - 2] = 'x', "only a-z, 0-9, _ and -");
    GOOD(map.theme = MAP_THEMES - 1);
    BAD(map.theme = MAP_THEMES, "theme");
    GOOD(map.outside = DF_OUTSIDE_SOLID);
    BAD(map.outside = DF_OUTSIDE_WRAP + 1, "outside must be");
    BAD(map.columns = MAP_SIDE_CAPACITY + 1, "4 to 256 columns and rows");
    BAD(map.rows = MAP_SIDE_CAPACITY + 1, "4 to 256 columns and rows");
    EDGES(block_return_ticks, 0, MAP_TICKS_MAX, "blocks come back");
    BAD(map.spawn_count = 0, "1 to 64 spawns");
    BAD(map.spawn_count = MAP_SPAWN_CAPACITY + 1, "1 to 64 spawns");
    BAD(map.solid_count = -1, "0 to 128 solids");
    BAD(map.solid_count = MAP_SOLID_CAPACITY + 1, "0 to 128 solids");
    BAD(map.point_count = -1, "0 to 512 points");
    BAD(map.point_count = MAP_PATH_POINT_CAPACITY + 1, "0 to 512 points");
    GOOD(map.point_count = MAP_PATH_POINT_CAPACITY);
    BAD(map.ball_count = -1, "0 to 16 balls");
    BAD(map.ball_count = MAP_BALL_CAPACITY + 1, "0 to 16 balls");
    BAD(map.switch_count = -1, "0 to 32 switches");
    BAD(map.switch_count = MAP_SWITCH_CAPACITY + 1, "0 to 32 switches");
    BAD(map.chest_count = -1, "0 to 32 chests");
    BAD(map.chest_count = MAP_CHEST_CAPACITY + 1, "0 to 32 chests");
    BAD(map.goal_count = -1, "0 to 8 goals");
    BAD(map.goal_count = MAP_GOAL_CAPACITY + 1, "0 to 8 goals");
}

TEST(numbers_at_the_ends_of_their_type_are_refused)
{
    BAD(map.rows = -1, "4 to 256 columns and rows");
    BAD(map.solids[MOVER].box.x = INT32_MAX, "a solid is outside the map");
    BAD(map.solids[MOVER].path_first = INT32_MAX, "points that do not exist");
    BAD(map.solids[MOVER].path_first = -1, "points that do not exist");
    BAD(map.points[1].x = INT32_MIN, "the path leaves the map");
    BAD(map.points[1].y = INT32_MAX, "the path leaves the map");
    BAD(map.switches[1].box.x = INT32_MAX, "within the tiles");
    BAD(map.chests[0].x = INT32_MIN, "a chest is outside the map");
    BAD(map.goals[0].columns = INT32_MAX, "a goal is outside the map");
}

TEST(a_map_may_be_full)
{
    map = good;
    for (int32_t i = 0; i < MAP_SPAWN_CAPACITY; i++)
        map.spawns[i] = good.spawns[0];
    for (int32_t i = 0; i < MAP_SOLID_CAPACITY; i++)
        map.solids[i] = good.solids[CRUSHER];
    for (int32_t i = 0; i < MAP_BALL_CAPACITY; i++)
        map.balls[i] = good.balls[0];
    for (int32_t i = 0; i < MAP_SWITCH_CAPACITY; i++)
        map.switches[i] = good.switches[0];
    for (int32_t i = 0; i < MAP_CHEST_CAPACITY; i++)
        map.chests[i] = good.chests[0];
    for (int32_t i = 0; i < MAP_GOAL_CAPACITY; i++) {
        map.goals[i] = (struct map_goal){.team = 2, .column = 20 + i, .row = 20, .columns = 1, .rows = 1};
        map.tiles[20 * MAP_SIDE_CAPACITY + 20 + i] = DF_TILE_BLOCK;
    }
    map.spawn_count = MAP_SPAWN_CAPACITY;
    map.solid_count = MAP_SOLID_CAPACITY;
    map.point_count = MAP_PATH_POINT_CAPACITY;
    map.ball_count = MAP_BALL_CAPACITY;
    map.switch_count = MAP_SWITCH_CAPACITY;
    map.chest_count = MAP_CHEST_CAPACITY;
    map.goal_count = MAP_GOAL_CAPACITY;
    expect_good("a full map");
}

TEST(a_map_has_at_least_four_by_four_tiles)
{
    map = (struct map){.name = "tiny", .columns = 4, .rows = 4, .spawn_count = 1, .spawns = {{.x = 16, .y = 16}}};
    expect_good("4 x 4");
    map.columns = 3;
    expect_bad("3 x 4", "4 to 256 columns and rows");
    map.columns = 4;
    map.rows = 3;
    expect_bad("4 x 3", "4 to 256 columns and rows");
    map.rows = 4;
    map.tiles[15] = DF_TILE_HAZARD;
    expect_good("a hazard in the corner");
    map.tiles[15] = DF_TILE_KINDS;
    expect_bad("no such tile", "a tile is of an unknown kind");
    map.tiles[15] = 0;
    map.tiles[16] = 1;
    expect_bad("a tile behind the last", "tiles beyond");
    map.tiles[16] = 0;
    map.tiles[MAP_TILE_CAPACITY - 1] = 1;
    expect_bad("the last tile of all", "tiles beyond");
}

TEST(solids_keep_their_limits)
{
    EDGES(solids[MOVER].box.w, 1, 2048, "a solid is outside the map, or larger than 2048 px");
    EDGES(solids[MOVER].box.h, 1, 2048, "a solid is outside the map, or larger than 2048 px");
    GOOD(map.solids[MOVER].box.x = -256);
    BAD(map.solids[MOVER].box.x = -257, "a solid is outside the map");
    GOOD(map.solids[MOVER].box.x = 2304 - 16 - 1);
    BAD(map.solids[MOVER].box.x = 2304 - 16, "the path leaves the map");
    BAD(map.solids[MOVER].box.x = 2304 - 16 + 1, "a solid is outside the map");
    EDGES(solids[MOVER].box.y, -256, 2304 - 8, "a solid is outside the map");
    GOOD(map.points[1] = ((struct map_point){-56, -56}));
    BAD(map.points[1] = ((struct map_point){-57, 0}), "the path leaves the map");
    BAD(map.points[1] = ((struct map_point){0, -57}), "the path leaves the map");
    BAD(map.points[0].x = 1, "a path begins at its solid's box");
    BAD(map.points[0].y = 1, "a path begins at its solid's box");
    EDGES(solids[MOVER].period_ticks, 2, 36000, "a period is 2 to 36000 ticks");
    EDGES(solids[MOVER].phase_ticks, 0, 99, "the phase is less than the period");
    EDGES(solids[MOVER].belt_sub, -768, 768, "a belt runs at most 768 sub per tick");
    EDGES(solids[MOVER].path_first, 0, 2, "a path has fewer than 2 points, or points that do not exist");
    GOOD((map.solids[MOVER].path_first = 2, map.solids[MOVER].path_count = 2));
    BAD(map.solids[MOVER].path_count = 1, "a path has fewer than 2 points");
    BAD(map.solids[MOVER].path_count = 5, "a path has fewer than 2 points");
    GOOD(map.solids[MOVER].oneway = 1);
    BAD(map.solids[MOVER].oneway = 2, "unknown kind");
    GOOD(map.solids[MOVER].slippery = 1);
    BAD(map.solids[MOVER].slippery = 2, "unknown kind");
    BAD((map.solids[MOVER].slippery = 1, map.solids[MOVER].belt_sub = 1), "a belt is not slippery");
    BAD(map.solids[MOVER].kind = MAP_SOLID_KINDS, "unknown kind");
    GOOD(map.solids[MOVER].path_mode = MAP_PATH_LOOP);
    BAD(map.solids[MOVER].path_mode = MAP_PATH_CALL, "a mover's path is neither loop nor ping-pong");
    BAD(map.solids[MOVER].channel = 1, "only doors and lifts have a channel");
    BAD(map.solids[MOVER].drop_px = 1, "only a crusher drops");
}

TEST(solids_move_at_most_8_px_a_tick)
{
    map = good;
    map.solids[MOVER].period_ticks = 2; // there in one tick, and back in the other
    map.points[1].x = 8;
    expect_good("8 px a tick");
    map.points[1].x = 9;
    expect_bad("9 px a tick", "it is faster than 8 px a tick");
    map.solids[MOVER].path_mode = MAP_PATH_LOOP; // there and back are the path
    expect_bad("9 px a tick in a loop", "it is faster than 8 px a tick");
    map.points[1].x = 8;
    expect_good("8 px a tick in a loop");
}

TEST(crushers_keep_their_limits)
{
    EDGES(solids[CRUSHER].drop_px, 1, 2048, "a crusher falls 1 to 2048 px");
    GOOD((map.solids[CRUSHER].drop_px = 2048, map.solids[CRUSHER].box.y = 248));
    BAD((map.solids[CRUSHER].drop_px = 2048, map.solids[CRUSHER].box.y = 249), "a crusher falls out of the map");
    BAD(map.solids[CRUSHER].oneway = 1, "neither one-way nor");
    BAD(map.solids[CRUSHER].group = 1, "neither one-way nor");
    BAD(map.solids[CRUSHER].belt_sub = 1, "neither one-way nor");
    BAD(map.solids[CRUSHER].slippery = 1, "neither one-way nor");
    BAD(map.solids[CRUSHER].path_count = 2, "a crusher has no path");
    BAD(map.solids[CRUSHER].path_first = 1, "a crusher has no path");
    BAD(map.solids[CRUSHER].period_ticks = 2, "a crusher has no path");
    BAD(map.solids[CRUSHER].phase_ticks = 1, "a crusher has no path");
    BAD(map.solids[CRUSHER].path_mode = 1, "a crusher has no path");
    BAD(map.solids[CRUSHER].channel = 1, "only doors and lifts have a channel");
    good.outside = DF_OUTSIDE_WRAP;
    EDGES(solids[CRUSHER].box.x, 0, 2048 - 16, "a crusher in a map that wraps stays within its tiles");
    EDGES(solids[CRUSHER].box.y, 0, 2048 - 8 - 30, "a crusher in a map that wraps stays within its tiles");
    GOOD(map.solids[MOVER].box.w = 2047);
    GOOD(map.solids[MOVER].box.h = 2047);
    BAD(map.solids[MOVER].box.w = 2048, "a solid in a map that wraps is smaller than the map");
    BAD(map.solids[MOVER].box.h = 2048, "a solid in a map that wraps is smaller than the map");
}

TEST(doors_lifts_and_conveyors_keep_their_limits)
{
    BAD(map.solids[DOOR].path_mode = MAP_PATH_LOOP, "a door slides from one point to another");
    BAD((map.solids[DOOR].path_first = 1, map.solids[DOOR].path_count = 3), "a door slides from one point to another");
    BAD(map.solids[DOOR].path_mode = MAP_PATH_MODES, "neither loop nor ping-pong nor call");
    BAD(map.solids[DOOR].period_ticks = 61, "an even period and no phase");
    BAD(map.solids[DOOR].phase_ticks = 1, "an even period and no phase");
    BAD(map.solids[DOOR].channel = 0, "a channel is 1 to 32");
    BAD(map.solids[DOOR].channel = 33, "a channel is 1 to 32");
    BAD(map.solids[DOOR].channel = 32, "no switch has its channel");
    GOOD((map.solids[DOOR].channel = 32, map.switches[1].channel = 32));
    GOOD((map.solids[DOOR].kind = MAP_SOLID_LIFT, map.solids[DOOR].path_mode = MAP_PATH_LOOP));
    GOOD((map.solids[DOOR].kind = MAP_SOLID_LIFT, map.solids[DOOR].path_mode = MAP_PATH_PINGPONG,
          map.solids[DOOR].period_ticks = 61));
    GOOD((map.solids[DOOR].kind = MAP_SOLID_LIFT, map.solids[DOOR].path_mode = MAP_PATH_PINGPONG,
          map.solids[DOOR].phase_ticks = 59));
    BAD((map.solids[DOOR].kind = MAP_SOLID_LIFT, map.solids[DOOR].phase_ticks = 1), "an even period and no phase");
    BAD(map.solids[CONVEYOR].belt_sub = 0, "a conveyor stands still");
    BAD(map.solids[CONVEYOR].group = 1, "a conveyor has neither path nor group");
    BAD(map.solids[CONVEYOR].path_count = 2, "a conveyor has neither path nor group");
    BAD(map.solids[CONVEYOR].period_ticks = 60, "a conveyor has neither path nor group");
    BAD(map.solids[CONVEYOR].channel = 1, "only doors and lifts have a channel");
    BAD(map.solids[DOOR].drop_px = 1, "only a crusher drops");
    GOOD(map.solids[CONVEYOR].belt_sub = -768);
}

TEST(launchers_keep_their_limits)
{
    good.solids[CONVEYOR] =
        (struct map_solid){.kind = MAP_SOLID_LAUNCHER_DOWN, .box = {400, 400, 8, 8}, .period_ticks = 40000};
    EDGES(solids[CONVEYOR].period_ticks, 15, 36000, "a launcher shoots every 15 to 36000 ticks");
    good.solids[CONVEYOR].period_ticks = 60;
    EDGES(solids[CONVEYOR].phase_ticks, 0, 59, "the phase is less than the period");
    BAD(map.solids[CONVEYOR].box.w = 7, "a launcher is at least 8 px wide and high");
    BAD(map.solids[CONVEYOR].box.h = 7, "a launcher is at least 8 px wide and high");
    BAD(map.solids[CONVEYOR].path_count = 2, "a launcher has no path");
    BAD(map.solids[CONVEYOR].path_first = 1, "a launcher has no path");
    BAD(map.solids[CONVEYOR].path_mode = MAP_PATH_CALL, "a launcher has no path");
    BAD(map.solids[CONVEYOR].oneway = 1, "a launcher is neither one-way");
    BAD(map.solids[CONVEYOR].belt_sub = 1, "a launcher is neither one-way");
    BAD(map.solids[CONVEYOR].slippery = 1, "a launcher is neither one-way");
    BAD(map.solids[CONVEYOR].group = 1, "a launcher is neither one-way");
    BAD(map.solids[CONVEYOR].channel = 1, "only doors and lifts have a channel");
    GOOD(map.solids[CONVEYOR].kind = MAP_SOLID_LAUNCHER_LEFT);
    GOOD(map.solids[CONVEYOR].kind = MAP_SOLID_LAUNCHER_RIGHT);
}

TEST(a_group_has_at_most_64_members_that_move_alike)
{
    GOOD(map.solids[MOVER].group = MAP_SOLID_CAPACITY);
    BAD(map.solids[MOVER].group = MAP_SOLID_CAPACITY + 1, "a group has a number from 1 to 128");
    for (int32_t i = 4; i < 4 + 65; i++) {
        good.solids[i] = good.solids[MOVER];
        good.solids[i].group = 3;
    }
    GOOD(map.solid_count = 4 + 64);
    BAD(map.solid_count = 4 + 65, "a group has at most 64 solids");
    good.solid_count = 4 + 2;
    GOOD((map.points[2] = good.points[0], map.points[3] = good.points[1], map.solids[5].path_first = 2));
    static const char ALIKE[] = "the same kind, channel, path, period and phase";
    BAD(map.solids[5].path_first = 2, ALIKE);
    BAD(map.solids[5].period_ticks = 98, ALIKE);
    BAD(map.solids[5].phase_ticks = 1, ALIKE);
    BAD(map.solids[5].path_mode = MAP_PATH_LOOP, ALIKE);
    BAD((map.solids[4].path_count = 4, map.points[2] = good.points[0]), ALIKE);
    BAD((map.solids[4] = good.solids[DOOR], map.solids[4].group = 3), ALIKE);
    BAD((map.solids[4] = map.solids[5] = good.solids[DOOR], map.solids[4].group = map.solids[5].group = 3,
         map.solids[5].channel = 2),
        ALIKE);
    GOOD((map.solids[4] = map.solids[5] = good.solids[DOOR], map.solids[4].group = map.solids[5].group = 3));
}

TEST(switches_keep_their_limits)
{
    EDGES(switches[1].box.w, 8, 2048, "a switch is at least 8 px wide and high, and within the tiles");
    EDGES(switches[1].box.h, 8, 2048, "a switch is at least 8 px wide and high, and within the tiles");
    EDGES(switches[1].box.x, 0, 2040, "a switch is at least 8 px wide and high, and within the tiles");
    EDGES(switches[1].box.y, 0, 2040, "a switch is at least 8 px wide and high, and within the tiles");
    EDGES(switches[1].channel, 1, 32, "a channel is 1 to 32");
    EDGES(switches[1].hold_ticks, 0, 36000, "a switch holds for 0 to 36000 ticks");
    BAD(map.switches[1].kind = MAP_SWITCH_KINDS, "a switch is of an unknown kind");
    for (uint32_t kind = MAP_SWITCH_TARGET; kind <= MAP_SWITCH_FLAG; kind++) {
        GOOD(map.switches[1].kind = kind);
        BAD((map.switches[1].kind = kind, map.switches[1].hold_ticks = 1), "stays on for good");
    }
}

TEST(chests_and_goals_keep_their_limits)
{
    EDGES(chests[0].x, 5, 2043, "a chest is outside the map");
    EDGES(chests[0].y, 8, 2048, "a chest is outside the map");
    EDGES(chests[0].gifts, 1u, MAP_GIFTS_ANY, "a chest gives nothing, or something unknown");
    EDGES(chests[0].respawn_ticks, 0, 36000, "a chest comes back after at most 36000 ticks");
    BAD((map.chests[0].x = 5, map.chests[0].y = 8), "a chest is inside a wall");
    EDGES(goals[0].team, 1u, 2u, "a goal's team is 1 or 2");
    EDGES(goals[0].column, 0, 255, "a goal is outside the map");
    EDGES(goals[0].row, 0, 255, "a goal is outside the map");
    EDGES(goals[0].columns, 1, 256, "a goal is outside the map");
    EDGES(goals[0].rows, 1, 246, "a goal is outside the map");
    BAD(map.goals[0].row = 11, "a goal has no block to break");
    GOOD((map.goals[0].row = 9, map.goals[0].rows = 2));
    good.goals[1] = (struct map_goal){.team = 2, .column = 255, .row = 10, .columns = 1, .rows = 1};
    good.goal_count = 2;
    GOOD(map.goals[0].columns = 255);
    BAD(map.goals[0].columns = 256, "goals overlap");
    GOOD((map.goals[0].rows = 2, map.goals[1].row = 9, map.goals[1].rows = 2));
    GOOD((map.goals[0].columns = 3, map.goals[0].rows = 1, map.goals[1].column = 0, map.goals[1].row = 11,
          map.goals[1].rows = 245));                                                      // wide above high
    GOOD((map.goals[0].rows = 245, map.goals[1].column = 1, map.goals[1].columns = 255)); // high beside wide
    BAD((map.goals[0].columns = 3, map.goals[1].column = 2, map.goals[1].columns = 254), "goals overlap");
    BAD((map.goals[0].rows = 3, map.goals[1].column = 0, map.goals[1].row = 8, map.goals[1].rows = 3), "goals overlap");
}

TEST(balls_and_spawns_keep_their_limits)
{
    EDGES(balls[0].radius_px, 2, 32, "a ball's radius is 2 to 32 px");
    EDGES(balls[0].cx, 4, 2044, "a ball starts outside the map");
    EDGES(balls[0].cy, 4, 2044, "a ball starts outside the map");
    EDGES(balls[0].vx, -1536, 1536, "a ball starts with at most 1536 sub per tick");
    EDGES(balls[0].vy, -1536, 1536, "a ball starts with at most 1536 sub per tick");
    EDGES(spawns[0].x, 4, 2044, "a spawn is outside the map");
    EDGES(spawns[0].y, 11, 2048, "a spawn is outside the map");
    EDGES(spawns[0].team, 0, 2, "a spawn's team is 0, 1 or 2");
    BAD((map.spawns[0].x = 4, map.spawns[0].y = 90), "a spawn is inside a wall or a hazard");
    BAD((map.spawns[0].x = 4, map.spawns[0].y = 110, map.tiles[MAP_SIDE_CAPACITY * 13] = DF_TILE_HAZARD),
        "a spawn is inside a wall or a hazard");
}
