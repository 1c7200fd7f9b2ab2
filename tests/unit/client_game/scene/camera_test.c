// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "scene/camera.h"
#include "test.h"
#include "test_match.h"
#include "window/canvas.h"

static struct test_match match;
static struct view view;
static struct camera camera;

// A hollow room of this many tiles with one player in it.
static void start(int32_t columns, int32_t rows, int32_t x, int32_t y)
{
    memset(&match, 0, sizeof match);
    memset(&view, 0, sizeof view);
    memset(&camera, 0, sizeof camera);
    match.map.columns = columns;
    match.map.rows = rows;
    match.world.player_slots = 1;
    match.world.players[0].state = PLAYER_ALIVE;
    match.world.players[0].facing = 1;
    match.world.actors[0].w = 8;
    match.world.actors[0].h = 11;
    view.map = &match.map;
    view.world = view.confirmed = &match.world;
    view.between = 256;
    view.actors[0] = (struct view_point){x * DF_SUB, y * DF_SUB};
}

static void let_time_pass(int ticks)
{
    for (int i = 0; i < ticks; i++) {
        match.world.tick++;
        camera_step(&camera, &view);
    }
}

TEST(an_arena_that_fits_is_centred)
{
    static const int32_t places[] = {0, 100, 390};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        int32_t left, top;
        start(50, 30, places[i], places[i] / 2);
        let_time_pass(50);
        camera_corner(&camera, &view, &left, &top);
        assert_int_equal(left, (50 * MAP_EDGE_PX - CANVAS_WIDTH) / 2);
        assert_int_equal(top, (30 * MAP_EDGE_PX - CANVAS_HEIGHT) / 2);
    }
}

TEST(the_camera_never_leaves_a_large_arena)
{
    static const struct {
        int32_t x, y, left, top;
    } rows[] = {
        /* 1 */ {0, 0, 0, 0},
        /* 2 */ {2000, 0, 256 * MAP_EDGE_PX - CANVAS_WIDTH, 0},
        /* 3 */ {0, 2000, 0, 256 * MAP_EDGE_PX - CANVAS_HEIGHT},
        /* 4 */ {100000, 100000, 256 * MAP_EDGE_PX - CANVAS_WIDTH, 256 * MAP_EDGE_PX - CANVAS_HEIGHT},
        /* 5 */ {-100000, -100000, 0, 0}, // fallen out of the map
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int32_t left, top;
        start(256, 256, rows[i].x, rows[i].y);
        let_time_pass(1);
        camera_corner(&camera, &view, &left, &top);
        assert_int_equal(left, rows[i].left);
        assert_int_equal(top, rows[i].top);
    }
}

TEST(the_camera_looks_ahead_of_the_player_and_comes_to_rest)
{
    int32_t left, top, again, same;
    start(256, 256, 1000, 1000);
    let_time_pass(600);
    camera_corner(&camera, &view, &left, &top);
    assert_in_range(left + CANVAS_WIDTH / 2 - 1004, 20, 30);
    let_time_pass(1);
    camera_corner(&camera, &view, &again, &same);
    assert_int_equal(left, again);
    assert_int_equal(top, same);
}

TEST(a_dead_player_does_not_move_the_camera)
{
    int32_t left, top, again, same;
    start(256, 256, 1000, 1000);
    let_time_pass(600);
    camera_corner(&camera, &view, &left, &top);
    match.world.players[0].state = PLAYER_DEAD;
    view.actors[0] = (struct view_point){0, 0};
    let_time_pass(1);
    camera_corner(&camera, &view, &again, &same);
    assert_in_range(again, left - 4, left + 4); // the remaining look-ahead
}

TEST(a_jolt_fades)
{
    int32_t left, top, still_left, still_top;
    start(256, 256, 1000, 1000);
    let_time_pass(600);
    camera_corner(&camera, &view, &still_left, &still_top);
    camera_jolt(&camera, 6);
    camera_jolt(&camera, 2); // the weaker one changes nothing
    camera_corner(&camera, &view, &left, &top);
    assert_true(abs(left - still_left) >= 3);
    let_time_pass(30);
    camera_corner(&camera, &view, &left, &top);
    assert_int_equal(left, still_left);
    assert_int_equal(top, still_top);
}

TEST(a_spectator_sees_the_middle_of_all_living_players)
{
    int32_t left, top;
    start(256, 256, 600, 1000);
    view.slot = PLAYER_CAPACITY;
    match.world.player_slots = 3;
    match.world.players[2] = match.world.players[0];
    match.world.actors[2] = match.world.actors[0];
    view.actors[2] = (struct view_point){800 * DF_SUB, 1000 * DF_SUB};
    let_time_pass(1);
    camera_corner(&camera, &view, &left, &top);
    assert_int_equal(left, 704 - CANVAS_WIDTH / 2);
}

static int32_t part_px(void)
{
    return camera_part(&camera).w;
}

static void add_player(int32_t x)
{
    match.world.player_slots = 2;
    match.world.players[1] = match.world.players[0];
    match.world.actors[1] = match.world.actors[0];
    view.actors[1] = (struct view_point){x * DF_SUB, view.actors[0].y};
}

TEST(the_camera_zooms_between_near_and_far)
{
    int32_t before, ticks;
    start(160, 90, 300, 400);
    let_time_pass(30);
    assert_false(camera.far);
    assert_int_equal(part_px(), CANVAS_WIDTH);
    add_player(1100);
    let_time_pass(1);
    assert_true(camera.far);
    assert_in_range(part_px(), CANVAS_WIDTH, CANVAS_WIDTH + 100);
    for (ticks = 0; (before = part_px()) < CANVAS_WIDTH * CANVAS_FINE; ticks++) {
        let_time_pass(1);
        assert_true(part_px() > before);
    }
    assert_in_range(ticks, 5, 30);
    match.world.players[1].state = PLAYER_DEAD;
    for (ticks = 0; camera.far; ticks++) {
        before = part_px();
        let_time_pass(1);
        assert_true(part_px() <= before);
        assert_in_range(ticks, 0, 400);
    }
    assert_in_range(before, CANVAS_WIDTH, CANVAS_WIDTH + 100); // no jump at the end of the way
    assert_in_range(camera.x, 300, 340);
    assert_int_equal(camera.unframed, 0);
}

TEST(the_zoom_leaves_no_player_at_the_window_out)
{
    start(160, 90, 300, 400);
    view.own = (struct local_seats){{1, 2}};
    let_time_pass(300);
    assert_false(camera.far);
    add_player(1100);
    let_time_pass(30);
    assert_true(camera.far);
    assert_int_equal(camera.unframed, 0);
    assert_int_equal(camera.framed, 330 + 30);
}

TEST(less_motion_cuts_between_near_and_far)
{
    start(160, 90, 300, 400);
    camera.cuts = true;
    let_time_pass(30);
    add_player(1100);
    let_time_pass(1);
    assert_int_equal(part_px(), CANVAS_WIDTH * CANVAS_FINE);
}

// A picture that is redder to the right and bluer to the bottom.
TEST(a_zoom_enlarges_a_part_of_the_picture)
{
    static struct canvas canvas;
    canvas_resize(&canvas, true);
    for (uint32_t i = 0; i < 1280 * 720; i++)
        canvas.pixels[i] = RGB(i % 1280 / 5 << 16 | i / 1280 / 3);
    canvas_zoom(&canvas, (struct rect){0, 0, 1280, 720});
    assert_int_equal(canvas.pixels[1279], RGB(255u << 16));
    canvas_zoom(&canvas, (struct rect){320, 60, 640, 360});
    for (uint32_t i = 0; i < 1280 * 720; i++) {
        uint32_t red = canvas.pixels[i] >> 16 & 255, blue = canvas.pixels[i] & 255;
        assert_in_range(red + 1 - (320 + i % 1280 / 2) / 5, 0, 2);
        assert_in_range(blue + 1 - (60 + i / 1280 / 2) / 3, 0, 2);
    }
}
