// SPDX-License-Identifier: MIT
//
// Tests how corrections are hidden. Worlds are written by hand and never stepped.
#include "core/view.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

static struct map map;
static struct world before, after;
static struct smoothing smoothing;
static struct view view;

// A world with player 0 at x, y px, who has lived for long.
static void put(struct world *world, int32_t x, int32_t y)
{
    memset(world, 0, sizeof *world);
    world->tick = 1000;
    world->player_slots = 1;
    world->players[0].state = PLAYER_ALIVE;
    world->players[0].generation = 1;
    world->actors[0] = (struct df_actor){.x = x, .y = y, .w = 8, .h = 11, .flags = DF_ACTOR_ALIVE};
}

static void put_solid(struct world *world, int32_t x, int32_t y)
{
    world->solid_count = 1;
    world->solids[0] = (struct df_solid){x, y, 32, 8, 0, 0, DF_SOLID_PRESENT};
}

static void draw_and_correct(void)
{
    smoothing = (struct smoothing){.own = {{2}}};
    view_smoothing_advance(&smoothing, &map, &before, &before, &before);
    view_smoothing_correct(&smoothing, &map, &after, &after, &after);
}

// Corrects a player and a solid that were drawn this far from their positions.
static void correct(int32_t x_px, int32_t y_px)
{
    map = (struct map){.columns = 40, .rows = 30};
    put(&before, 100 + x_px, 50 + y_px);
    put(&after, 100, 50);
    put_solid(&before, 300 + x_px, 200 + y_px);
    put_solid(&after, 300, 200);
    draw_and_correct();
}

static void advance(void)
{
    view_smoothing_advance(&smoothing, &map, &after, &after, &after);
}

// Returns how far from its position the player is drawn, in sub.
static struct view_point player_off(uint32_t between)
{
    view_fill(&view, &map, &after, &after, between, &smoothing);
    return (struct view_point){view.actors[0].x - 100 * 256, view.actors[0].y - 50 * 256};
}

// Returns the same; the solid must be as far from its own.
static struct view_point drawn_off(uint32_t between)
{
    struct view_point off = player_off(between);
    assert_int_equal(view.solids[0].x - 300 * 256, off.x);
    assert_int_equal(view.solids[0].y - 200 * 256, off.y);
    return off;
}

TEST(right_after_a_correction_the_old_pose_is_drawn)
{
    static const struct view_point errors_px[] = {{10, 0}, {0, 10}, {-7, 3}, {3, -7}, {24, 24}, {-24, -24}};
    for (size_t i = 0; i < sizeof errors_px / sizeof *errors_px; i++) {
        correct(errors_px[i].x, errors_px[i].y);
        for (uint32_t between = 0; between <= 256; between += 64) {
            assert_int_equal(drawn_off(between).x, errors_px[i].x * 256);
            assert_int_equal(drawn_off(between).y, errors_px[i].y * 256);
        }
    }
}

// A runner who stands in truth is drawn where they were at every moment of the tick.
TEST(both_ends_of_a_tick_have_their_errors)
{
    static struct world earlier;
    correct(0, 0);
    put(&earlier, 102, 50);
    put(&before, 106, 50);
    view_smoothing_advance(&smoothing, &map, &earlier, &before, &before);
    view_smoothing_correct(&smoothing, &map, &after, &after, &after);
    for (int32_t between = 0; between <= 256; between += 64)
        assert_int_equal(player_off((uint32_t)between).x, 512 + between * 4);
}

TEST(errors_add_up)
{
    correct(5, -3);
    before = after;
    after.actors[0].x -= 5;
    after.solids[0].x -= 5;
    view_smoothing_correct(&smoothing, &map, &after, &after, &after);
    for (uint32_t between = 0; between <= 256; between += 128) {
        assert_int_equal(drawn_off(between).x, 5 * 256);
        assert_int_equal(drawn_off(between).y, -3 * 256);
    }
}

TEST(only_players_are_smoothed_farther_than_two_bodies)
{
    static const struct {
        struct view_point error_px;
        bool smooth;
    } rows[] = {{{25, 1}, true},   {{-25, 1}, true},   {{1, 25}, true},   {{1, -25}, true},  {{256, -256}, true},
                {{257, 0}, false}, {{-257, 0}, false}, {{0, 257}, false}, {{0, -257}, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        correct(rows[i].error_px.x, rows[i].error_px.y);
        for (uint32_t between = 0; between <= 256; between += 128) {
            struct view_point off = player_off(between);
            assert_int_equal(off.x, rows[i].smooth ? rows[i].error_px.x * 256 : 0);
            assert_int_equal(off.y, rows[i].smooth ? rows[i].error_px.y * 256 : 0);
            assert_int_equal(view.solids[0].x, 300 * 256);
            assert_int_equal(view.solids[0].y, 200 * 256);
        }
    }
}

TEST(players_who_appear_only_in_the_prediction_may_appear_elsewhere)
{
    static struct world confirmed;
    for (uint32_t now = PLAYER_ABSENT; now <= PLAYER_SPECTATOR; now++) {
        correct(30, 0);
        confirmed = after;
        confirmed.players[0].state = now;
        smoothing = (struct smoothing){.own = {{2}}};
        view_smoothing_advance(&smoothing, &map, &before, &before, &before);
        view_smoothing_correct(&smoothing, &map, &after, &after, &confirmed);
        assert_int_equal(player_off(256).x, now == PLAYER_ALIVE ? 30 * 256 : 0);
    }
}

TEST(across_a_seam_an_error_is_short)
{
    correct(0, 0);
    map.outside = DF_OUTSIDE_WRAP;
    put(&before, 40 * MAP_EDGE_PX - 100, 30 * MAP_EDGE_PX - 2);
    put(&after, 4, 3);
    draw_and_correct();
    view_fill(&view, &map, &after, &after, 256, &smoothing);
    assert_int_equal(view.actors[0].x, (40 * MAP_EDGE_PX - 100) * 256);
    assert_int_equal(view.actors[0].y, -2 * 256); // drawn on both sides
    assert_int_equal(smoothing.now[0].x, -104 * 256);
    assert_int_equal(smoothing.now[0].y, -5 * 256);
}

TEST(a_respawned_player_has_no_error)
{
    for (uint32_t row = 0; row < 2; row++) {
        correct(5, 5);
        if (row == 0)
            before.players[0].stats.deaths = 1;
        else
            before.players[0].generation++;
        draw_and_correct();
        for (uint32_t between = 0; between <= 256; between += 256) {
            assert_int_equal(player_off(between).x, 0);
            assert_int_equal(player_off(between).y, 0);
        }
    }
}

TEST(a_player_whose_death_is_taken_back_comes_from_where_they_were_drawn)
{
    static struct world dead;
    correct(30, 5);
    dead = before;
    dead.players[0].state = PLAYER_DEAD;
    dead.players[0].stats.deaths = 1;
    view_smoothing_correct(&smoothing, &map, &dead, &dead, &after);
    for (int i = 0; i < 3; i++) {
        view_smoothing_advance(&smoothing, &map, &dead, &dead, &after);
        view_fill(&view, &map, &dead, &dead, 128, &smoothing);
        assert_int_equal(view.actors[0].x, 130 * 256); // held there
        assert_int_equal(view.actors[0].y, 55 * 256);
    }
    view_smoothing_correct(&smoothing, &map, &after, &after, &after);
    for (uint32_t between = 0; between <= 256; between += 128) {
        assert_int_equal(player_off(between).x, 30 * 256);
        assert_int_equal(player_off(between).y, 5 * 256);
    }
    before.players[0].stats.deaths = after.players[0].stats.deaths = 1; // another life
    view_smoothing_correct(&smoothing, &map, &dead, &dead, &after);
    view_smoothing_correct(&smoothing, &map, &after, &after, &after);
    assert_int_equal(player_off(256).x, 0);
}

// They are not drawn before the server says where they are, so there is nothing that they could come from.
TEST(a_player_appears_where_the_server_has_them)
{
    static struct world dead, appeared;
    correct(0, 0);
    dead = appeared = after;
    dead.players[0].state = PLAYER_DEAD;
    dead.players[0].stats.deaths = appeared.players[0].stats.deaths = after.players[0].stats.deaths = 1;
    appeared.actors[0].x += 60;
    for (uint32_t own = 0; own < 2; own++) {
        smoothing = (struct smoothing){.own = {{2 - own}}};
        view_smoothing_correct(&smoothing, &map, &appeared, &appeared, &dead);
        view_smoothing_advance(&smoothing, &map, &appeared, &appeared, &dead);
        view_smoothing_correct(&smoothing, &map, &after, &after, &after);
        for (uint32_t between = 0; between <= 256; between += 128)
            assert_int_equal(player_off(between).x, own ? 60 * 256 : 0); // they see themselves at once
    }
}

TEST(a_player_whose_next_life_is_taken_back_comes_from_where_they_were_drawn)
{
    static struct world appeared;
    correct(30, 5);
    appeared = after;
    appeared.players[0].stats.deaths = 1;
    appeared.actors[0].x += 200;
    view_smoothing_correct(&smoothing, &map, &appeared, &appeared, &after);
    view_smoothing_advance(&smoothing, &map, &appeared, &appeared, &after);
    view_smoothing_correct(&smoothing, &map, &after, &after, &after);
    for (uint32_t between = 0; between <= 256; between += 128)
        assert_int_equal(player_off(between).x, 30 * 256);
}

// Half a map away, the short way may be to the left at one tick and to the right at the next.
TEST(an_error_stays_on_one_side_of_a_seam)
{
    static struct world earlier;
    correct(0, 0);
    map.outside = DF_OUTSIDE_WRAP;
    put(&earlier, 100 + 20 * MAP_EDGE_PX - 1, 50);
    put(&before, 100 + 20 * MAP_EDGE_PX + 1, 50);
    view_smoothing_advance(&smoothing, &map, &earlier, &before, &before);
    view_smoothing_correct(&smoothing, &map, &after, &after, &after);
    assert_true(abs(smoothing.now[0].x) > 150 * 256);
    assert_true(abs(smoothing.now[0].x - smoothing.before[0].x) <= 2 * 256);
}

// A quarter a tick and at least a quarter of a pixel, so that small errors are gone at once.
TEST(an_error_fades_by_a_quarter_per_tick_on_each_axis)
{
    static const struct {
        int32_t from_px, to_sub;
    } rows[] = {{16, 3072}, {8, 1536}, {2, 384}, {1, 192}, {0, 0}, {-1, -192}, {-2, -384}, {-16, -3072}};
    size_t count = sizeof rows / sizeof *rows;
    for (size_t i = 0; i < count; i++) {
        size_t k = (i + 3) % count;
        correct(rows[i].from_px, rows[k].from_px);
        advance();
        assert_int_equal(drawn_off(0).x, rows[i].from_px * 256); // at the tick before
        assert_int_equal(drawn_off(0).y, rows[k].from_px * 256);
        assert_int_equal(drawn_off(128).x, (rows[i].from_px * 256 + rows[i].to_sub) / 2);
        assert_int_equal(drawn_off(256).x, rows[i].to_sub);
        assert_int_equal(drawn_off(256).y, rows[k].to_sub);
        advance();
        assert_int_equal(drawn_off(0).x, rows[i].to_sub);
        assert_int_equal(drawn_off(0).y, rows[k].to_sub);
    }
}

TEST(a_pixel_is_gone_in_four_ticks_and_two_bodies_in_a_third_of_a_second)
{
    for (int32_t sign = -1; sign <= 1; sign += 2) {
        correct(sign, 24 * sign);
        for (int i = 0; i < 20; i++) {
            int32_t before_tick = abs(drawn_off(256).y);
            advance();
            assert_true(drawn_off(256).y * sign >= 0); // no overshoot
            assert_true(abs(drawn_off(256).y) < before_tick || before_tick == 0);
            assert_true((drawn_off(256).x == 0) == (i >= 3));
        }
        assert_int_equal(drawn_off(256).y, 0);
    }
}

// Own motion and what fades together are at most 8 px a tick, in any direction.
TEST(nobody_is_drawn_faster_than_8_px_a_tick)
{
    static const struct view_point ways_px[] = {{0, 0}, {4, 0}, {-4, 0}, {3, -3}, {0, 4}, {7, 0}, {-5, 5}};
    for (size_t i = 0; i < sizeof ways_px / sizeof *ways_px; i++) {
        correct(150, -100);
        for (int t = 0; t < 100; t++) {
            struct view_point from = player_off(256);
            before = after;
            after.actors[0].x += ways_px[i].x;
            after.actors[0].y += ways_px[i].y;
            view_smoothing_advance(&smoothing, &map, &before, &after, &after);
            struct view_point to = player_off(256);
            int64_t x = to.x - from.x, y = to.y - from.y;
            assert_true(x * x + y * y <= 2048 * 2048);
        }
        assert_true(i > 4 || abs(smoothing.now[0].x) < 256);
    }
}
