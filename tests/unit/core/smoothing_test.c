// SPDX-License-Identifier: MIT
//
// Tests how corrections are hidden. Worlds are written by hand and never stepped.
#include "core/smoothing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/view.h"

static const struct map map;
static struct world before, after;
static struct smoothing smoothing;
static struct view view;

// A world with player 0 at x, y px.
static void put(struct world *world, int32_t x, int32_t y)
{
    memset(world, 0, sizeof *world);
    world->player_slots = 1;
    world->players[0].state = PLAYER_ALIVE;
    world->players[0].generation = 1;
    world->actors[0] = (struct df_actor){.x = x, .y = y, .w = 8, .h = 11, .flags = DF_ACTOR_ALIVE};
}

static void put_solid(struct world *world, int32_t x, int32_t y, int32_t rem_x, int32_t rem_y)
{
    world->solid_count = 1;
    world->solids[0] = (struct df_solid){x, y, 32, 8, rem_x, rem_y, DF_SOLID_PRESENT};
}

// Corrects a player and a solid that were drawn this far from their positions.
static void correct(int32_t x_px, int32_t y_px)
{
    memset(&smoothing, 0, sizeof smoothing);
    put(&before, 100 + x_px, 50 + y_px);
    put(&after, 100, 50);
    put_solid(&before, 300 + x_px, 200 + y_px, 0, 0);
    put_solid(&after, 300, 200, 0, 0);
    smoothing_correct(&smoothing, &map, &before, &after);
}

// Returns how far from its position the player is drawn, in sub; the solid must be as far from its own.
static struct view_point drawn_off(uint32_t between)
{
    view_fill(&view, &map, &after, &after, between, &smoothing);
    struct view_point off = {view.actors[0].x - 100 * 256, view.actors[0].y - 50 * 256};
    assert_int_equal(view.solids[0].x - 300 * 256, off.x);
    assert_int_equal(view.solids[0].y - 200 * 256, off.y);
    return off;
}

static void right_after_a_correction_the_old_pose_is_drawn(void **state)
{
    (void)state;
    static const struct view_point errors_px[] = {{10, 0}, {0, 10}, {-7, 3}, {3, -7}, {24, 24}, {-24, -24}};
    for (size_t i = 0; i < sizeof errors_px / sizeof *errors_px; i++) {
        correct(errors_px[i].x, errors_px[i].y);
        for (uint32_t between = 0; between <= 256; between += 64) {
            assert_int_equal(drawn_off(between).x, errors_px[i].x * 256);
            assert_int_equal(drawn_off(between).y, errors_px[i].y * 256);
        }
    }
}

static void errors_add_up(void **state)
{
    (void)state;
    correct(5, -3);
    smoothing_correct(&smoothing, &map, &before, &after);
    for (uint32_t between = 0; between <= 256; between += 128) {
        assert_int_equal(drawn_off(between).x, 10 * 256);
        assert_int_equal(drawn_off(between).y, -6 * 256);
    }
}

static void more_than_two_bodies_are_not_smoothed(void **state)
{
    (void)state;
    static const struct view_point errors_px[] = {{25, 1}, {-25, 1}, {1, 25}, {1, -25}};
    for (size_t i = 0; i < sizeof errors_px / sizeof *errors_px; i++) {
        correct(errors_px[i].x, errors_px[i].y);
        for (uint32_t between = 0; between <= 256; between += 128) {
            assert_int_equal(drawn_off(between).x, 0);
            assert_int_equal(drawn_off(between).y, 0);
        }
    }
}

static void a_respawned_player_has_no_error(void **state)
{
    (void)state;
    for (uint32_t row = 0; row < 2; row++) {
        correct(5, 5);
        if (row == 0)
            before.players[0].stats.deaths = 1;
        else
            after.players[0].state = PLAYER_DEAD;
        smoothing_correct(&smoothing, &map, &before, &after);
        after.players[0].state = PLAYER_ALIVE;
        for (uint32_t between = 0; between <= 256; between += 256) {
            view_fill(&view, &map, &after, &after, between, &smoothing);
            assert_int_equal(view.actors[0].x, 100 * 256);
            assert_int_equal(view.actors[0].y, 50 * 256);
        }
    }
}

// An eighth a tick and at least a quarter of a pixel, so that small errors are gone at once.
static void an_error_fades_by_an_eighth_per_tick_on_each_axis(void **state)
{
    (void)state;
    static const struct {
        int32_t from_px, to_sub;
    } rows[] = {{20, 4480}, {8, 1792}, {2, 448}, {1, 192}, {0, 0}, {-1, -192}, {-2, -448}, {-20, -4480}};
    size_t count = sizeof rows / sizeof *rows;
    for (size_t i = 0; i < count; i++) {
        size_t k = (i + 3) % count;
        correct(rows[i].from_px, rows[k].from_px);
        smoothing_decay(&smoothing);
        assert_int_equal(drawn_off(0).x, rows[i].from_px * 256); // at the tick before
        assert_int_equal(drawn_off(0).y, rows[k].from_px * 256);
        assert_int_equal(drawn_off(128).x, (rows[i].from_px * 256 + rows[i].to_sub) / 2);
        assert_int_equal(drawn_off(256).x, rows[i].to_sub);
        assert_int_equal(drawn_off(256).y, rows[k].to_sub);
        smoothing_decay(&smoothing);
        assert_int_equal(drawn_off(0).x, rows[i].to_sub);
        assert_int_equal(drawn_off(0).y, rows[k].to_sub);
    }
}

static void a_pixel_is_gone_in_four_ticks_and_two_bodies_in_half_a_second(void **state)
{
    (void)state;
    for (int32_t sign = -1; sign <= 1; sign += 2) {
        correct(sign, 24 * sign);
        for (int i = 0; i < 30; i++) {
            int32_t before_tick = abs(drawn_off(256).y);
            smoothing_decay(&smoothing);
            assert_true(drawn_off(256).y * sign >= 0); // no overshoot
            assert_true(abs(drawn_off(256).y) < before_tick || before_tick == 0);
            assert_true((drawn_off(256).x == 0) == (i >= 3));
        }
        assert_int_equal(drawn_off(256).y, 0);
    }
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(right_after_a_correction_the_old_pose_is_drawn),
        cmocka_unit_test(errors_add_up),
        cmocka_unit_test(more_than_two_bodies_are_not_smoothed),
        cmocka_unit_test(a_respawned_player_has_no_error),
        cmocka_unit_test(an_error_fades_by_an_eighth_per_tick_on_each_axis),
        cmocka_unit_test(a_pixel_is_gone_in_four_ticks_and_two_bodies_in_half_a_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
