// SPDX-License-Identifier: MIT
#include "test_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

const char *const TEST_MAP_HALL[] = {"################################", "#..............................#",
                                     "#..............................#", "#..............................#",
                                     "#..............................#", "#..............................#",
                                     "#..............................#", "#...S..........................#",
                                     "################################", NULL};

static void require_valid(const struct map *map)
{
    struct error error;
    if (map_validate(map, &error))
        return;
    fprintf(stderr, "the test's map is not valid: %s\n", error.text);
    abort();
}

static void begin(struct map *map, int32_t columns, int32_t rows)
{
    memset(map, 0, sizeof *map);
    strcpy(map->name, "test");
    map->outside = DF_OUTSIDE_SOLID;
    map->columns = columns;
    map->rows = rows;
}

static void add_spawn(struct map *map, int32_t column, int32_t row)
{
    map->spawns[map->spawn_count++] = (struct map_spawn){column * MAP_EDGE_PX + 4, (row + 1) * MAP_EDGE_PX, 0};
}

static enum df_tile kind_of(char c)
{
    switch (c) {
    case '#':
        return DF_TILE_SOLID;
    case '=':
        return DF_TILE_ONEWAY;
    case 'B':
        return DF_TILE_BLOCK;
    case '^':
        return DF_TILE_HAZARD;
    default:
        return DF_TILE_EMPTY;
    }
}

void test_map_draw(struct map *map, const char *const *rows)
{
    int32_t count = 0;
    while (rows[count] != NULL)
        count++;
    begin(map, (int32_t)strlen(rows[0]), count);
    for (int32_t row = 0; row < count; row++)
        for (int32_t column = 0; column < map->columns; column++) {
            map->tiles[row * map->columns + column] = (uint8_t)kind_of(rows[row][column]);
            if (rows[row][column] == 'S')
                add_spawn(map, column, row);
        }
    require_valid(map);
}

uint32_t test_map_driven(struct map *map, enum map_solid_kind kind, struct df_box box, const struct map_point *points,
                         int32_t count, enum map_path_mode mode, int32_t period_ticks, uint32_t channel)
{
    map->solids[map->solid_count++] = (struct map_solid){.kind = kind,
                                                         .box = box,
                                                         .path_mode = mode,
                                                         .path_first = map->point_count,
                                                         .path_count = count,
                                                         .period_ticks = period_ticks,
                                                         .channel = channel};
    for (int32_t i = 0; i < count; i++)
        map->points[map->point_count++] = points[i];
    require_valid(map);
    return (uint32_t)map->solid_count - 1;
}

uint32_t test_map_mover(struct map *map, struct df_box box, const struct map_point *points, int32_t count,
                        enum map_path_mode mode, int32_t period_ticks)
{
    return test_map_driven(map, MAP_SOLID_MOVER, box, points, count, mode, period_ticks, 0);
}

uint32_t test_map_conveyor(struct map *map, struct df_box box, int32_t belt_sub)
{
    map->solids[map->solid_count++] = (struct map_solid){.kind = MAP_SOLID_CONVEYOR, .box = box, .belt_sub = belt_sub};
    require_valid(map);
    return (uint32_t)map->solid_count - 1;
}

uint32_t test_map_switch(struct map *map, enum map_switch_kind kind, struct df_box box, uint32_t channel)
{
    map->switches[map->switch_count++] = (struct map_switch){.kind = kind, .box = box, .channel = channel};
    require_valid(map);
    return (uint32_t)map->switch_count - 1;
}

uint32_t test_map_crusher(struct map *map, struct df_box box, int32_t drop_px)
{
    map->solids[map->solid_count++] = (struct map_solid){.kind = MAP_SOLID_CRUSHER, .box = box, .drop_px = drop_px};
    require_valid(map);
    return (uint32_t)map->solid_count - 1;
}

uint32_t test_map_ball(struct map *map, int32_t cx, int32_t cy, int32_t radius_px, int32_t vx, int32_t vy)
{
    map->balls[map->ball_count++] = (struct map_ball){cx, cy, radius_px, vx, vy};
    require_valid(map);
    return (uint32_t)map->ball_count - 1;
}

static void add_movers(struct map *map)
{
    static const struct map_point aside[] = {{0, 0}, {48, 0}}, up[] = {{0, 0}, {0, -56}},
                                  round[] = {{0, 0}, {40, 0}, {40, 24}, {0, 24}};
    uint32_t slippery = test_map_mover(map, (struct df_box){24, 160, 24, 4}, aside, 2, MAP_PATH_PINGPONG, 240);
    map->solids[slippery].slippery = 1;
    uint32_t belted = test_map_mover(map, (struct df_box){360, 96, 40, 8}, aside, 2, MAP_PATH_PINGPONG, 300);
    map->solids[belted].belt_sub = -96; // over the seam of the map
    uint32_t plank = test_map_mover(map, (struct df_box){96, 208, 24, 4}, up, 2, MAP_PATH_PINGPONG, 200);
    map->solids[plank].oneway = 1;
    uint32_t first = test_map_mover(map, (struct df_box){152, 40, 16, 8}, round, 4, MAP_PATH_LOOP, 320);
    uint32_t second = test_map_mover(map, (struct df_box){200, 40, 16, 8}, round, 4, MAP_PATH_LOOP, 320);
    map->solids[first].group = map->solids[second].group = 1;
    test_map_crusher(map, (struct df_box){256, 120, 24, 16}, 80);
}

static void add_driven(struct map *map)
{
    static const struct map_point open[] = {{0, 0}, {0, -32}}, shaft[] = {{0, 0}, {0, -96}},
                                  aside[] = {{0, 0}, {40, 0}};
    test_map_switch(map, MAP_SWITCH_PLATE, (struct df_box){64, 208, 16, 8}, 1);
    test_map_switch(map, MAP_SWITCH_LEVER, (struct df_box){136, 152, 8, 24}, 2);
    uint32_t timed = test_map_switch(map, MAP_SWITCH_LEVER, (struct df_box){240, 168, 8, 32}, 3);
    map->switches[timed].hold_ticks = 100;
    uint32_t held = test_map_switch(map, MAP_SWITCH_PLATE, (struct df_box){312, 208, 16, 8}, 4);
    map->switches[held].hold_ticks = 90;
    uint32_t left =
        test_map_driven(map, MAP_SOLID_DOOR, (struct df_box){128, 184, 8, 32}, open, 2, MAP_PATH_CALL, 40, 1);
    uint32_t right =
        test_map_driven(map, MAP_SOLID_DOOR, (struct df_box){144, 184, 8, 32}, open, 2, MAP_PATH_CALL, 40, 1);
    map->solids[left].group = map->solids[right].group = 2;
    test_map_driven(map, MAP_SOLID_DOOR, (struct df_box){208, 208, 24, 8}, aside, 2, MAP_PATH_CALL, 60, 3);
    test_map_driven(map, MAP_SOLID_LIFT, (struct df_box){176, 208, 24, 8}, shaft, 2, MAP_PATH_CALL, 240, 2);
    test_map_driven(map, MAP_SOLID_LIFT, (struct df_box){336, 208, 24, 8}, shaft, 2, MAP_PATH_PINGPONG, 260, 4);
    uint32_t belted =
        test_map_driven(map, MAP_SOLID_LIFT, (struct df_box){288, 80, 32, 8}, aside, 2, MAP_PATH_LOOP, 200, 2);
    map->solids[belted].belt_sub = 128;
    test_map_conveyor(map, (struct df_box){0, 208, 40, 8}, 120);
    test_map_conveyor(map, (struct df_box){360, 208, 24, 8}, -70);
}

void test_map_machines(struct map *map)
{
    static const char *const rows[] = {
        "################################################",
        "................................................",
        "................................................",
        "................................................",
        "................................................",
        "................................................",
        "................................................",
        ".....S...........................BBBB...........",
        "...######........................BBBB...........",
        "...........====.............S....BBBB...........",
        "...........................###..................",
        "................................................",
        ".......................................S........",
        "......................................###.......",
        "....................S...........................",
        "...................###..........................",
        "................................................",
        "......................BBB.......................",
        "......................BBB.......................",
        "................................................",
        "................................................",
        "................................................",
        "...........BBB..................................",
        "................................................",
        "...........................S..S.................",
        ".......S........................................",
        "..........^^..............................^^....",
        "################################################",
        "################################################",
        "################################################",
        NULL,
    };
    test_map_draw(map, rows);
    map->outside = DF_OUTSIDE_WRAP;
    map->block_return_ticks = 200;
    add_movers(map);
    add_driven(map);
    test_map_ball(map, 210, 112, 5, 300, -260);
    map->goals[map->goal_count++] = (struct map_goal){.team = 1, .column = 33, .row = 7, .columns = 2, .rows = 3};
    map->chests[map->chest_count++] =
        (struct map_chest){.x = 188, .y = 208, .gifts = MAP_GIFTS_ANY, .respawn_ticks = 300};
    map->chests[map->chest_count++] = (struct map_chest){.x = 60, .y = 64, .gifts = 6, .respawn_ticks = 200};
    require_valid(map);
}

uint32_t test_map_chest(struct map *map, int32_t x, int32_t y, uint32_t gifts, int32_t ticks)
{
    map->chests[map->chest_count++] = (struct map_chest){x, y, gifts, ticks};
    require_valid(map);
    return (uint32_t)map->chest_count - 1;
}

// Never twice in one expression or list: each compiler has its own order there, and would play other worlds.
static int32_t roll(uint32_t *dice, int32_t least, int32_t most)
{
    return least + (int32_t)random_below(dice, (uint32_t)(most - least + 1));
}

static void add_random_solids(struct map *map, uint32_t *dice)
{
    int32_t width = map->columns * MAP_EDGE_PX, height = map->rows * MAP_EDGE_PX;
    for (int32_t i = roll(dice, 4, 10); i > 0; i--) {
        struct df_box box;
        box.x = roll(dice, 0, width - 64);
        box.y = roll(dice, 0, height - 40);
        box.w = roll(dice, 8, 48);
        box.h = roll(dice, 4, 24);
        if (random_below(dice, 3) == 0 && box.y + box.h + 8 < height) {
            test_map_crusher(map, box, roll(dice, 8, height - box.y - box.h));
            continue;
        }
        struct map_point points[4] = {0};
        points[1].x = roll(dice, 8, 60);
        points[2].x = roll(dice, -60, 60);
        points[2].y = roll(dice, -60, -8);
        points[3].y = roll(dice, 8, 60);
        int32_t count = roll(dice, 2, 4);
        enum map_path_mode mode = (enum map_path_mode)random_below(dice, 2);
        uint32_t solid = test_map_mover(map, box, points, count, mode, roll(dice, 90, 400));
        map->solids[solid].oneway = random_below(dice, 4) == 0;
        map->solids[solid].phase_ticks = roll(dice, 0, map->solids[solid].period_ticks - 1);
        if (random_below(dice, 4) != 0)
            continue;
        struct map_solid *twin = &map->solids[map->solid_count++];
        *twin = map->solids[solid];
        twin->box.y = twin->box.y > 40 ? twin->box.y - 40 : twin->box.y + 40;
        twin->group = map->solids[solid].group = solid + 1;
    }
}

// Where players may appear, as far as there is room.
static void add_random_chests(struct map *map, uint32_t *dice)
{
    struct df_tiles tiles = {.kinds = map->tiles,
                             .columns = map->columns,
                             .rows = map->rows,
                             .edge_px = MAP_EDGE_PX,
                             .outside = (enum df_outside)map->outside};
    for (int32_t i = 0; i < map->spawn_count; i++) {
        struct map_chest chest = {map->spawns[i].x, map->spawns[i].y, MAP_GIFTS_ANY, 0};
        chest.x += roll(dice, -3, 3);
        chest.respawn_ticks = roll(dice, 60, 400);
        if (!df_tiles_block(&tiles, map_chest_box(&chest)))
            test_map_chest(map, chest.x, chest.y, chest.gifts, chest.respawn_ticks);
    }
}

static void add_random_ball(struct map *map, uint32_t *dice)
{
    int32_t x = roll(dice, 32, map->columns * MAP_EDGE_PX - 32), y = roll(dice, 32, map->rows * MAP_EDGE_PX - 32),
            radius = roll(dice, 2, 8), vx = roll(dice, -700, 700), vy = roll(dice, -700, 700);
    test_map_ball(map, x, y, radius, vx, vy);
}

void test_map_random(struct map *map, uint32_t seed, int32_t columns, int32_t rows)
{
    uint32_t dice = seed;
    begin(map, columns, rows);
    map->outside = random_below(&dice, 3);
    bool walled = map->outside == DF_OUTSIDE_SOLID;
    for (int32_t row = 0; row < rows; row++)
        for (int32_t column = 0; column < columns; column++) {
            static const char kinds[] = "....................##=B^";
            bool edge = walled && (row == 0 || row == rows - 1 || column == 0 || column == columns - 1);
            char kind = row % 5 == 4 && random_below(&dice, 3) != 0 ? "#="[column / 6 % 2]
                                                                    : kinds[random_below(&dice, sizeof kinds - 1)];
            map->tiles[row * columns + column] = (uint8_t)kind_of(edge ? '#' : kind);
        }
    for (int32_t i = 0; i < 16; i++) {
        int32_t column = roll(&dice, 1, columns - 2), row = roll(&dice, 2, rows - 2);
        for (int32_t dy = -1; dy <= 0; dy++)
            map->tiles[(row + dy) * columns + column] = DF_TILE_EMPTY;
        map->tiles[(row + 1) * columns + column] = DF_TILE_SOLID;
    }
    for (int32_t row = 1; row < rows - 1 && map->spawn_count < 16; row++)
        for (int32_t column = 1; column < columns - 1 && map->spawn_count < 16; column++)
            if (map->tiles[row * columns + column] == DF_TILE_EMPTY &&
                map->tiles[(row - 1) * columns + column] == DF_TILE_EMPTY &&
                map->tiles[(row + 1) * columns + column] == DF_TILE_SOLID && random_below(&dice, 4) == 0)
                add_spawn(map, column, row);
    add_random_solids(map, &dice);
    for (int32_t i = roll(&dice, 0, 4); i > 0; i--)
        add_random_ball(map, &dice);
    add_random_chests(map, &dice);
    require_valid(map);
}

void test_map_court(struct map *map)
{
    static const char *const ROWS[] = {"########################################",
                                       "#.BB................................BB.#",
                                       "#.BB................................BB.#",
                                       "#.BB................................BB.#",
                                       "#.BB................................BB.#",
                                       "#.BB......====............====......BB.#",
                                       "#.BB................................BB.#",
                                       "#.BB................................BB.#",
                                       "#.BB................................BB.#",
                                       "#.BB................................BB.#",
                                       "#.BB..S...S..................S...S..BB.#",
                                       "########################################",
                                       NULL};
    test_map_draw(map, ROWS);
    for (int32_t i = 0; i < map->spawn_count; i++)
        map->spawns[i].team = map->spawns[i].x < 160 ? 1 : 2;
    for (uint32_t team = 1; team <= 2; team++)
        map->goals[map->goal_count++] =
            (struct map_goal){.team = team, .column = team == 1 ? 1 : 36, .row = 1, .columns = 3, .rows = 10};
    test_map_ball(map, 160, 40, 5, 700, 500);
}

void test_map_upright_court(struct map *map)
{
    static const char *const ROWS[] = {"####################", "#..................#", "#.BBBBBBBBBBBBBBBB.#",
                                       "#.BBBBBBBBBBBBBBBB.#", "#..................#", "#..S..............S#",
                                       "#====....==....====#", "#..................#", "#..................#",
                                       "#......======......#", "#..................#", "#..................#",
                                       "#====..........====#", "#..................#", "#..................#",
                                       "#....====..====....#", "#..................#", "#..................#",
                                       "#===....====....===#", "#..................#", "#..S..............S#",
                                       "#==================#", "#.BBBBBBBBBBBBBBBB.#", "#.BBBBBBBBBBBBBBBB.#",
                                       "#..................#", "####################", NULL};
    test_map_draw(map, ROWS);
    for (int32_t i = 0; i < map->spawn_count; i++)
        map->spawns[i].team = map->spawns[i].y < 104 ? 2 : 1;
    for (uint32_t team = 1; team <= 2; team++)
        map->goals[map->goal_count++] =
            (struct map_goal){.team = team, .column = 1, .row = team == 1 ? 22 : 1, .columns = 18, .rows = 3};
    test_map_ball(map, 80, 100, 5, 300, 700);
    test_map_ball(map, 60, 60, 5, -500, 400);
}
