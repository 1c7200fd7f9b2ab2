// SPDX-License-Identifier: MIT
#include "core/prediction.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "test_match.h"

static const char *const ROWS[] = {
    "....................", "....................", "..S..............S..", "....................",
    "....................", "....................", "####################", NULL,
};

static struct test_match server;
static struct prediction prediction;

// Two players on the server; the client is in slot 0 and has the server's current world.
static void begin(void)
{
    test_match_draw(&server, ROWS);
    test_match_start(&server);
    test_match_put(&server, 0, 30, 48);
    test_match_put(&server, 1, 120, 48);
    test_match_step(&server, 10);
    memset(&prediction, 0, sizeof prediction);
    prediction.slot = 0;
    prediction_restore(&prediction, &server.map, &server.world);
}

static void push(tick ticks, uint32_t buttons)
{
    for (tick i = 0; i < ticks; i++)
        prediction_push(&prediction, &server.map, prediction.present + 1, (struct player_input){buttons});
}

static void a_right_prediction_costs_nothing(void **state)
{
    (void)state;
    begin();
    push(8, BUTTON_RIGHT);
    test_match_hold(&server, 0, BUTTON_RIGHT);
    for (int i = 0; i < 8; i++) {
        test_match_step(&server, 1);
        assert_true(prediction_confirm(&prediction, &server.map, &server.world));
    }
    assert_memory_equal(prediction_world(&prediction), &server.world, sizeof server.world);
}

static void remote_players_are_predicted_to_hold_their_inputs(void **state)
{
    (void)state;
    begin();
    test_match_hold(&server, 1, BUTTON_LEFT);
    test_match_step(&server, 1);
    assert_false(prediction_confirm(&prediction, &server.map, &server.world));
    prediction_restore(&prediction, &server.map, &server.world);
    push(10, 0);
    test_match_step(&server, 10);
    assert_true(prediction_confirm(&prediction, &server.map, &server.world));
}

// Steps so many ticks in which the other player's buttons are not known. Returns the buttons that were guessed last.
static uint32_t guessed_after(tick ticks, uint32_t buttons)
{
    begin();
    test_match_hold(&server, 1, buttons);
    test_match_step(&server, 1);
    prediction_restore(&prediction, &server.map, &server.world);
    push(ticks, 0);
    return prediction_world(&prediction)->players[1].buttons;
}

static void a_press_is_predicted_to_end_and_a_direction_to_be_held_for_longer(void **state)
{
    (void)state;
    uint32_t held = BUTTON_LEFT | BUTTON_UP, presses = BUTTON_JUMP | BUTTON_DASH | BUTTON_SHOOT;
    assert_int_equal(guessed_after(4, held | presses), held | presses);
    assert_int_equal(guessed_after(5, held | presses), held);
    assert_int_equal(guessed_after(35, held | presses), held);
    assert_int_equal(guessed_after(36, held | presses), 0);
}

static void a_wrong_prediction_is_repeated_with_the_sent_inputs(void **state)
{
    (void)state;
    begin();
    push(3, BUTTON_RIGHT);
    push(5, BUTTON_RIGHT | BUTTON_JUMP);
    test_match_hold(&server, 0, BUTTON_RIGHT);
    test_match_hold(&server, 1, BUTTON_LEFT); // the client cannot know
    test_match_step(&server, 1);
    assert_false(prediction_confirm(&prediction, &server.map, &server.world));
    assert_int_equal(prediction_restore(&prediction, &server.map, &server.world), 7);
    test_match_step(&server, 2);
    test_match_hold(&server, 0, BUTTON_RIGHT | BUTTON_JUMP);
    test_match_step(&server, 5);
    assert_memory_equal(prediction_world(&prediction), &server.world, sizeof server.world);
}

static void one_wrong_word_is_noticed(void **state)
{
    (void)state;
    begin();
    push(4, 0);
    test_match_step(&server, 1);
    server.world.random ^= 1;
    assert_false(prediction_confirm(&prediction, &server.map, &server.world));
    server.world.random ^= 1;
    server.world.actors[1].rem_x ^= 1;
    assert_false(prediction_confirm(&prediction, &server.map, &server.world));
    server.world.actors[1].rem_x ^= 1;
    assert_true(prediction_confirm(&prediction, &server.map, &server.world));
}

static void a_prediction_reaches_at_most_a_second_ahead(void **state)
{
    (void)state;
    begin();
    push(100, 0);
    test_match_step(&server, 30);
    assert_true(prediction_confirm(&prediction, &server.map, &server.world));
    assert_int_equal(prediction_world(&prediction)->tick, server.world.tick + PREDICTION_TICKS_MAX);
}

static void without_snapshots_prediction_stops_after_a_second(void **state)
{
    (void)state;
    begin();
    tick first = server.world.tick;
    push(200, BUTTON_RIGHT);
    assert_int_equal(prediction_world(&prediction)->tick, first + PREDICTION_TICKS_MAX);
    test_match_hold(&server, 0, BUTTON_RIGHT);
    test_match_step(&server, 195);
    assert_false(prediction_confirm(&prediction, &server.map, &server.world));
    assert_int_equal(prediction_restore(&prediction, &server.map, &server.world), 5);
    assert_int_equal(prediction_world(&prediction)->tick, first + 200);
}

static void skipped_ticks_use_the_input_of_the_tick_after_them(void **state)
{
    (void)state;
    begin();
    prediction_push(&prediction, &server.map, prediction.present + 6, (struct player_input){BUTTON_LEFT});
    test_match_hold(&server, 0, BUTTON_LEFT);
    test_match_step(&server, 6);
    assert_true(prediction_confirm(&prediction, &server.map, &server.world));
}

static void a_world_ahead_of_the_present_becomes_the_present(void **state)
{
    (void)state;
    begin();
    test_match_step(&server, 90);
    assert_false(prediction_confirm(&prediction, &server.map, &server.world));
    assert_int_equal(prediction_restore(&prediction, &server.map, &server.world), 0);
    assert_int_equal(prediction_world(&prediction)->tick, server.world.tick);
    assert_ptr_equal(prediction_world_before(&prediction), prediction_world(&prediction));
    push(1, 0);
    assert_int_equal(prediction_world_before(&prediction)->tick, server.world.tick);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(a_right_prediction_costs_nothing),
        cmocka_unit_test(remote_players_are_predicted_to_hold_their_inputs),
        cmocka_unit_test(a_press_is_predicted_to_end_and_a_direction_to_be_held_for_longer),
        cmocka_unit_test(a_wrong_prediction_is_repeated_with_the_sent_inputs),
        cmocka_unit_test(one_wrong_word_is_noticed),
        cmocka_unit_test(a_prediction_reaches_at_most_a_second_ahead),
        cmocka_unit_test(without_snapshots_prediction_stops_after_a_second),
        cmocka_unit_test(skipped_ticks_use_the_input_of_the_tick_after_them),
        cmocka_unit_test(a_world_ahead_of_the_present_becomes_the_present),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
