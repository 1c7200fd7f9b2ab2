// SPDX-License-Identifier: MIT
//
// Tests what is drawn between two predicted and two confirmed worlds. Worlds are written by hand and never stepped.
#include "core/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct map map;
static struct world before, after, confirmed[2], shown;
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
    assert_int_equal(view.between, 64);
    assert_ptr_equal(view.world, &after);
    assert_ptr_equal(view.map, &map);
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
    assert_int_equal(view.actors[0].y, 50 * 256);
    put(&after, 101, 50);
    after.players[0].generation = 2;
    view_fill(&view, &map, &before, &after, 64, NULL);
    assert_int_equal(view.actors[0].x, 101 * 256);
}

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
    assert_int_equal(view.world->actors[1].x, 204);
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

static void a_confirmed_rider_is_drawn_on_the_predicted_solid(void **state)
{
    (void)state;
    put_two(&before, 230);
    put_two(&after, 230);
    put_two(&confirmed[0], 200);
    put_two(&confirmed[1], 202);
    put_solid(&after, 0, 0, 0, 0); // elsewhere; the second carries
    put_solid(&confirmed[0], 0, 0, 0, 0);
    put_solid(&confirmed[1], 0, 0, 0, 0);
    after.solid_count = confirmed[0].solid_count = confirmed[1].solid_count = 2;
    after.solids[1] = (struct df_solid){220, 71, 32, 8, 0, 0, DF_SOLID_PRESENT};
    confirmed[0].solids[1] = (struct df_solid){196, 61, 32, 8, 0, 0, DF_SOLID_PRESENT};
    confirmed[1].solids[1] = (struct df_solid){198, 61, 32, 8, 0, 0, DF_SOLID_PRESENT};
    before = after;
    show_two(64);
    assert_int_equal(view.solids[1].x, 220 * 256);
    assert_int_equal(view.actors[1].x, (220 + 4) * 256); // four pixels from its left, as confirmed
    assert_int_equal(view.actors[1].y, 60 * 256);
    confirmed[0].actors[1].y = confirmed[1].actors[1].y = 30; // in the air
    show_two(128);
    assert_int_equal(view.actors[1].x, 201 * 256);
    assert_int_equal(view.actors[1].y, 30 * 256);
}

static void players_who_joined_or_left_are_shown_as_confirmed(void **state)
{
    (void)state;
    put_two(&before, 230);
    put_two(&after, 230);
    put_two(&confirmed[0], 200);
    put_two(&confirmed[1], 204);
    before.player_slots = after.player_slots = 1; // the prediction does not have the second player
    show_two(256);
    assert_int_equal(view.world->player_slots, 2);
    assert_int_equal(view.actors[1].x, 204 * 256);
    after.player_slots = before.player_slots = 2;
    confirmed[1].player_slots = 1; // the second had not joined yet
    confirmed[1].players[1].state = PLAYER_ABSENT;
    show_two(256);
    assert_int_equal(view.world->player_slots, 2);
    assert_int_equal(view.world->players[1].state, PLAYER_ABSENT);
}

static void balls_in_both_worlds_are_shown_as_confirmed(void **state)
{
    (void)state;
    put_two(&before, 230);
    put_two(&after, 230);
    put_two(&confirmed[0], 200);
    put_two(&confirmed[1], 204);
    for (uint32_t i = 0; i < 3; i++) {
        int32_t x = 1000 * (int32_t)(i + 1);
        before.balls[i] = after.balls[i] = (struct df_ball){x, x, 4, 0, 0, DF_BALL_ALIVE};
        confirmed[0].balls[i] = (struct df_ball){x + 100, x + 10, 4, 0, 0, DF_BALL_ALIVE};
        confirmed[1].balls[i] = (struct df_ball){x + 200, x + 30, 4, 0, 0, DF_BALL_ALIVE};
    }
    before.ball_count = after.ball_count = 2;
    confirmed[0].ball_count = confirmed[1].ball_count = 2;
    for (uint32_t fewer = 0; fewer < 3; fewer++) {
        after.ball_count = before.ball_count = fewer == 1 ? 1 : 2;
        confirmed[0].ball_count = confirmed[1].ball_count = fewer == 2 ? 1 : 2;
        show_two(128);
        assert_int_equal(view.balls[0].x, 1150);
        assert_int_equal(view.balls[0].y, 1020);
        assert_int_equal(view.world->balls[0].cx, 1200);
        assert_int_equal(view.world->balls[1].cx, fewer == 0 ? 2200 : fewer == 1 ? 0 : 2000);
        assert_int_equal(view.balls[1].x, fewer == 0 ? 2150 : fewer == 1 ? 0 : 2000);
    }
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_interpolated_between_two_ticks),
        cmocka_unit_test(a_teleported_body_is_not_interpolated),
        cmocka_unit_test(remote_players_are_confirmed_and_the_own_player_is_predicted),
        cmocka_unit_test(arrows_of_remote_players_are_shown_as_confirmed),
        cmocka_unit_test(an_arrow_that_was_not_predicted_is_shown_too),
        cmocka_unit_test(a_confirmed_rider_is_drawn_on_the_predicted_solid),
        cmocka_unit_test(players_who_joined_or_left_are_shown_as_confirmed),
        cmocka_unit_test(balls_in_both_worlds_are_shown_as_confirmed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
