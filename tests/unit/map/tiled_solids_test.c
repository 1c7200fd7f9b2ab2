// SPDX-License-Identifier: MIT
//
// Tests how the Tiled reader reads switches and what they drive, conveyors, chests, goals and returning blocks.
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "tiled_edit.h"

static const char GOOD[] =
    "{'type':'map','orientation':'orthogonal','infinite':false,'width':8,'height':6,'tilewidth':8,'tileheight':8,\n"
    "'properties':[{'name':'block_return_ticks','value':900}],\n"
    "'tilesets':[{'firstgid':1,'tilecount':2,'tiles':[{'id':0,'type':'solid'},{'id':1,'type':'block'}]}],\n"
    "'layers':[{'name':'ground','type':'tilelayer','width':8,'height':6,'data':[0,0,0,0,0,0,0,0, 0,0,0,0,0,0,0,0,\n"
    "    0,0,0,0,0,0,0,0, 0,0,0,0,0,0,2,2, 0,0,0,0,0,0,2,2, 1,1,1,1,1,1,1,1]},\n"
    "  {'name':'things','type':'objectgroup','objects':[\n"
    "    {'id':1,'type':'door','x':32,'y':16,'width':8,'height':24,'properties':[{'name':'channel','value':4},\n"
    "      {'name':'slide_y_px','value':-16},{'name':'group','value':9}]},\n"
    "    {'id':2,'type':'lift','x':8,'y':8,'width':16,'height':4,'properties':[{'name':'channel','value':5},\n"
    "      {'name':'path','value':3},{'name':'period_ticks','value':80},{'name':'oneway','value':true},\n"
    "      {'name':'belt_sub','value':-64}]},\n"
    "    {'id':3,'x':0,'y':0,'polyline':[{'x':0,'y':0},{'x':0,'y':20}]},\n"
    "    "
    "{'id':4,'type':'conveyor','x':0,'y':36,'width':16,'height':4,'properties':[{'name':'belt_sub','value':100}]},\n"
    "    {'id':5,'type':'mover','x':40,'y':0,'width':8,'height':4,'properties':[{'name':'path','value':3},\n"
    "      {'name':'period_ticks','value':90},{'name':'rideable','value':false}]},\n"
    "    {'id':6,'type':'switch','x':16,'y':32,'width':8,'height':8,'properties':[{'name':'channel','value':4}]},\n"
    "    {'id':7,'type':'switch','x':0,'y':16,'width':8,'height':9,'properties':[{'name':'kind','value':'lever'},\n"
    "      {'name':'channel','value':5},{'name':'hold_ticks','value':120}]},\n"
    "    {'id':8,'type':'chest','point':true,'x':40,'y':40,'properties':[{'name':'gives','value':'bomb, wings'},\n"
    "      {'name':'respawn_ticks','value':700}]},\n"
    "    {'id':9,'type':'goal','x':48,'y':24,'width':8,'height':16,'properties':[{'name':'team','value':1}]},\n"
    "    {'id':10,'type':'spawn','point':true,'x':24,'y':40}\n"
    "  ]}]}\n";

static struct tiled_edit edit;

static void begin(void)
{
    memset(&edit, 0, sizeof edit);
}

EACH_TEST(begin, NULL);

TEST(machines_are_read)
{
    const struct map *map = &edit.map;
    static const struct map_solid SOLIDS[] = {
        {.kind = MAP_SOLID_DOOR,
         .group = 9,
         .box = {32, 16, 8, 24},
         .path_mode = MAP_PATH_CALL,
         .path_count = 2,
         .period_ticks = 60,
         .channel = 4},
        {.kind = MAP_SOLID_LIFT,
         .oneway = 1,
         .box = {8, 8, 16, 4},
         .path_mode = MAP_PATH_CALL,
         .path_first = 2,
         .path_count = 2,
         .period_ticks = 80,
         .channel = 5,
         .belt_sub = -64},
        {.kind = MAP_SOLID_CONVEYOR, .box = {0, 36, 16, 4}, .belt_sub = 100},
        {.kind = MAP_SOLID_MOVER,
         .box = {40, 0, 8, 4},
         .path_mode = MAP_PATH_PINGPONG,
         .path_first = 2,
         .path_count = 2,
         .period_ticks = 90,
         .slippery = 1},
    };
    static const struct map_point POINTS[] = {{0, 0}, {0, -16}, {0, 0}, {0, 20}};
    assert_true(tiled_read_edited(&edit, GOOD, "", ""));
    assert_int_equal(map->solid_count, 4);
    assert_memory_equal(map->solids, SOLIDS, sizeof SOLIDS);
    assert_int_equal(map->point_count, 4);
    assert_memory_equal(map->points, POINTS, sizeof POINTS);
    assert_int_equal(map->block_return_ticks, 900);
}

TEST(chests_goals_and_blocks_are_read)
{
    const struct map *map = &edit.map;
    static const struct map_switch SWITCHES[] = {
        {.kind = MAP_SWITCH_PLATE, .box = {16, 32, 8, 8}, .channel = 4},
        {.kind = MAP_SWITCH_LEVER, .box = {0, 16, 8, 9}, .channel = 5, .hold_ticks = 120},
    };
    static const struct map_chest CHEST = {
        .x = 40, .y = 40, .gifts = 1u << MAP_GIFT_BOMB | 1u << MAP_GIFT_WINGS, .respawn_ticks = 700};
    static const struct map_goal GOAL = {.team = 1, .column = 6, .row = 3, .columns = 1, .rows = 2};
    assert_true(tiled_read_edited(&edit, GOOD, "", ""));
    assert_int_equal(map->switch_count, 2);
    assert_memory_equal(map->switches, SWITCHES, sizeof SWITCHES);
    assert_int_equal(map->chest_count, 1);
    assert_memory_equal(map->chests, &CHEST, sizeof CHEST);
    assert_int_equal(map->goal_count, 1);
    assert_memory_equal(map->goals, &GOAL, sizeof GOAL);
}

TEST(launchers_targets_and_flags_are_read)
{
    static const struct {
        const char *shoots;
        enum map_solid_kind kind;
    } ROWS[] = {
        {"left", MAP_SOLID_LAUNCHER_LEFT}, {"right", MAP_SOLID_LAUNCHER_RIGHT}, {"down", MAP_SOLID_LAUNCHER_DOWN}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        char new[240];
        snprintf(new, sizeof new,
                 "'launcher','x':40,'y':0,'width':8,'height':8,'properties':[{'name':'shoots','value':'%s'},\n"
                 "{'name':'period_ticks','value':90},{'name':'phase_ticks','value':7",
                 ROWS[i].shoots);
        assert_true(tiled_read_edited(&edit, GOOD,
                                      "'mover','x':40,'y':0,'width':8,'height':4,'properties':[{'name':'path','value':"
                                      "3},\n      {'name':'period_ticks','value':90},{'name':'rideable','value':false",
                                      new));
        assert_memory_equal(
            &edit.map.solids[3],
            (&(struct map_solid){.kind = ROWS[i].kind, .box = {40, 0, 8, 8}, .period_ticks = 90, .phase_ticks = 7}),
            sizeof(struct map_solid));
    }
    assert_true(tiled_read_edited(&edit, GOOD,
                                  "'lever'},\n      {'name':'channel','value':5},{'name':'hold_ticks',"
                                  "'value':120",
                                  "'target'},\n      {'name':'channel','value':5"));
    assert_int_equal(edit.map.switches[1].kind, MAP_SWITCH_TARGET);
    assert_true(tiled_read_edited(&edit, GOOD,
                                  "'lever'},\n      {'name':'channel','value':5},{'name':'hold_ticks',"
                                  "'value':120",
                                  "'flag'},\n      {'name':'channel','value':5"));
    assert_int_equal(edit.map.switches[1].kind, MAP_SWITCH_FLAG);
}

TEST(a_chest_gives_the_listed_gifts)
{
    static const struct {
        const char *gives;
        uint32_t gifts; // 0: refused
    } ROWS[] = {
        /* 0 */ {"'any'", MAP_GIFTS_ANY},
        /* 1 */ {"'arrows'", 1},
        /* 2 */ {"'arrows,bomb,drill,shield,wings'", 31},
        /* 3 */ {"' shield ,wings '", 24},
        /* 4 */ {"'bomb,bomb'", 2},
        /* 5 */ {"''", 0},
        /* 6 */ {"'bomb,'", 0},
        /* 7 */ {"',bomb'", 0},
        /* 8 */ {"'bomb drill'", 0},
        /* 9 */ {"'bombs'", 0},
        /* 10 */ {"'bom'", 0},
        /* 11 */ {"'any,bomb'", 0},
        /* 12 */ {"7", 0},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        bool good = tiled_read_edited(&edit, GOOD, "'bomb, wings'", ROWS[i].gives);
        if (good != (ROWS[i].gifts != 0) || (good && edit.map.chests[0].gifts != ROWS[i].gifts))
            fail_msg("row %zu: %s", i, good ? "other gifts" : edit.error.text);
    }
}

TEST(a_switch_may_come_after_the_solid_it_drives)
{
    assert_true(tiled_read_edited(&edit, GOOD, "", "")); // the door is the first object
    assert_false(tiled_read_edited(&edit, GOOD, "'id':6,'type':'switch'", "'id':6,'type':'goal'"));
    assert_false(tiled_read_edited(&edit, GOOD, "{'name':'channel','value':4}]}", "{'name':'channel','value':6}]}"));
    assert_string_equal(edit.error.text, "pit.tmj: object 1 (door): no switch has its channel; add a switch, or "
                                         "give it the channel of one");
}

TEST(a_bad_machine_is_refused_with_its_place_and_a_remedy)
{
    static const struct tiled_bad ROWS[] = {
        {"'value':900", "'value':'soon'", TILED_VALUE, NULL},
        /* doors */
        {"{'name':'channel','value':4},", "", TILED_VALUE,
         "pit.tmj: object 1 (door): has no property 'channel'; add it: 1 to 32, the same for a switch and "
         "what it drives"},
        {"{'name':'slide_y_px','value':-16},", "", TILED_VALUE,
         "pit.tmj: object 1 (door): does not open; add slide_x_px or slide_y_px, how far it slides"},
        {"'value':-16", "'value':-900", TILED_UNSOUND, "pit.tmj: object 1 (door): the path leaves the map"},
        {"'value':-16}", "'value':-16},{'name':'period_ticks','value':2}", TILED_UNSOUND,
         "pit.tmj: object 1 (door): it is faster than 8 px a tick; give it a longer period"},
        {"'value':-16}", "'value':-16},{'name':'period_ticks','value':31}", TILED_UNSOUND,
         "pit.tmj: object 1 (door): what a switch calls has an even period and no phase"},
        {"'slide_y_px'", "'path'", TILED_VALUE,
         "pit.tmj: object 1 (door): property 'path' means nothing here; rename or remove it"},
        /* lifts */
        {"'value':5},", "'value':6},", TILED_UNSOUND,
         "pit.tmj: object 2 (lift): no switch has its channel; add a switch, or give it the channel of one"},
        {"{'name':'path','value':3},", "", TILED_VALUE,
         "pit.tmj: object 2 (lift): has no property 'path'; add it: type object, the polyline to follow"},
        {"{'name':'period_ticks','value':80},", "", TILED_VALUE,
         "pit.tmj: object 2 (lift): has no property 'period_ticks'; add it: 2 to 36000 ticks, 60 are a second"},
        {"'value':80}", "'value':81}", TILED_UNSOUND,
         "pit.tmj: object 2 (lift): what a switch calls has an even period and no phase"},
        {"'value':80}", "'value':80},{'name':'mode','value':'come'}", TILED_VALUE,
         "pit.tmj: object 2 (lift): mode is 'come'; give loop, pingpong or call"},
        {"'value':-64", "'value':-64},{'name':'rideable','value':false", TILED_UNSOUND,
         "pit.tmj: object 2 (lift): a belt is not slippery"},
        /* conveyors and movers */
        {"{'name':'belt_sub','value':100}", "", TILED_VALUE,
         "pit.tmj: object 4 (conveyor): has no property 'belt_sub'; add it: its speed in 1/256 px a tick, above 0 to "
         "the right"},
        {"'name':'rideable','value':false", "'name':'rideable','value':'no'", TILED_VALUE,
         "pit.tmj: object 5 (mover): rideable is not a bool; give the property that type"},
        {"'name':'rideable','value':false", "'name':'channel','value':4", TILED_VALUE,
         "pit.tmj: object 5 (mover): property 'channel' means nothing here; rename or remove it"},
        /* switches */
        {"'value':'lever'", "'value':'button'", TILED_VALUE,
         "pit.tmj: object 7 (switch): kind is 'button'; give plate, lever, target or flag"},
        {"'height':9", "'height':7", TILED_UNSOUND,
         "pit.tmj: object 7 (switch): a switch is at least 8 px wide and high, and within the tiles"},
        {"'id':6,'type':'switch'", "'id':6,'point':true,'type':'switch'", TILED_VALUE,
         "pit.tmj: object 6 (switch): must be a rectangle that is not rotated; draw it again"},
        /* chests */
        {"'bomb, wings'", "'gold'", TILED_VALUE,
         "pit.tmj: object 8 (chest): gives is 'gold'; give any, or arrows, bomb, drill, shield, wings or magnet; put "
         "commas "
         "between several"},
        {"'x':40,'y':40", "'x':40,'y':41", TILED_UNSOUND, "pit.tmj: object 8 (chest): a chest is inside a wall"},
        {"'x':40,'y':40", "'x':4,'y':40", TILED_UNSOUND, "pit.tmj: object 8 (chest): a chest is outside the map"},
        /* goals */
        {"{'name':'team','value':1}", "", TILED_VALUE,
         "pit.tmj: object 9 (goal): has no property 'team'; add it: 1 or 2, the team that defends it"},
        {"'x':48,'y':24", "'x':47,'y':24", TILED_VALUE,
         "pit.tmj: object 9 (goal): its edges are not on the grid of 8 px; snap it to the grid"},
        {"'x':48,'y':24", "'x':48,'y':8", TILED_UNSOUND, "pit.tmj: object 9 (goal): a goal has no block to break"},
        {"'x':48,'y':24", "'x':64,'y':24", TILED_UNSOUND, "pit.tmj: object 9 (goal): a goal is outside the map"},
    };
    tiled_expect_bad(&edit, GOOD, ROWS, sizeof ROWS / sizeof *ROWS);
}

TEST(every_number_of_a_machine_or_thing_has_its_range)
{
    static const struct tiled_range ROWS[] = {
        /* 0 */ {"_ticks','value':900", "_ticks','value':%d", "block_return_ticks", 0, 36000},
        /* 1 */ {"'channel','value':4}", "'channel','value':%d}", "channel", 1, 32},
        /* 2 */ {"'slide_y_px','value':-16", "'slide_y_px','value':%d", "slide_y_px", -2048, 2048},
        /* 3 */ {"'slide_y_px','value':-16", "'slide_x_px','value':%d", "slide_x_px", -2048, 2048},
        /* 4 */ {"'value':-16}", "'value':-16},{'name':'period_ticks','value':%d}", "period_ticks", 2, 36000},
        /* 5 */ {"'group','value':9", "'group','value':%d", "group", 0, 128},
        /* 6 */ {"'period_ticks','value':80", "'period_ticks','value':%d", "period_ticks", 2, 36000},
        /* 7 */ {"'value':80}", "'value':80},{'name':'phase_ticks','value':%d}", "phase_ticks", 0, 79},
        /* 8 */ {"'belt_sub','value':-64", "'belt_sub','value':%d", "belt_sub", -768, 768},
        /* 9 */ {"'belt_sub','value':100", "'belt_sub','value':%d", "belt_sub", -768, 768},
        /* 10 */ {"'hold_ticks','value':120", "'hold_ticks','value':%d", "hold_ticks", 0, 36000},
        /* 11 */ {"'respawn_ticks','value':700", "'respawn_ticks','value':%d", "respawn_ticks", 0, 36000},
        /* 12 */ {"'team','value':1", "'team','value':%d", "team", 1, 2},
        /* 13 */ {"'x':32,'y':16", "'x':%d,'y':16", "x", -2048, 4096},
        /* 14 */ {"'x':32,'y':16", "'x':32,'y':%d", "y", -2048, 4096},
        /* 15 */ {"'width':8,'height':24", "'width':%d,'height':24", "width", 1, 2048},
        /* 16 */ {"'width':8,'height':24", "'width':8,'height':%d", "height", 1, 2048},
        /* 17 */ {"{'x':0,'y':20}", "{'x':0,'y':%d}", "y", -2048, 4096},
    };
    tiled_expect_ranges(&edit, GOOD, ROWS, sizeof ROWS / sizeof *ROWS);
}

TEST(what_a_machine_or_thing_leaves_out_has_its_usual_value)
{
    assert_true(tiled_read_edited(&edit, GOOD,
                                  ",'properties':[{'name':'gives','value':'bomb, wings'},\n"
                                  "      {'name':'respawn_ticks','value':700}]",
                                  ""));
    assert_int_equal(edit.map.chests[0].gifts, MAP_GIFTS_ANY);
    assert_int_equal(edit.map.chests[0].respawn_ticks, 0);
    assert_memory_equal(&edit.map.spawns[0], (&(struct map_spawn){24, 40, 0}), sizeof(struct map_spawn));
    assert_true(tiled_read_edited(&edit, GOOD, "'rideable','value':false", "'rideable','value':true"));
    assert_int_equal(edit.map.solids[3].slippery, 0);
}

// A map of 10 x 4 blocks, each in the first row a goal.
static bool read_goals(int goals)
{
    char *end = edit.text;
    end += sprintf(end, "{'type':'map','orientation':'orthogonal','width':10,'height':4,'tilewidth':8,'tileheight':8,"
                        "'tilesets':[{'firstgid':1,'tilecount':1,'tiles':[{'id':0,'type':'block'}]}],'layers':["
                        "{'type':'tilelayer','width':10,'height':4,'data':[1,1,1,1,1,1,1,1,1,1");
    for (int i = 0; i < 30; i++)
        end += sprintf(end, ",0");
    end += sprintf(end, "]},{'type':'objectgroup','objects':[{'id':1,'type':'spawn','point':true,'x':24,'y':32}");
    for (int i = 0; i < goals; i++)
        end += sprintf(end,
                       ",{'id':2,'type':'goal','x':%d,'y':0,'width':8,'height':8,'properties':[{'name':'team',"
                       "'value':2}]}",
                       i * 8);
    sprintf(end, "]}]}");
    tiled_quote(edit.text);
    return map_file_read_text(edit.text, strlen(edit.text), "pit.tmj", &edit.map, &edit.error);
}

TEST(a_map_has_up_to_eight_goals)
{
    assert_true(read_goals(8));
    assert_memory_equal(&edit.map.goals[7], (&(struct map_goal){2, 7, 0, 1, 1}), sizeof(struct map_goal));
    assert_false(read_goals(9));
    assert_string_equal(edit.error.text, "pit.tmj: object 2 (goal): a map holds at most 8 goals; remove some");
    assert_int_equal(edit.error.code, TILED_LIMIT);
}

TEST(lifts_and_doors_move_as_they_say)
{
    static const struct {
        const char *name;
        enum map_path_mode mode;
    } ROWS[] = {{"loop", MAP_PATH_LOOP}, {"pingpong", MAP_PATH_PINGPONG}, {"call", MAP_PATH_CALL}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        char new[100];
        snprintf(new, sizeof new, "'value':80},{'name':'mode','value':'%s'}", ROWS[i].name);
        assert_true(tiled_read_edited(&edit, GOOD, "'value':80}", new));
        assert_int_equal(edit.map.solids[1].path_mode, ROWS[i].mode);
    }
    assert_true(tiled_read_edited(&edit, GOOD, "'value':-16}",
                                  "'value':-8},{'name':'slide_x_px','value':5},"
                                  "{'name':'period_ticks','value':90}"));
    assert_int_equal(edit.map.solids[0].period_ticks, 90);
    assert_memory_equal(&edit.map.points[1], (&(struct map_point){5, -8}), sizeof(struct map_point));
}
