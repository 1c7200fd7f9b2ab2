// SPDX-License-Identifier: MIT
//
// What somebody sees who only watches: computer players play whole matches in the largest arena, and each kill counts
// as seen if it happens inside of the picture. The picture must also be calm: few cuts, and it stands still mostly.
#include <stdio.h>
#include <stdlib.h>

#include "game/ai/ai.h"
#include "game/ai/nav_graph_build.h"
#include "game/map/tiled/map_file.h"
#include "scene/camera.h"
#include "sync/game.h"
#include "sync/world.h"
#include "test.h"

#define MINUTES 4
#define TICKS   (MINUTES * 60 * TICKS_PER_SECOND)

static struct map map;
static struct nav_graph graph;
static struct world world, before;
static struct player_input inputs[PLAYER_CAPACITY];
static struct view view;
static struct camera camera;

struct tally {
    uint32_t kills, seen;  // kills, and those inside of the picture
    uint32_t cuts;         // the picture is another one
    uint32_t moves, turns; // ticks in which it moved; times that it turned back along x
    uint32_t far;          // ticks of the whole arena, or most of it
    int fastest;           // whole px a tick
};

static bool is_in_picture(const struct event *event)
{
    int32_t left, top;
    camera.shake = 0;
    camera_corner(&camera, &view, &left, &top);
    int32_t x = event->x - left, y = event->y - top;
    return x >= 0 && x < camera_width(&camera) && y >= -16 && y < camera_height(&camera) + 16;
}

static void count(struct tally *tally, const struct camera *was, float *ran)
{
    for (uint32_t i = 0; i < view.event_count; i++)
        if (view.events[i].kind == EVENT_KILL) {
            tally->kills++;
            tally->seen += is_in_picture(&view.events[i]);
        }
    bool moved = camera.x != was->x || camera.y != was->y;
    bool cut = was->started && (camera.far != was->far || (moved && camera.from_x != was->x));
    tally->far += camera.far;
    tally->cuts += cut;
    if (cut || !was->started) {
        *ran = 0;
        return;
    }
    float step = camera.x - was->x;
    tally->moves += moved;
    tally->turns += step * *ran < 0;
    *ran = step != 0 ? step : *ran;
    tally->fastest = abs((int)step) > tally->fastest ? abs((int)step) : tally->fastest;
}

static struct tally play(const char *name, uint32_t players, enum mode mode, uint32_t seed)
{
    struct error error;
    struct tally tally = {0};
    char path[256];
    float ran = 0;
    snprintf(path, sizeof path, SOURCE_ROOT "/shared/maps/%s.tmj", name);
    assert_true(map_file_read(path, &map, &error));
    nav_graph_build(&graph, &map);
    camera = (struct camera){0};
    world_init(&world, &map, &(struct rules){.mode = mode, .seed = seed});
    for (uint32_t slot = 0; slot < players; slot++)
        world_command(&world, &map,
                      &(struct command){.kind = COMMAND_JOIN, .slot = slot, .bot = 1, .colour = slot % 16});
    for (uint32_t i = 0; i < TICKS; i++) {
        before = world;
        for (uint32_t slot = 0; slot < players; slot++)
            inputs[slot] = ai_think(&world, &map, &graph, slot, SKILL_NORMAL);
        game_roll(&world, &map, NULL, NULL, NULL);
        world_step(&world, &map, inputs);
        view.event_count = 0;
        view_add_events(&view, &world, before.event_count);
        view_fill(&view, &map, &before, &world, 256, 0);
        view.slot = PLAYER_CAPACITY;
        struct camera was = camera;
        camera_step(&camera, &view);
        count(&tally, &was, &ran);
    }
    return tally;
}

TEST(the_picture_is_where_the_kills_are_and_calm)
{
    static const struct {
        uint32_t players;
        enum mode mode;
    } rows[] = {
        /* 1 */ {2, MODE_FFA},   /* 2 */ {4, MODE_FFA},  /* 3 */ {6, MODE_LMS},  /* 4 */ {8, MODE_FFA},
        /* 5 */ {8, MODE_TEAMS}, /* 6 */ {16, MODE_FFA}, /* 7 */ {24, MODE_LMS},
    };
    uint32_t kills = 0, seen = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tally tally = play("colosseum", rows[i].players, rows[i].mode, 7 + (uint32_t)i);
        print_message(
            "%u players, mode %u: %u of %u kills seen, %.1f cuts, %.1f turns a minute, moves %u %%, far %u %%, "
            "at most %d px a tick\n",
            rows[i].players, rows[i].mode, tally.seen, tally.kills, (double)tally.cuts / MINUTES,
            (double)tally.turns / MINUTES, tally.moves * 100 / TICKS, tally.far * 100 / TICKS, tally.fastest);
        bool good = tally.kills >= 10 && tally.seen * 100 >= tally.kills * 90 && tally.cuts <= 8 * MINUTES &&
                    tally.turns <= 6 * MINUTES && tally.moves * 100 <= TICKS * 50 && tally.fastest <= 3;
        if (!good)
            fail_msg("row %zu", i + 1);
        kills += tally.kills;
        seen += tally.seen;
    }
    assert_true(seen * 100 >= kills * 95);
}

TEST(an_arena_that_fits_stands_still)
{
    struct tally tally = play("foundry", 8, MODE_FFA, 3);
    assert_true(tally.kills > 10);
    assert_int_equal(tally.seen, tally.kills);
    assert_int_equal(tally.moves + tally.cuts, 0);
}

TEST(nobody_is_seen_in_the_middle)
{
    struct director director = {0};
    map = (struct map){.columns = 256, .rows = 128};
    world = (struct world){0};
    view = (struct view){.map = &map, .world = &world, .confirmed = &world, .slot = PLAYER_CAPACITY};
    assert_true(director_step(&director, &view));
    assert_true(director.x == 128 * MAP_EDGE_PX && director.y == 64 * MAP_EDGE_PX);
    for (uint32_t i = 0; i < 1000; i++)
        assert_false(director_step(&director, &view));
}
