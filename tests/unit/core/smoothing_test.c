// SPDX-License-Identifier: MIT
//
// Tests what is drawn: poses, smoothing and the view between two ticks. Worlds are written by hand and never stepped.
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
static struct pose places[POSE_CAPACITY];

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

static void reset(int32_t error_px)
{
    memset(&smoothing, 0, sizeof smoothing);
    put(&before, 100 + error_px, 50);
    put(&after, 100, 50);
    smoothing_correct(&smoothing, &map, &before, &after);
}

static void right_after_a_correction_the_old_pose_is_drawn(void **state)
{
    (void)state;
    reset(10);
    for (uint32_t between = 0; between <= 256; between += 64) {
        view_fill(&view, &map, &after, &after, between, &smoothing);
        assert_int_equal(view.actors[0].x, 110 * 256);
        assert_int_equal(view.actors[0].y, 50 * 256);
    }
}

static void an_error_fades_in_half_a_second_without_overshoot(void **state)
{
    (void)state;
    reset(20);
    int32_t error = smoothing.now[0].x;
    for (int i = 0; i < 30; i++) {
        smoothing_decay(&smoothing);
        assert_true(smoothing.now[0].x >= 0 && (smoothing.now[0].x < error || error == 0));
        error = smoothing.now[0].x;
    }
    assert_int_equal(error, 0);
}

static void a_small_error_is_gone_in_a_few_ticks(void **state)
{
    (void)state;
    reset(-1);
    for (int i = 0; i < 4; i++)
        smoothing_decay(&smoothing);
    assert_int_equal(smoothing.now[0].x, 0);
}

static void errors_add_up(void **state)
{
    (void)state;
    reset(5);
    smoothing_correct(&smoothing, &map, &before, &after);
    assert_int_equal(smoothing.now[0].x, 10 * 256);
}

static void more_than_two_bodies_snap(void **state)
{
    (void)state;
    reset(24);
    assert_int_equal(smoothing.now[0].x, 24 * 256);
    reset(25);
    assert_int_equal(smoothing.now[0].x, 0);
}

static void a_respawned_player_has_no_error(void **state)
{
    (void)state;
    reset(5);
    before.players[0].stats.deaths = 1;
    smoothing_correct(&smoothing, &map, &before, &after);
    assert_int_equal(smoothing.now[0].x, 0);
    reset(5);
    after.players[0].state = PLAYER_DEAD;
    smoothing_correct(&smoothing, &map, &before, &after);
    assert_int_equal(smoothing.now[0].x, 0);
}

static void bodies_are_interpolated_between_two_ticks(void **state)
{
    (void)state;
    put(&before, 100, 50);
    put(&after, 104, 47);
    put_solid(&before, 0, 0, 0, 0);
    put_solid(&after, 2, 0, 0, 0);
    before.ball_count = after.ball_count = 1;
    before.balls[0] = (struct df_ball){1000, 2000, 4, 0, 0, DF_BALL_ALIVE};
    after.balls[0] = (struct df_ball){1256, 1744, 4, 0, 0, DF_BALL_ALIVE};
    view_fill(&view, &map, &before, &after, 64, NULL);
    assert_int_equal(view.actors[0].x, 101 * 256);
    assert_int_equal(view.actors[0].y, 50 * 256 - 192);
    assert_int_equal(view.solids[0].x, 128);
    assert_int_equal(view.balls[0].x, 1064);
    assert_int_equal(view.balls[0].y, 1936);
}

static void a_teleported_body_is_not_interpolated(void **state)
{
    (void)state;
    put(&before, 100, 50);
    put(&after, 300, 50);
    view_fill(&view, &map, &before, &after, 64, NULL);
    assert_int_equal(view.actors[0].x, 300 * 256);
    put(&after, 101, 50);
    after.players[0].generation = 2;
    view_fill(&view, &map, &before, &after, 64, NULL);
    assert_int_equal(view.actors[0].x, 101 * 256);
}

static void a_rider_shares_the_fraction_of_its_solid(void **state)
{
    (void)state;
    static const struct {
        int32_t x, y; // of a rider of 8 x 11; the solid is 32 x 8 at 100, 50
        enum df_ride ride;
        bool rides;
    } rows[] = {
        /*  1 */ {110, 39, DF_RIDE_STAND, true},
        /*  2 */ {93, 39, DF_RIDE_STAND, true},   // one pixel is enough
        /*  3 */ {92, 39, DF_RIDE_STAND, false},  // a corner is not
        /*  4 */ {110, 38, DF_RIDE_STAND, false}, // in the air
        /*  5 */ {110, 39, DF_RIDE_NEVER, false},
        /*  6 */ {132, 45, DF_RIDE_CLING_LEFT, true},
        /*  7 */ {132, 45, DF_RIDE_STAND, false},
        /*  8 */ {92, 45, DF_RIDE_CLING_RIGHT, true},
        /*  9 */ {92, 45, DF_RIDE_CLING_LEFT, false},
        /* 10 */ {132, 58, DF_RIDE_CLING_LEFT, false}, // below
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        put(&before, rows[i].x, rows[i].y);
        put_solid(&before, 100, 50, 100, -77);
        before.actors[0].ride = rows[i].ride;
        before.actors[0].rem_x = 5;
        pose_all(places, &map, &before);
        assert_int_equal(places[0].x, rows[i].x * 256 + 5 + (rows[i].rides ? 100 : 0));
        assert_int_equal(places[0].y, rows[i].y * 256 - (rows[i].rides ? 77 : 0));
    }
}

static void a_rider_stays_on_its_solid_across_the_seam(void **state)
{
    (void)state;
    static const struct map wrapping = {.outside = DF_OUTSIDE_WRAP, .columns = 40, .rows = 20}; // 320 x 160 px
    static const struct {
        int32_t x, y, solid_x, solid_y; // of a rider of 8 x 11, and of a solid of 32 x 8
        enum df_ride ride;
        bool rides;
    } rows[] = {
        /* 1 */ {2, 39, 300, 50, DF_RIDE_STAND, true},   // the solid reaches over the right edge
        /* 2 */ {316, 39, 0, 50, DF_RIDE_STAND, true},   // the rider does
        /* 3 */ {12, 39, 300, 50, DF_RIDE_STAND, false}, // a corner is not enough
        /* 4 */ {110, 149, 100, 0, DF_RIDE_STAND, true}, // down over the lower edge
        /* 5 */ {0, 45, 288, 50, DF_RIDE_CLING_LEFT, true},
        /* 6 */ {312, 45, 0, 50, DF_RIDE_CLING_RIGHT, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        put(&before, rows[i].x, rows[i].y);
        put_solid(&before, rows[i].solid_x, rows[i].solid_y, 100, -77);
        before.actors[0].ride = rows[i].ride;
        pose_all(places, &wrapping, &before);
        assert_int_equal(places[0].x, rows[i].x * 256 + (rows[i].rides ? 100 : 0));
        assert_int_equal(places[0].y, rows[i].y * 256 - (rows[i].rides ? 77 : 0));
    }
}

static void dead_and_absent_players_have_no_pose(void **state)
{
    (void)state;
    put(&before, 10, 10);
    before.players[0].state = PLAYER_DEAD;
    before.arrow_slots = 1;
    pose_all(places, &map, &before);
    assert_int_equal(places[0].identity, 0);
    assert_int_equal(places[PLAYER_CAPACITY].identity, 0);
}

static struct world confirmed[2], shown;

// A world of two players; the second, confirmed at 200, 50 and then at 204, 50, is predicted at 230, 50.
static void put_two(struct world *world, int32_t x)
{
    put(world, 100, 50);
    world->player_slots = 2;
    world->players[1] = world->players[0];
    world->actors[1] = world->actors[0];
    world->actors[1].x = x;
}

static void show_two(uint32_t between)
{
    view_fill(&view, &map, &before, &after, 256, NULL);
    view.slot = 0;
    view_fill_confirmed(&view, &shown, &confirmed[0], &confirmed[1], between);
}

static void remote_players_are_confirmed_and_the_own_player_is_predicted(void **state)
{
    (void)state;
    put_two(&before, 230);
    put_two(&after, 230);
    put_two(&confirmed[0], 200);
    put_two(&confirmed[1], 204);
    confirmed[1].actors[0].x = 60;
    confirmed[1].players[1].score = 7;
    show_two(64);
    assert_int_equal(view.actors[0].x, 100 * 256);
    assert_int_equal(view.actors[1].x, 201 * 256);
    assert_int_equal(view.world->players[1].score, 7);
    assert_int_equal(view.world->actors[0].x, 100);
    assert_int_equal(after.players[1].score, 0); // the prediction itself is unchanged
}

static void arrows_of_remote_players_are_shown_as_confirmed(void **state)
{
    (void)state;
    put_two(&before, 230);
    put_two(&after, 230);
    put_two(&confirmed[0], 200);
    put_two(&confirmed[1], 204);
    for (uint32_t i = 0; i < 2; i++) {
        struct df_actor arrow = {.x = 300, .y = 10, .w = 6, .h = 2, .flags = DF_ACTOR_ALIVE};
        confirmed[0].arrow_slots = confirmed[1].arrow_slots = after.arrow_slots = 2;
        confirmed[0].arrows[i] = confirmed[1].arrows[i] = after.arrows[i] = (struct arrow){.state = 1, .owner = i + 1};
        confirmed[0].actors[PLAYER_CAPACITY + i] = confirmed[1].actors[PLAYER_CAPACITY + i] = arrow;
        arrow.x = 340;
        after.actors[PLAYER_CAPACITY + i] = arrow;
    }
    show_two(128);
    assert_int_equal(view.actors[PLAYER_CAPACITY].x, 340 * 256);
    assert_int_equal(view.actors[PLAYER_CAPACITY + 1].x, 300 * 256);
}

static void an_arrow_that_was_not_predicted_is_shown_too(void **state)
{
    (void)state;
    put_two(&before, 230);
    put_two(&after, 230);
    for (uint32_t i = 0; i < 2; i++) {
        put_two(&confirmed[i], 200);
        confirmed[i].arrow_slots = 1;
        confirmed[i].arrows[0] = (struct arrow){.state = 1, .owner = 2};
        confirmed[i].actors[PLAYER_CAPACITY] =
            (struct df_actor){.x = 300, .y = 10, .w = 6, .h = 2, .flags = DF_ACTOR_ALIVE};
    }
    show_two(128);
    assert_int_equal(view.world->arrow_slots, 1);
    assert_int_equal(view.world->arrows[0].owner, 2);
    assert_int_equal(view.actors[PLAYER_CAPACITY].x, 300 * 256);
}

static void an_absent_solid_has_no_pose(void **state)
{
    (void)state;
    put(&after, 100, 50);
    put_solid(&after, 96, 61, 0, 0);
    pose_all(places, &map, &after);
    assert_true(places[POSE_SOLIDS].identity != 0);
    after.solids[0].flags = 0;
    pose_all(places, &map, &after);
    assert_true(places[POSE_SOLIDS].identity == 0);
}

static void a_confirmed_rider_is_drawn_on_the_predicted_solid(void **state)
{
    (void)state;
    put_two(&before, 230);
    put_two(&after, 230);
    put_two(&confirmed[0], 200);
    put_two(&confirmed[1], 202);
    put_solid(&after, 220, 61, 0, 0);
    put_solid(&confirmed[0], 196, 61, 0, 0);
    put_solid(&confirmed[1], 198, 61, 0, 0);
    before = after;
    show_two(128);
    assert_int_equal(view.solids[0].x, 220 * 256);
    assert_int_equal(view.actors[1].x, (220 + 4) * 256);      // four pixels from its left, as confirmed
    confirmed[0].actors[1].y = confirmed[1].actors[1].y = 30; // in the air
    show_two(128);
    assert_int_equal(view.actors[1].x, 201 * 256);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(right_after_a_correction_the_old_pose_is_drawn),
        cmocka_unit_test(an_error_fades_in_half_a_second_without_overshoot),
        cmocka_unit_test(a_small_error_is_gone_in_a_few_ticks),
        cmocka_unit_test(errors_add_up),
        cmocka_unit_test(more_than_two_bodies_snap),
        cmocka_unit_test(a_respawned_player_has_no_error),
        cmocka_unit_test(bodies_are_interpolated_between_two_ticks),
        cmocka_unit_test(a_teleported_body_is_not_interpolated),
        cmocka_unit_test(a_rider_shares_the_fraction_of_its_solid),
        cmocka_unit_test(a_rider_stays_on_its_solid_across_the_seam),
        cmocka_unit_test(dead_and_absent_players_have_no_pose),
        cmocka_unit_test(remote_players_are_confirmed_and_the_own_player_is_predicted),
        cmocka_unit_test(arrows_of_remote_players_are_shown_as_confirmed),
        cmocka_unit_test(an_arrow_that_was_not_predicted_is_shown_too),
        cmocka_unit_test(an_absent_solid_has_no_pose),
        cmocka_unit_test(a_confirmed_rider_is_drawn_on_the_predicted_solid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
