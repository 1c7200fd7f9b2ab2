// SPDX-License-Identifier: MIT
//
// Tests what the Tiled reader makes of a good map, and its message for each bad one. A bad map is the good text with
// one place changed. The texts are written with ' for ".
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "tiled_edit.h"

#define SHIPPED SOURCE_ROOT "/shared/maps/"

static const char GOOD[] =
    "{'type':'map','orientation':'orthogonal','infinite':false,'width':6,'height':5,'tilewidth':8,'tileheight':8,\n"
    "'properties':[{'name':'theme','value':'snow'},{'name':'outside','value':'empty'}],\n"
    "'tilesets':[{'firstgid':1,'tilecount':6,'tiles':[{'id':0,'type':'solid'},{'id':1,'type':'oneway'},\n"
    "  {'id':2,'class':'block'},{'id':3,'type':'hazard'},{'id':5,'type':''}]}],\n"
    "'layers':[{'name':'ground','type':'tilelayer','width':6,'height':5,'data':[0,0,0,0,0,0, 0,2,0,0,0,0,\n"
    "    0,0,0,0,0,0, 3,0,0,0,0,4, 1,1,1,1,1,1]},\n"
    "  {'name':'sky','type':'imagelayer','offsetx':5},\n"
    "  {'name':'things','type':'objectgroup','objects':[\n"
    "    {'id':1,'type':'spawn','point':true,'x':24,'y':32,'properties':[{'name':'team','value':2}]},\n"
    "    {'id':2,'type':'mover','x':8,'y':9,'width':16,'height':4,'properties':[{'name':'path','value':3},\n"
    "      {'name':'period_ticks','value':90},{'name':'mode','value':'loop'},{'name':'phase_ticks','value':30},\n"
    "      {'name':'group','value':7},{'name':'oneway','value':true}]},\n"
    "    {'id':3,'type':'','x':1,'y':2,'polyline':[{'x':5,'y':6},{'x':15,'y':6},{'x':15,'y':-4}]},\n"
    "    {'id':4,'class':'crusher','x':32,'y':2,'width':8,'height':6},\n"
    "    "
    "{'id':5,'type':'ball','ellipse':true,'x':10,'y':0,'width':6,'height':6,'properties':[{'name':'vx_sub','value':-9}]"
    "}\n"
    "  ]}]}\n";

static struct tiled_edit edit;

static void begin(void)
{
    memset(&edit, 0, sizeof edit);
}

EACH_TEST(begin, NULL);

static bool read_edited(const char *old, const char *new)
{
    return tiled_read_edited(&edit, GOOD, old, new);
}

TEST(a_good_map_is_read)
{
    const struct map *map = &edit.map;
    assert_true(read_edited("", ""));
    assert_string_equal(map->name, "pit");
    assert_int_equal(map->theme, MAP_THEME_SNOW);
    assert_int_equal(map->outside, DF_OUTSIDE_EMPTY);
    assert_int_equal(map->columns, 6);
    assert_int_equal(map->rows, 5);
    static const uint8_t TILES[] = {0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0,
                                    0, 0, 3, 0, 0, 0, 0, 4, 1, 1, 1, 1, 1, 1, 0};
    assert_memory_equal(map->tiles, TILES, sizeof TILES);
    assert_int_equal(map->spawn_count, 1);
    assert_memory_equal(&map->spawns[0], (&(struct map_spawn){.x = 24, .y = 32, .team = 2}), sizeof(struct map_spawn));
    assert_int_equal(map->ball_count, 1);
    assert_memory_equal(&map->balls[0], (&(struct map_ball){.cx = 13, .cy = 3, .radius_px = 3, .vx = -9}),
                        sizeof(struct map_ball));
}

TEST(solids_are_read)
{
    const struct map *map = &edit.map;
    assert_true(read_edited("", ""));
    struct map_solid mover = {.kind = MAP_SOLID_MOVER,
                              .oneway = 1,
                              .group = 7,
                              .box = {8, 9, 16, 4},
                              .path_mode = MAP_PATH_LOOP,
                              .path_count = 3,
                              .period_ticks = 90,
                              .phase_ticks = 30};
    struct map_solid crusher = {.kind = MAP_SOLID_CRUSHER, .box = {32, 2, 8, 6}, .drop_px = 24};
    assert_int_equal(map->solid_count, 2);
    assert_memory_equal(&map->solids[0], &mover, sizeof mover);
    assert_memory_equal(&map->solids[1], &crusher, sizeof crusher);
    static const struct map_point POINTS[] = {{0, 0}, {10, 0}, {10, -10}};
    assert_int_equal(map->point_count, 3);
    assert_memory_equal(map->points, POINTS, sizeof POINTS);
}

TEST(omitted_properties_have_default_values)
{
    assert_true(read_edited("{'name':'mode','value':'loop'},{'name':'phase_ticks','value':30},\n"
                            "      {'name':'group','value':7},{'name':'oneway','value':true}",
                            "{'name':'oneway','value':false}"));
    const struct map_solid *mover = &edit.map.solids[0];
    assert_int_equal(mover->path_mode, MAP_PATH_PINGPONG);
    assert_int_equal(mover->phase_ticks, 0);
    assert_int_equal(mover->group, 0);
    assert_int_equal(mover->oneway, 0);
    assert_true(read_edited("'properties':[{'name':'theme','value':'snow'},{'name':'outside','value':'empty'}],", ""));
    assert_int_equal(edit.map.theme, MAP_THEME_FOUNDRY);
    assert_int_equal(edit.map.outside, DF_OUTSIDE_SOLID);
}

TEST(equivalent_texts_give_the_same_map)
{
    static const struct {
        const char *old, *new;
    } ROWS[] = {
        /* 0 */ {"1,1,1,1,1,1]", "2147483649,1073741825,536870913,3758096385,268435457,1]"}, // rotated tiles
        /* 1 */ {"'x':24,'y':32", "'x':24.0,'y':3.2e1"},
        /* 2 */
        {"'data':[0,0,0,0,0,0, 0,2,0,0,0,0,\n    0,0,0,0,0,0, 3,0,0,0,0,4, 1,1,1,1,1,1]",
         "'encoding':'base64','compression':'','data':'"
         "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAwAAAAAAAAAA"
         "AAAAAAAAAAAAAAAEAAAAAQAAAAEAAAABAAAAAQAAAAEAAAABAAAA'"},
        /* 3 */ {"'id':3,'type':''", "'id':3,'type':'path'"},
        /* 4 */ {"'height':6}", "'height':6,'properties':[{'name':'drop_px','value':24}]}"},
        /* 5 */ {"'tilesets':[", "'tilesets':[{'firstgid':100,'tilecount':2000},"},
        /* 6 */
        {"{'name':'sky'", "{'name':'over','type':'tilelayer','width':6,'height':5,'visible':false,'data':[0,0,0,0,0,0,"
                          "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1,0,0,0,0,0]},{'name':'sky'"},
        /* 7 */ // rotated tiles again
        {"'data':[0,0,0,0,0,0, 0,2,0,0,0,0,\n    0,0,0,0,0,0, 3,0,0,0,0,4, 1,1,1,1,1,1]",
         "'encoding':'base64','data':'"
         "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAwAAAAAAAAAA"
         "AAAAAAAAAAAAAAAEAAAAAQAAgAEAAEABAAAgAQAA4AEAABABAAAA'"},
    };
    struct map expected;
    assert_true(read_edited("", ""));
    expected = edit.map;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        if (!read_edited(ROWS[i].old, ROWS[i].new))
            fail_msg("row %zu: %s", i, edit.error.text);
        assert_memory_equal(&edit.map, &expected, sizeof expected);
    }
}

TEST(a_tileset_beside_the_map_is_read)
{
    char *begin = strstr(strcpy(edit.text, GOOD), "'tilesets':["), *end = strstr(begin, "'layers'");
    static const char OUTSIDE[] = "'tilesets':[{'firstgid':1,'source':'tiles.tsj'}],";
    memmove(begin + strlen(OUTSIDE), end, strlen(end) + 1);
    memcpy(begin, OUTSIDE, strlen(OUTSIDE));
    tiled_quote(edit.text);
    assert_true(map_file_read_text(edit.text, strlen(edit.text), SHIPPED "pit.tmj", &edit.map, &edit.error));
    struct map outer = edit.map;
    assert_true(read_edited("", ""));
    assert_memory_equal(&edit.map, &outer, sizeof outer);
}

TEST(movers_on_one_polyline_share_its_points)
{
    assert_true(read_edited(
        "'objects':[",
        "'objects':[{'id':6,'type':'mover','x':8,'y':13,'width':4,'height':4,'properties':[{'name':'path','value':3},"
        "{'name':'period_ticks','value':90},{'name':'mode','value':'loop'},{'name':'phase_ticks','value':30},"
        "{'name':'group','value':7}]},"));
    assert_int_equal(edit.map.solid_count, 3);
    assert_int_equal(edit.map.point_count, 3);
    assert_int_equal(edit.map.solids[1].path_first, 0);
    assert_int_equal(edit.map.solids[1].path_count, 3);
}

// Writes the tiles of a layer as Tiled does: four bytes each, the lowest first, in base64.
static void write_base64(char *digits, const uint32_t *gids, size_t count)
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t at = 0; at < count * 4; at += 3) {
        uint32_t bits = 0;
        for (size_t i = at; i < at + 3; i++)
            bits = bits << 8 | (i < count * 4 ? gids[i / 4] >> i % 4 * 8 & 0xFF : 0);
        for (size_t i = 0; i < 4; i++)
            *digits++ = at + i > count * 4 ? '=' : DIGITS[bits >> (18 - 6 * i) & 63];
    }
    *digits = 0;
}

static const uint32_t KINDS[] = {1, 85, 170, 255, 256, 1365, 2730, 4095}; // each bit is on in some and off in others

// Reads a map of 6 x 5 tiles, of which those of KINDS are hazards.
static bool read_tiles(const uint32_t *gids, bool in_base64)
{
    char *end = edit.text;
    end += sprintf(end, "{'type':'map','orientation':'orthogonal','width':6,'height':5,'tilewidth':8,'tileheight':8,"
                        "'tilesets':[{'firstgid':1,'tilecount':4095,'tiles':[");
    for (size_t i = 0; i < 8; i++)
        end += sprintf(end, "{'id':%u,'type':'hazard'}%s", KINDS[i] - 1, i < 7 ? "," : "]}],");
    end += sprintf(end, "'layers':[{'name':'ground','type':'tilelayer','width':6,'height':5,");
    if (in_base64) {
        char digits[161];
        write_base64(digits, gids, 30);
        end += sprintf(end, "'encoding':'base64','data':'%s'},", digits);
    }
    for (size_t i = 0; i < 30 && !in_base64; i++)
        end += sprintf(end, "%s%u%s", i == 0 ? "'data':[" : "", gids[i], i < 29 ? "," : "]},");
    sprintf(end, "{'type':'objectgroup','objects':[{'id':1,'type':'spawn','point':true,'x':24,'y':40}]}]}");
    tiled_quote(edit.text);
    return map_file_read_text(edit.text, strlen(edit.text), "pit.tmj", &edit.map, &edit.error);
}

TEST(a_layer_in_base64_has_the_same_tiles)
{
    for (int in_base64 = 0; in_base64 < 2; in_base64++) {
        uint32_t gids[30] = {0};
        for (size_t i = 0; i < 12; i++)
            gids[i] = KINDS[i * 3 % 8];
        assert_true(read_tiles(gids, in_base64));
        for (int32_t i = 0; i < 30; i++)
            assert_int_equal(edit.map.tiles[i], i < 12 ? DF_TILE_HAZARD : DF_TILE_EMPTY);
        gids[28] = 4094;
        assert_false(read_tiles(gids, in_base64));
        assert_string_equal(edit.error.text,
                            "pit.tmj: layer 'ground': column 4, row 4: tile 4094 has no type; give it solid, oneway, "
                            "block or hazard in the tileset, or erase it");
    }
}

static void write_text(const char *folder, const char *name, const char *content)
{
    char path[200], text[400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(text, sizeof text, "%s", content);
    tiled_quote(text);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

TEST(a_bad_tileset_beside_the_map_is_refused_by_its_own_name)
{
    static const struct {
        const char *content, *map, *text; // of the tileset; of the map, NULL: good; what comes behind the folder
    } ROWS[] = {
        {"{'tilecount':4,'tiles':[{'id':0,'type':'lava'}]}", NULL,
         "set.tsj: tile 0 has type 'lava'; give solid, oneway, block or hazard"},
        {"{'tilecount':4,'tiles':[{'id':4,'type':'solid'}]}", NULL, "set.tsj: id is 4; give 0 to 3"},
        {"{'tilecount':4097}", NULL, "set.tsj: tilecount is 4097; give 1 to 4087"},
        {"[]", NULL, "set.tsj: is not a JSON object; save it from Tiled as \"JSON map files\""},
        {"{'tilecount':4}", "'layers':0", "pit.tmj: layers is not a list"},
    };
    char folder[] = "/tmp/tiled_test_XXXXXX", path[100], expected[300];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/pit.tmj", folder);
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        write_text(folder, "set.tsj", ROWS[i].content);
        sprintf(edit.text,
                "{'type':'map','orientation':'orthogonal','width':6,'height':5,'tilewidth':8,'tileheight':8,"
                "'tilesets':[{'firstgid':9,'source':'set.tsj'}],%s}",
                ROWS[i].map ? ROWS[i].map : "'layers':[]");
        tiled_quote(edit.text);
        assert_false(map_file_read_text(edit.text, strlen(edit.text), path, &edit.map, &edit.error));
        snprintf(expected, sizeof expected, "%s/%s", folder, ROWS[i].text);
        assert_string_equal(edit.error.text, expected);
    }
    char link[100];
    snprintf(link, sizeof link, "%s/set.tsj", folder);
    unlink(link);
    assert_int_equal(symlink("/etc/hostname", link), 0);
    assert_false(map_file_read_text(edit.text, strlen(edit.text), path, &edit.map, &edit.error));
    snprintf(expected, sizeof expected,
             "%s: tileset 1: 'set.tsj' is a link that leads out of the folder of the map; put the file itself there",
             path);
    assert_string_equal(edit.error.text, expected);
    unlink(link);
    rmdir(folder);
}

TEST(the_path_of_a_tileset_has_at_most_1023_bytes)
{
    char path[1100];
    for (size_t folder = 1023 - strlen("set.tsj"); folder <= 1023 - strlen("set.tsj") + 1; folder++) {
        memset(path, 'a', folder);
        strcpy(path + folder - 1, "/pit.tmj");
        sprintf(edit.text, "{'type':'map','orientation':'orthogonal','width':6,'height':5,'tilewidth':8,"
                           "'tileheight':8,'tilesets':[{'firstgid':9,'source':'set.tsj'}]}");
        tiled_quote(edit.text);
        assert_false(map_file_read_text(edit.text, strlen(edit.text), path, &edit.map, &edit.error));
        bool is_long = strstr(edit.error.text, "the path of tileset 'set.tsj' is longer than 1023");
        assert_int_equal(edit.error.code, is_long ? TILED_LIMIT : TILED_FILE);
        assert_int_equal(is_long, folder + strlen("set.tsj") > 1023);
    }
}

TEST(up_to_16_tilesets_are_read)
{
    char sets[16 * 40] = "'tilesets':[";
    for (int i = 0; i < 15; i++)
        sprintf(sets + strlen(sets), "{'firstgid':%d,'tilecount':1},", 100 + i);
    assert_true(read_edited("'tilesets':[", sets)); // with that of the map
}

// Each shape that Tiled can draw, where a rectangle belongs.
TEST(an_object_of_another_shape_is_refused)
{
    static const char *const SHAPES[] = {"'point':true", "'ellipse':true", "'polyline':[]",
                                         "'polygon':[]", "'text':{}",      "'gid':1"};
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
        char new[60];
        snprintf(new, sizeof new, "'class':'crusher',%s", SHAPES[i]);
        assert_false(read_edited("'class':'crusher'", new));
        assert_string_equal(edit.error.text,
                            "pit.tmj: object 4 (crusher): must be a rectangle that is not rotated; draw it again");
    }
    assert_false(read_edited("'type':'','x':1", "'type':'path','point':true,'x':1"));
    assert_string_equal(edit.error.text,
                        "pit.tmj: object 3 (path): must be a polyline that is not rotated; draw it again");
}

TEST(a_crusher_falls_to_the_highest_floor_beneath)
{
    static const struct {
        const char *new;
        int32_t drop_px;
    } ROWS[] = {
        /* 0 */ {"'x':32,'y':2,'width':8,", 24},   // to the floor
        /* 1 */ {"'x':0,'y':2,'width':48,", 16},   // one column has a block in the row above
        /* 2 */ {"'x':8,'y':3,'width':8,", 23},    // through a plank
        /* 3 */ {"'x':-20,'y':10,'width':8,", 24}, // beside the map, to its lower edge
        /* 4 */ {"'x':7,'y':18,'width':1,", 0},    // no fall at all
        /* 5 */ {"'x':0,'y':20,'width':8,", 6},    // out of the block it hangs in
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        assert_int_equal(read_edited("'x':32,'y':2,'width':8,", ROWS[i].new), ROWS[i].drop_px > 0);
        assert_true(ROWS[i].drop_px == 0 || edit.map.solids[1].drop_px == ROWS[i].drop_px);
    }
}

TEST(a_bad_map_is_refused_with_its_place_and_a_remedy)
{
    static const struct tiled_bad ROWS[] = {
        /* the file as a whole */
        {"}\n", "", TILED_SYNTAX,
         "pit.tmj: line 15, column 121: not JSON as Tiled saves it ('}' expected near ']'); save as \"JSON map "
         "files\" again"},
        {"{'type':'map'", "[{'type':'map'", TILED_SYNTAX, NULL},
        {"'infinite':false", "'width':7", TILED_SYNTAX, NULL}, // the same key twice
        {"'type':'map'", "'type':'tileset'", TILED_VALUE,
         "pit.tmj: is not a Tiled map; save it from Tiled as \"JSON map files\""},
        {"orthogonal", "isometric", TILED_FEATURE,
         "pit.tmj: orientation is 'isometric'; set Orientation to Orthogonal (Map > Map Properties)"},
        {"false", "true", TILED_FEATURE, "pit.tmj: the map is infinite; clear Infinite (Map > Map Properties)"},
        {"'width':6", "'width':257", TILED_VALUE, "pit.tmj: width is 257; give 4 to 256"},
        {"'height':5", "'height':3", TILED_VALUE, "pit.tmj: height is 3; give 4 to 256"},
        {"'tilewidth':8", "'tilewidth':16", TILED_VALUE, "pit.tmj: tilewidth is 16; it must be 8"},
        {"'tileheight':8,", "", TILED_VALUE, "pit.tmj: tileheight is missing; it must be 8"},
        {"'value':'snow'", "'value':'lava'", TILED_VALUE,
         "pit.tmj: theme is 'lava'; give foundry, clockwork, skyline, breakout, snow or desert"},
        {"'value':'empty'", "'value':1", TILED_VALUE, "pit.tmj: outside is 'no text'; give solid, empty or wrap"},
        {"'name':'theme'", "'name':'thme'", TILED_VALUE,
         "pit.tmj: property 'thme' means nothing here; rename or remove it"},
        {"'properties':[{'name':'theme','value':'snow'},{'name':'outside','value':'empty'}]", "'properties':{}",
         TILED_VALUE, "pit.tmj: properties is not a list"},
        /* tilesets */
        {"'type':'solid'", "'type':'s\\u001bolid'", TILED_VALUE,
         "pit.tmj: tileset 1: tile 0 has type 's\\x1bolid'; give solid, oneway, block or hazard"},
        {"'tilecount':6", "'tilecount':4096", TILED_VALUE, "pit.tmj: tileset 1: tilecount is 4096; give 1 to 4095"},
        {"'firstgid':1", "'firstgid':0", TILED_VALUE, "pit.tmj: tileset 1: firstgid is 0; give 1 to 4095"},
        {"'id':5", "'id':6", TILED_VALUE, "pit.tmj: tileset 1: id is 6; give 0 to 5"},
        {"'tilesets':[", "'tilesets':[{'firstgid':9,'source':'/etc/passwd.tsj'},", TILED_FEATURE,
         "pit.tmj: tileset 1: '/etc/passwd.tsj' is not a .tsj file beside the map or below; move it there or embed it "
         "(Map > Embed Tilesets)"},
        {"'tilesets':[", "'tilesets':[{'firstgid':9,'source':'../x.tsj'},", TILED_FEATURE, NULL},
        {"'tilesets':[", "'tilesets':[{'firstgid':9,'source':'C:x.tsj'},", TILED_FEATURE, NULL},
        {"'tilesets':[", "'tilesets':[{'firstgid':9,'source':'x/y:z.tsj'},", TILED_FEATURE, NULL},
        {"'tilesets':[", "'tilesets':[{'firstgid':9,'source':'\\\\\\\\host\\\\share\\\\x.tsj'},", TILED_FEATURE, NULL},
        {"'tilesets':[", "'tilesets':[{'firstgid':9,'source':'.tsj'},", TILED_FEATURE, NULL},
        {"'tilesets':[", "'tilesets':[{'firstgid':9,'source':'x.tsx'},", TILED_FEATURE, NULL},
        {"'tilesets':[", "'tilesets':[{'firstgid':9,'source':'nowhere.tsj'},", TILED_FILE,
         "pit.tmj: tileset 1: 'nowhere.tsj' cannot be opened in the folder ./: No such file or directory; put it "
         "beside "
         "the map"},
        {"'tilesets':[", "'tilesets':[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,", TILED_LIMIT,
         "pit.tmj: has 17 tilesets; use at most 16"},
        {"'type':'solid'", "'type':'s'", TILED_VALUE,
         "pit.tmj: tileset 1: tile 0 has type 's'; give solid, oneway, block or hazard"},
        {"'class':'block'", "'type':'b','class':'block'", TILED_VALUE,
         "pit.tmj: tileset 1: tile 2 has type 'b'; give solid, oneway, block or hazard"},
        /* layers */
        {"'type':'imagelayer'", "'type':'group'", TILED_FEATURE,
         "pit.tmj: layer 'sky': group layers are not read; choose Layer > Ungroup Layers"},
        {"'type':'imagelayer','offsetx':5", "'type':'fog'", TILED_VALUE,
         "pit.tmj: layer 'sky': type is 'fog'; it must be a tile layer or an object layer"},
        {"'type':'tilelayer'", "'type':'tilelayer','offsety':-8", TILED_FEATURE,
         "pit.tmj: layer 'ground': the layer is shifted; set Horizontal and Vertical Offset to 0"},
        {"'type':'tilelayer','width':6", "'type':'tilelayer','width':5", TILED_VALUE,
         "pit.tmj: layer 'ground': width is 5; it must be 6"},
        {"'data':[0,", "'data':[", TILED_VALUE,
         "pit.tmj: layer 'ground': has 29 tiles for 30 places; save the map from Tiled again"},
        {"'data':[0,", "'encoding':'base64','compression':'zlib','data':[0,", TILED_FEATURE,
         "pit.tmj: layer 'ground': tile data is compressed; set Tile Layer Format to CSV (Map > Map Properties)"},
        {"'data':[0,", "'encoding':'base64','data':[0,", TILED_VALUE,
         "pit.tmj: layer 'ground': base64 data is not that of 30 tiles; save the map from Tiled again"},
        {"'data':[0,0,0,0,0,0, 0,2,0,0,0,0,\n    0,0,0,0,0,0, 3,0,0,0,0,4, 1,1,1,1,1,1]",
         "'encoding':'base64','data':'"
         "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAwAAAAAAAAAA"
         "AAAAAAAAAAAAAAAEAAAAAQAAAAEAAAABAAAAAQAAAAEA*AABAAAA'",
         TILED_VALUE, "pit.tmj: layer 'ground': tile data is not base64; save the map from Tiled again"},
        {"3,0,0,0,0,4", "3,0,0,0,7,4", TILED_VALUE,
         "pit.tmj: layer 'ground': column 4, row 3: no tileset has tile 7; paint the place again"},
        {"3,0,0,0,0,4", "3,0,5,0,0,4", TILED_VALUE,
         "pit.tmj: layer 'ground': column 2, row 3: tile 5 has no type; give it solid, oneway, block or hazard in the "
         "tileset, or erase it"},
        {"0,2,0", "0,7,0", TILED_VALUE,
         "pit.tmj: layer 'ground': column 1, row 1: no tileset has tile 7; paint the place again"},
        {"0,2,0", "0,-2,0", TILED_VALUE,
         "pit.tmj: layer 'ground': column 1, row 1: no tileset has tile -2; paint the place again"},
        {"0,2,0", "0,5,0", TILED_VALUE,
         "pit.tmj: layer 'ground': column 1, row 1: tile 5 has no type; give it solid, oneway, block or hazard in the "
         "tileset, or erase it"},
        {"0,2,0", "0,6,0", TILED_VALUE, NULL}, // its type is empty
        {"0,2,0", "0,2.0,0", TILED_VALUE, NULL},
        {"0,2,0", "0,4294967298,0", TILED_VALUE,
         "pit.tmj: layer 'ground': column 1, row 1: no tileset has tile 4294967298; paint the place again"},
        {"'objects':[\n", "'objects':7,'o':[", TILED_VALUE, "pit.tmj: layer 'things': objects is not a list"},
        /* objects */
        {"'type':'spawn'", "'type':'gate'", TILED_VALUE,
         "pit.tmj: object 1 (gate): the type is unknown; give spawn, mover, crusher, door, lift, conveyor, launcher, "
         "switch, "
         "ball, "
         "chest, goal or path, or remove it"},
        {"'type':'spawn'", "'type':''", TILED_VALUE,
         "pit.tmj: object 1 (no type): the type is unknown; give spawn, mover, crusher, door, lift, conveyor, "
         "launcher, switch, "
         "ball, "
         "chest, goal or path, or remove it"},
        {"'type':'spawn'", "'type':'path'", TILED_UNSOUND,
         "pit.tmj: no player can appear; insert points of type spawn where their feet may stand"},
        {"'type':'spawn'", "'template':'a.tj','type':'spawn'", TILED_FEATURE,
         "pit.tmj: object 1 (spawn): templates are not read; choose Detach in its menu"},
        {"'id':3,'type':''", "'id':3,'type':'p'", TILED_VALUE,
         "pit.tmj: object 3 (p): the type is unknown; give spawn, mover, crusher, door, lift, conveyor, launcher, "
         "switch, ball, "
         "chest, goal or path, or remove it"},
        {"'point':true,", "", TILED_VALUE,
         "pit.tmj: object 1 (spawn): must be a point that is not rotated; draw it again"},
        {"'point':true,", "'point':true,'rotation':5,", TILED_VALUE,
         "pit.tmj: object 1 (spawn): must be a point that is not rotated; draw it again"},
        {"'x':24", "'x':24.5", TILED_VALUE, "pit.tmj: object 1 (spawn): x is 24.5; give a whole number, -2048 to 4096"},
        {"'x':24", "'x':1e99", TILED_VALUE, NULL},
        {"'x':24", "'x':1e9", TILED_VALUE, "pit.tmj: object 1 (spawn): x is 1e9; give -2048 to 4096"},
        {"'x':24", "'x':-1e9", TILED_VALUE, "pit.tmj: object 1 (spawn): x is -1e9; give -2048 to 4096"},
        {"'x':24", "'x':'24'", TILED_VALUE,
         "pit.tmj: object 1 (spawn): x is \"24\"; give a whole number, -2048 to 4096"},
        {"'y':32", "'y':33", TILED_UNSOUND, "pit.tmj: object 1 (spawn): a spawn is inside a wall or a hazard"},
        {"'name':'team'", "'name':'Team'", TILED_VALUE,
         "pit.tmj: object 1 (spawn): property 'Team' means nothing here; rename or remove it"},
        {"'id':2,'type':'mover'", "'id':2,'type':'mover','gid':1", TILED_VALUE,
         "pit.tmj: object 2 (mover): must be a rectangle that is not rotated; draw it again"},
        {"'width':16", "'width':0", TILED_VALUE, "pit.tmj: object 2 (mover): width is 0; give 1 to 2048"},
        {"'value':3}", "'value':4}", TILED_VALUE,
         "pit.tmj: object 2 (mover): path is object 4, which is not a polyline of 2 or more points; choose one"},
        {"'value':3}", "'value':'3'}", TILED_VALUE,
         "pit.tmj: object 2 (mover): path is not an object; give type object, the polyline to follow"},
        {"{'x':15,'y':6},{'x':15,'y':-4}", "{'x':5,'y':6}", TILED_VALUE,
         "pit.tmj: object 2 (mover): path is object 3, whose points are all the same; draw a longer one"},
        {",{'x':15,'y':6},{'x':15,'y':-4}", "", TILED_VALUE,
         "pit.tmj: object 2 (mover): path is object 3, which is not a polyline of 2 or more points; choose one"},
        {"{'x':15,'y':6}", "{'x':15.25,'y':6}", TILED_VALUE,
         "pit.tmj: object 2 (mover): x is 15.25; give a whole number, -2048 to 4096"},
        {"{'x':15,'y':6}", "{'x':1500,'y':6}", TILED_UNSOUND, "pit.tmj: object 2 (mover): the path leaves the map"},
        {"'value':90", "'value':1", TILED_VALUE, "pit.tmj: object 2 (mover): period_ticks is 1; give 2 to 36000"},
        {"'value':90", "'value':90.5", TILED_VALUE,
         "pit.tmj: object 2 (mover): period_ticks is 90.5; give a whole number, 2 to 36000"},
        {"{'name':'period_ticks','value':90},", "", TILED_VALUE,
         "pit.tmj: object 2 (mover): has no property 'period_ticks'; add it: 2 to 36000 ticks, 60 are a second"},
        {"'value':'loop'", "'value':'circle'", TILED_VALUE,
         "pit.tmj: object 2 (mover): mode is 'circle'; give loop or pingpong"},
        {"'value':7", "'value':-7", TILED_VALUE, "pit.tmj: object 2 (mover): group is -7; give 0 to 128"},
        {"'value':true", "'value':1", TILED_VALUE,
         "pit.tmj: object 2 (mover): oneway is not a bool; give the property that type"},
        {"'x':32,'y':2", "'x':32,'y':26", TILED_VALUE,
         "pit.tmj: object 4 (crusher): nothing to fall on within 2048 px below; move it, or give drop_px"},
        {"'width':6,'height':6,'p", "'width':6,'height':7,'p", TILED_VALUE,
         "pit.tmj: object 5 (ball): is 6 x 7 px; draw a circle with an even width of 4 to 64"},
        {"'width':6,'height':6,'p", "'width':5,'height':5,'p", TILED_VALUE,
         "pit.tmj: object 5 (ball): is 5 x 5 px; draw a circle with an even width of 4 to 64"},
        {"'ellipse':true", "'ellipse':true,'rotation':1", TILED_VALUE,
         "pit.tmj: object 5 (ball): must be a circle that is not rotated; draw it again"},
    };
    tiled_expect_bad(&edit, GOOD, ROWS, sizeof ROWS / sizeof *ROWS);
}

// Puts `count` copies of one object before the others and expects the text.
static void expect_limit(const char *object, int count, enum tiled_fault fault, const char *expected)
{
    const char *place = strstr(GOOD, "'objects':[") + strlen("'objects':[");
    size_t capacity = sizeof GOOD + (size_t)count * (strlen(object) + 1);
    char *text = malloc(capacity), *end = text + sprintf(text, "%.*s", (int)(place - GOOD), GOOD);
    for (int i = 0; i < count; i++)
        end += sprintf(end, "%s,", object);
    strcpy(end, place);
    tiled_quote(text);
    assert_false(map_file_read_text(text, strlen(text), "pit.tmj", &edit.map, &edit.error));
    free(text);
    assert_string_equal(edit.error.text, expected);
    assert_int_equal(edit.error.code, fault);
}

TEST(limits_are_named)
{
    expect_limit("{'id':8,'type':'spawn','point':true,'x':24,'y':32}", 64, TILED_LIMIT,
                 "pit.tmj: object 1 (spawn): a map holds at most 64 spawns; remove some");
    expect_limit("{'id':8,'type':'crusher','x':32,'y':2,'width':8,'height':6}", 128, TILED_LIMIT,
                 "pit.tmj: object 2 (mover): a map holds at most 128 movers, crushers, doors, lifts, conveyors and "
                 "launchers; remove some");
    expect_limit("{'id':8,'type':'ball','ellipse':true,'x':10,'y':0,'width':6,'height':6}", 16, TILED_LIMIT,
                 "pit.tmj: object 5 (ball): a map holds at most 16 balls; remove some");
    expect_limit("{'id':8,'type':'switch','x':0,'y':0,'width':8,'height':8,'properties':[{'name':'channel',"
                 "'value':1}]}",
                 33, TILED_LIMIT, "pit.tmj: object 8 (switch): a map holds at most 32 switches; remove some");
    expect_limit("{'id':8,'type':'chest','point':true,'x':24,'y':32}", 33, TILED_LIMIT,
                 "pit.tmj: object 8 (chest): a map holds at most 32 chests; remove some");
    expect_limit("{'id':8,'type':'path','polyline':[]}", 1024, TILED_LIMIT,
                 "pit.tmj: layer 'things': the map has more than 1024 objects; remove some");
}

TEST(path_points_are_limited)
{
    static char path[16 * 600];
    char *end = path + sprintf(path, "'polyline':[{'x':5,'y':6}");
    for (int i = 0; i < 512; i++)
        end += sprintf(end, ",{'x':5,'y':7}");
    strcpy(end, ",{");
    assert_false(read_edited("'polyline':[{", path));
    assert_string_equal(edit.error.text, "pit.tmj: object 2 (mover): a map holds at most 512 path points; remove some");
}

TEST(groups_that_would_come_apart_are_refused)
{
    assert_false(read_edited(
        "'objects':[",
        "'objects':[{'id':6,'type':'mover','x':8,'y':13,'width':4,'height':4,'properties':[{'name':'path','value':3},"
        "{'name':'period_ticks','value':90},{'name':'group','value':7}]},"));
    assert_string_equal(edit.error.text,
                        "pit.tmj: object 2 (mover): solids of one group must have the same kind, channel, "
                        "path, period and phase");
}

TEST(the_name_of_a_map_comes_from_its_file)
{
    static const struct {
        const char *path, *name;
    } ROWS[] = {
        /* 0 */ {"pit.tmj", "pit"},
        /* 1 */ {"/a.b/c-d_9.tmj", "c-d_9"},
        /* 2 */ {"a23456789012345678901234567890x.tmj", "a23456789012345678901234567890x"},
        /* 3 */ {"a23456789012345678901234567890xy.tmj", NULL},
        /* 4 */ {"pit.json", NULL},
        /* 5 */ {"Pit.tmj", NULL},
        /* 6 */ {"a/.tmj", NULL},
        /* 7 */ {"", NULL},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        tiled_quote(strcpy(edit.text, GOOD));
        bool good = map_file_read_text(edit.text, strlen(edit.text), ROWS[i].path, &edit.map, &edit.error);
        assert_int_equal(good, ROWS[i].name != NULL);
        assert_true(!good || !strcmp(edit.map.name, ROWS[i].name));
    }
}

TEST(a_truncated_text_is_refused)
{
    tiled_quote(strcpy(edit.text, GOOD));
    for (size_t bytes = 0; bytes < sizeof GOOD - 2; bytes++) {
        char *exact = malloc(bytes + 1);
        memcpy(exact, edit.text, bytes);
        assert_false(map_file_read_text(exact, bytes, "pit.tmj", &edit.map, &edit.error));
        free(exact);
    }
}

TEST(deep_nesting_is_refused)
{
    memset(edit.text, '[', sizeof edit.text);
    assert_false(map_file_read_text(edit.text, sizeof edit.text, "pit.tmj", &edit.map, &edit.error));
    assert_int_equal(edit.error.code, TILED_SYNTAX);
    assert_non_null(strstr(edit.error.text, "maximum parsing depth"));
}

TEST(a_text_that_is_no_map_is_refused_by_its_name_or_its_value)
{
    static const struct {
        const char *path, *expected;
    } ROWS[] = {
        {"pit", "pit: is not the name of a map; call the file NAME.tmj"},
        {"a/.tmj", "a/.tmj: is not the name of a map; call the file NAME.tmj"},
        {"tmj.txt", "tmj.txt: is not the name of a map; call the file NAME.tmj"},
        {"a/pit.tmj", "a/pit.tmj: is not a JSON object; save it from Tiled as \"JSON map files\""},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        assert_false(map_file_read_text("[]", 2, ROWS[i].path, &edit.map, &edit.error));
        assert_string_equal(edit.error.text, ROWS[i].expected);
        assert_int_equal(edit.error.code, TILED_VALUE);
    }
}

TEST(paths_that_are_no_files_are_refused)
{
    assert_false(map_file_read("/nowhere/pit.tmj", &edit.map, &edit.error));
    assert_string_equal(edit.error.text, "/nowhere/pit.tmj: cannot be read: No such file or directory");
    assert_int_equal(edit.error.code, TILED_FILE);
    assert_false(map_file_read("/tmp", &edit.map, &edit.error));
    assert_string_equal(edit.error.text, "/tmp: is not a regular file");
}

TEST(a_file_that_is_too_large_is_refused)
{
    char path[] = "/tmp/deadfall_pit_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, TILED_FILE_BYTES_MAX + 1), 0);
    close(file);
    bool good = map_file_read(path, &edit.map, &edit.error);
    unlink(path);
    assert_false(good);
    assert_int_equal(edit.error.code, TILED_LIMIT);
    assert_non_null(strstr(edit.error.text, ": the file is larger than 1048576 bytes; remove some of it"));
}

TEST(every_number_of_a_map_has_its_range)
{
    static const struct tiled_range ROWS[] = {
        /* 0 */ {"'team','value':2", "'team','value':%d", "team", 0, 2},
        /* 1 */ {"'vx_sub','value':-9", "'vx_sub','value':%d", "vx_sub", -4096, 4096},
        /* 2 */ {"'vx_sub','value':-9", "'vy_sub','value':%d", "vy_sub", -4096, 4096},
        /* 3 */
        {"'width':8,'height':6}", "'width':8,'height':6,'properties':[{'name':'drop_px','value':%d}]}", "drop_px", 1,
         2048},
        /* 4 */ {"'x':24,'y':32", "'x':%d,'y':32", "x", -2048, 4096},
        /* 5 */ {"'x':24,'y':32", "'x':24,'y':%d", "y", -2048, 4096},
        /* 6 */ {"'phase_ticks','value':30", "'phase_ticks','value':%d", "phase_ticks", 0, 89},
    };
    tiled_expect_ranges(&edit, GOOD, ROWS, sizeof ROWS / sizeof *ROWS);
}

TEST(given_numbers_win_over_what_would_be_found)
{
    assert_true(read_edited("'height':6}", "'height':6,'properties':[{'name':'drop_px','value':20}]}"));
    assert_int_equal(edit.map.solids[1].drop_px, 20);
    assert_true(read_edited("'value':-9}", "'value':-9},{'name':'vy_sub','value':7}"));
    assert_int_equal(edit.map.balls[0].vx, -9);
    assert_int_equal(edit.map.balls[0].vy, 7);
}

TEST(balls_have_an_even_width_of_4_to_64)
{
    static const struct {
        int32_t px;
        bool is_good;
    } ROWS[] = {{3, false}, {4, true}, {5, false}, {6, true}, {32, true}, {64, true}, {66, false}};
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        char new[60];
        snprintf(new, sizeof new, "'width':%d,'height':%d,'p", ROWS[i].px, ROWS[i].px);
        bool refused = !read_edited("'width':6,'height':6,'p", new) && edit.error.code == TILED_VALUE;
        if (refused == ROWS[i].is_good)
            fail_msg("%d px: %s", ROWS[i].px, refused ? edit.error.text : "is accepted");
        if (!refused)
            assert_int_equal(edit.map.balls[0].radius_px, ROWS[i].px / 2);
    }
}

TEST(each_theme_and_outside_has_its_word)
{
    static const char *const THEMES[MAP_THEMES] = {
        [MAP_THEME_FOUNDRY] = "foundry",   [MAP_THEME_CLOCKWORK] = "clockwork", [MAP_THEME_SKYLINE] = "skyline",
        [MAP_THEME_BREAKOUT] = "breakout", [MAP_THEME_SNOW] = "snow",           [MAP_THEME_DESERT] = "desert"};
    static const char *const OUTSIDES[] = {"solid", "empty", "wrap"};
    char new[40];
    for (uint32_t i = 0; i < MAP_THEMES; i++) {
        snprintf(new, sizeof new, "'%s'", THEMES[i]);
        assert_true(read_edited("'snow'", new));
        assert_int_equal(edit.map.theme, i);
    }
    for (uint32_t i = 0; i < 3; i++) {
        snprintf(new, sizeof new, "'%s'", OUTSIDES[i]);
        assert_true(read_edited("'empty'", new));
        assert_int_equal(edit.map.outside, i);
    }
}
