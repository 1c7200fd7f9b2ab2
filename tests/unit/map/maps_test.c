// SPDX-License-Identifier: MIT
//
// Tests the shipped maps: they are valid and symmetric, every place can be reached, and no machines collide.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "game/map/map_blob.h"
#include "game/map/tiled/map_file.h"
#include "test.h"

static const char *const NAMES[] = {"foundry", "duel", "clockwork", "skyline", "breakout", "colosseum"};
#define MAPS (sizeof NAMES / sizeof *NAMES)

// Tiles that a running jump gains: it rises 26 px and reaches farther than 7 tiles on level ground.
#define RISE_ROWS    3
#define RISE_COLUMNS 5
#define FALL_COLUMNS 7

static struct map maps[MAPS];

static void read_maps(void)
{
    setenv("DEADFALL_MAP_DIR", SOURCE_ROOT "/shared/maps", 1);
    for (size_t i = 0; i < MAPS; i++) {
        char path[512];
        struct error error;
        if (!map_file_find(NAMES[i], path, sizeof path) || !map_file_read(path, &maps[i], &error))
            fail_msg("%s", error.text);
    }
}

ALL_TESTS(read_maps, NULL);

static struct df_tiles tiles_of(const struct map *map)
{
    return (struct df_tiles){.kinds = map->tiles,
                             .columns = map->columns,
                             .rows = map->rows,
                             .edge_px = MAP_EDGE_PX,
                             .outside = (enum df_outside)map->outside};
}

// The box around every place that a solid ever covers.
static struct df_box sweep_of(const struct map *map, const struct map_solid *solid)
{
    int32_t left = 0, right = 0, top = 0, bottom = solid->drop_px;
    for (int32_t i = 0; i < solid->path_count; i++) {
        struct map_point point = map->points[solid->path_first + i];
        left = point.x < left ? point.x : left;
        right = point.x > right ? point.x : right;
        top = point.y < top ? point.y : top;
        bottom = point.y > bottom ? point.y : bottom;
    }
    return (struct df_box){solid->box.x + left, solid->box.y + top, solid->box.w + right - left,
                           solid->box.h + bottom - top};
}

TEST(maps_survive_the_blob)
{
    for (size_t i = 0; i < MAPS; i++) {
        static uint8_t bytes[MAP_BLOB_BYTES_MAX];
        static struct map back;
        size_t count = map_blob_encode(&maps[i], bytes, sizeof bytes);
        assert_in_range(count, 1, 2048); // two messages at most
        assert_true(map_blob_decode(&back, bytes, count));
        assert_memory_equal(&back, &maps[i], sizeof back);
    }
}

TEST(maps_are_symmetric)
{
    for (size_t i = 0; i < MAPS; i++) {
        const struct map *map = &maps[i];
        for (int32_t at = 0; at < map->columns * map->rows; at++) {
            int32_t column = at % map->columns;
            assert_int_equal(map->tiles[at], map->tiles[at - column + map->columns - 1 - column]);
        }
        for (int32_t k = 0; k < map->spawn_count; k++) {
            bool found = false;
            for (int32_t m = 0; m < map->spawn_count; m++) {
                found |= map->spawns[m].x == map->columns * MAP_EDGE_PX - map->spawns[k].x &&
                         map->spawns[m].y == map->spawns[k].y;
            }
            assert_true(found);
        }
    }
}

TEST(spawns_are_on_ground_that_solids_never_reach)
{
    for (size_t i = 0; i < MAPS; i++) {
        struct df_tiles tiles = tiles_of(&maps[i]);
        assert_true(maps[i].spawn_count >= 8);
        for (int32_t k = 0; k < maps[i].spawn_count; k++) {
            struct df_box box = map_spawn_box(&maps[i].spawns[k]), feet = {box.x, box.y + box.h, box.w, 1};
            bool stands = df_tiles_block(&tiles, feet) || df_tiles_touch(&tiles, feet, DF_TILE_ONEWAY);
            for (int32_t m = 0; stands && m < maps[i].solid_count; m++)
                stands = !map_overlaps(&maps[i], box, sweep_of(&maps[i], &maps[i].solids[m]));
            if (!stands)
                fail_msg("%s: spawn at %d, %d", maps[i].name, maps[i].spawns[k].x, maps[i].spawns[k].y);
        }
    }
}

static struct df_box box_at(const struct map *map, const struct map_solid *solid, uint32_t clock_ticks)
{
    int32_t x, y;
    map_path_offset(map, solid, clock_ticks, &x, &y);
    return (struct df_box){solid->box.x + df_floor_div(x + DF_SUB / 2, DF_SUB),
                           solid->box.y + df_floor_div(y + DF_SUB / 2, DF_SUB), solid->box.w, solid->box.h};
}

// Two solids with the same period may use the same space at different times.
static bool keep_clear(const struct map *map, const struct map_solid *a, const struct map_solid *b)
{
    bool is_one_body = a->group && a->group == b->group;
    if (is_one_body || !df_box_overlaps(sweep_of(map, a), sweep_of(map, b)))
        return true;
    bool keep = a->kind == MAP_SOLID_MOVER && b->kind == MAP_SOLID_MOVER && a->period_ticks == b->period_ticks;
    for (uint32_t clock_ticks = 0; keep && clock_ticks < (uint32_t)a->period_ticks; clock_ticks++)
        keep = !map_overlaps(map, box_at(map, a, clock_ticks), box_at(map, b, clock_ticks));
    return keep;
}

static bool keeps_clear_of_tiles(const struct map *map, const struct map_solid *solid)
{
    struct df_tiles tiles = tiles_of(map);
    bool keeps = solid->kind != MAP_SOLID_CRUSHER || !df_tiles_block(&tiles, sweep_of(map, solid));
    for (uint32_t clock_ticks = 0; keeps && clock_ticks < (uint32_t)solid->period_ticks; clock_ticks++)
        keeps = !df_tiles_block(&tiles, box_at(map, solid, clock_ticks));
    return keeps && !df_tiles_block(&tiles, solid->box);
}

TEST(solids_keep_clear_of_walls_and_of_each_other)
{
    for (size_t i = 0; i < MAPS; i++) {
        const struct map *map = &maps[i];
        for (int32_t k = 0; k < map->solid_count; k++) {
            struct df_box box = map->solids[k].box;
            if (!keeps_clear_of_tiles(map, &map->solids[k]))
                fail_msg("%s: the solid at %d, %d runs into a wall", map->name, box.x, box.y);
            for (int32_t m = 0; m < k; m++) {
                if (!keep_clear(map, &map->solids[k], &map->solids[m])) {
                    fail_msg("%s: the solids at %d, %d and %d, %d meet", map->name, box.x, box.y, map->solids[m].box.x,
                             map->solids[m].box.y);
                }
            }
        }
    }
}

// Whether a player can stand with their feet in this row: it and the one above are free, and there is ground below.
static void mark_ground(const struct map *map, bool *ground)
{
    struct df_tiles tiles = tiles_of(map);
    for (int32_t at = 2 * map->columns; at < map->columns * (map->rows - 1); at++) {
        int32_t column = at % map->columns, row = at / map->columns;
        struct df_box body = {column * MAP_EDGE_PX, (row - 1) * MAP_EDGE_PX, MAP_EDGE_PX, 2 * MAP_EDGE_PX};
        struct df_box below = {body.x, (row + 1) * MAP_EDGE_PX, MAP_EDGE_PX, 1};
        ground[at] = !df_tiles_block(&tiles, body) && !df_tiles_touch(&tiles, body, DF_TILE_HAZARD) &&
                     (df_tiles_block(&tiles, below) || df_tiles_touch(&tiles, below, DF_TILE_ONEWAY));
    }
}

static void mark_rides(const struct map *map, bool *ground)
{
    for (int32_t k = 0; k < map->solid_count; k++) {
        struct df_box sweep = sweep_of(map, &map->solids[k]);
        if (map->solids[k].kind == MAP_SOLID_CRUSHER || map->solids[k].kind == MAP_SOLID_DOOR)
            continue;
        int32_t last_row = (sweep.y + sweep.h - map->solids[k].box.h) / MAP_EDGE_PX - 1;
        for (int32_t row = sweep.y / MAP_EDGE_PX - 1; row <= last_row; row++) {
            for (int32_t x = sweep.x; x < sweep.x + sweep.w; x += MAP_EDGE_PX) {
                int32_t column = (x + map->columns * MAP_EDGE_PX) / MAP_EDGE_PX % map->columns;
                ground[row * map->columns + column] = true;
            }
        }
    }
}

static void spread(const struct map *map, const bool *ground, bool *reached, int32_t from)
{
    int32_t column = from % map->columns, row = from / map->columns;
    reached[from] = true;
    for (int32_t at = 0; at < map->columns * map->rows; at++) {
        int32_t rise = row - at / map->columns, way = abs(at % map->columns - column);
        if (ground[at] && !reached[at] && rise <= RISE_ROWS && way <= (rise > 0 ? RISE_COLUMNS : FALL_COLUMNS))
            spread(map, ground, reached, at);
    }
}

TEST(every_place_is_reachable_from_every_spawn)
{
    for (size_t i = 0; i < MAPS; i++) {
        const struct map *map = &maps[i];
        static bool ground[MAP_TILE_CAPACITY];
        memset(ground, 0, sizeof ground);
        mark_ground(map, ground);
        mark_rides(map, ground);
        for (int32_t k = 0; k < map->spawn_count; k++) {
            static bool reached[MAP_TILE_CAPACITY];
            memset(reached, 0, sizeof reached);
            spread(map, ground, reached,
                   (map->spawns[k].y / MAP_EDGE_PX - 1) * map->columns + map->spawns[k].x / MAP_EDGE_PX);
            for (int32_t at = 0; at < map->columns * map->rows; at++) {
                if (ground[at] && !reached[at]) {
                    fail_msg("%s: column %d, row %d is out of reach of spawn %d", map->name, at % map->columns,
                             at / map->columns, k);
                }
            }
        }
    }
}

TEST(crushers_fall_on_a_floor_where_players_walk)
{
    for (size_t i = 0; i < MAPS; i++) {
        const struct map *map = &maps[i];
        static bool ground[MAP_TILE_CAPACITY];
        memset(ground, 0, sizeof ground);
        mark_ground(map, ground);
        int32_t crushers = 0;
        for (int32_t k = 0; k < map->solid_count; k++) {
            struct df_box sweep = sweep_of(map, &map->solids[k]);
            int32_t row = (sweep.y + sweep.h) / MAP_EDGE_PX - 1;
            for (int32_t x = sweep.x; map->solids[k].kind == MAP_SOLID_CRUSHER && x < sweep.x + sweep.w;
                 x += MAP_EDGE_PX) {
                if (!ground[row * map->columns + x / MAP_EDGE_PX]) {
                    fail_msg("%s: no player can walk under the crusher at %d, %d", map->name, map->solids[k].box.x,
                             map->solids[k].box.y);
                }
                crushers++;
            }
        }
        assert_true(crushers > 0);
    }
}

TEST(a_map_is_found_by_name_and_by_path)
{
    char path[64];
    assert_true(map_file_find("x/y.tmj", path, sizeof path));
    assert_string_equal(path, "x/y.tmj");
    assert_true(map_file_find("./y", path, sizeof path));
    assert_string_equal(path, "./y");
    assert_true(map_file_find("y.tmj", path, sizeof path));
    assert_string_equal(path, "y.tmj");
    assert_false(map_file_find("nowhere", path, sizeof path));
    assert_string_equal(path, "");
    assert_true(map_file_find("/23456", path, 7));
    assert_string_equal(path, "/23456");
    assert_false(map_file_find("/23456", path, 6));
    assert_string_equal(path, "");
    assert_false(map_file_find("/a23456789012345678901234567890123456789012345678901234567890123", path, sizeof path));
    assert_false(map_file_find("", path, sizeof path));
}

TEST(a_map_is_found_in_the_source_tree_without_settings)
{
    char path[512];
    setenv("DEADFALL_MAP_DIR", "/nowhere", 1);
    assert_true(map_file_find("duel", path, sizeof path));
    unsetenv("DEADFALL_MAP_DIR");
    assert_true(map_file_find("duel", path, sizeof path));
    char *found = realpath(path, NULL), *wanted = realpath(SOURCE_ROOT "/shared/maps/duel.tmj", NULL);
    assert_non_null(found);
    assert_string_equal(found, wanted);
    free(found);
    free(wanted);
}

TEST(a_map_that_is_a_link_out_of_its_folder_is_none)
{
    char folder[] = "/tmp/maps_test_XXXXXX", name[80], path[512];
    assert_non_null(mkdtemp(folder));
    snprintf(name, sizeof name, "%s/outside.tmj", folder);
    assert_int_equal(symlink(SOURCE_ROOT "/shared/maps/duel.tmj", name), 0);
    setenv("DEADFALL_MAP_DIR", folder, 1);
    assert_false(map_file_find("outside", path, sizeof path));
    unlink(name);
    snprintf(name, sizeof name, "%s/..data.tmj", folder); // as Kubernetes mounts files
    assert_true(file_write(name, "{}", 2));
    snprintf(path, sizeof path, "%s/inside.tmj", folder);
    assert_int_equal(symlink("..data.tmj", path), 0);
    assert_true(map_file_find("inside", path, sizeof path));
    unlink(path);
    unlink(name);
    rmdir(folder);
    unsetenv("DEADFALL_MAP_DIR");
}

TEST(a_map_is_found_beside_the_program)
{
    char folder[600] = {0}, wanted[700], path[700];
    assert_true(readlink("/proc/self/exe", folder, sizeof folder - 10) > 0);
    strcpy(strrchr(folder, '/'), "/maps");
    snprintf(wanted, sizeof wanted, "%s/maps_test_alone.tmj", folder);
    bool is_new = mkdir(folder, 0777) == 0;
    assert_true(file_write(wanted, "{}", 2));
    unsetenv("DEADFALL_MAP_DIR");
    bool found = map_file_find("maps_test_alone", path, sizeof path);
    char too_short[700];
    bool is_cut = !map_file_find("maps_test_alone", too_short, strlen(wanted)) && too_short[0] == 0;
    bool just_fits = map_file_find("maps_test_alone", too_short, strlen(wanted) + 1);
    unlink(wanted);
    if (is_new)
        rmdir(folder);
    assert_true(found);
    assert_string_equal(path, wanted);
    assert_true(is_cut);
    assert_true(just_fits);
}

// A compiled map is read by the same call as one of Tiled; a damaged one is refused.
TEST(a_compiled_map_is_read)
{
    static uint8_t bytes[MAP_BLOB_BYTES_MAX];
    static struct map back;
    char path[] = "/tmp/maps_test_XXXXXX";
    size_t count = map_blob_encode(&maps[0], bytes, sizeof bytes);
    close(mkstemp(path));
    struct error error;
    assert_true(file_write(path, bytes, count));
    assert_true(map_file_read(path, &back, &error));
    assert_memory_equal(&back, &maps[0], sizeof back);
    assert_true(file_write(path, bytes, count - 1));
    assert_false(map_file_read(path, &back, &error));
    assert_non_null(strstr(error.text, path));
    assert_non_null(strstr(error.text, "compile it again"));
    assert_int_equal(error.code, TILED_VALUE);
    unlink(path);
}
