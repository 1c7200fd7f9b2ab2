// SPDX-License-Identifier: MIT
//
// Tests what a client makes of snapshots: worlds, predictions, inputs, views, and successive matches.
#include "core/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scripted_server.h"
#include "sync/world.h"
#include "test.h"

EACH_TEST(begin, finish);

TEST(a_snapshot_is_decoded_from_the_baseline_it_names)
{
    let_in();
    say_snapshot(103, 100, 0, 0);
    say_snapshot(104, 100, 0, 0);
    say_snapshot(108, 103, 0, 0);
    assert_memory_equal(client_world_confirmed(client), &worlds[108], sizeof(struct world));
    assert_int_equal(counted().snapshots, 4);
    assert_int_equal(counted().snapshots_lost, 5);
    assert_int_equal(counted().desyncs, 0);
    assert_int_equal(tick_once(0)->snapshot_tick, 108);
}

TEST(a_late_snapshot_is_not_counted_as_lost_and_changes_nothing)
{
    static const struct {
        tick number, baseline;
        uint32_t spoilt, snapshots, lost, desyncs;
    } rows[] = {
        /*  1 */ {105, 100, 0, 2, 4, 0},
        /*  2 */ {103, 100, 0, 3, 3, 0},
        /*  3 */ {103, 100, 0, 3, 3, 0}, // twice
        /*  4 */ {105, 100, 0, 3, 3, 0},
        /*  5 */ {104, 103, 0, 4, 2, 0}, // from one that was overtaken, too
        /*  6 */ {102, 100, 1, 4, 2, 1}, // another world: a bug, but harmless
        /*  7 */ {102, 101, 0, 5, 1, 1}, // from one that never came, but has been stepped
        /*  8 */ {99, 98, 0, 5, 1, 1},   // before the first
        /*  9 */ {107, 106, 0, 5, 2, 1}, // its baseline is not held
    };
    let_in();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        say_snapshot(rows[i].number, rows[i].baseline, rows[i].spoilt, 0);
        if (counted().snapshots != rows[i].snapshots || counted().snapshots_lost != rows[i].lost ||
            counted().desyncs != rows[i].desyncs)
            fail_msg("row %zu: %u snapshots, %u lost, %u desyncs", i + 1, counted().snapshots, counted().snapshots_lost,
                     counted().desyncs);
        assert_memory_equal(client_world_confirmed(client), &worlds[105], sizeof(struct world));
        assert_int_equal(tick_once(0)->snapshot_tick, 105);
    }
}

TEST(a_desync_is_counted_and_a_full_snapshot_requested)
{
    let_in();
    say_snapshot(101, 100, 1, 0);
    assert_int_equal(counted().desyncs, 1);
    assert_int_equal(client_world(client)->tick, 100);
    assert_int_equal(tick_once(0)->snapshot_tick, 0);
    say_snapshot(102, 101, 0, 0); // the bad world is no baseline
    assert_int_equal(tick_once(0)->snapshot_tick, 0);
    say_snapshot(103, 0, 0, 0);
    assert_int_equal(tick_once(0)->snapshot_tick, 103);
    assert_int_equal(counted().desyncs, 1);
}

TEST(without_its_baseline_a_snapshot_changes_nothing)
{
    let_in();
    say_snapshot(162, 150, 0, 0); // never had
    assert_int_equal(counted().snapshots, 1);
    assert_int_equal(tick_once(0)->snapshot_tick, 100);
    say_snapshot(164, 100, 0, 0); // would be written over its own baseline: a bug
    assert_int_equal(counted().snapshots, 1);
    assert_int_equal(tick_once(0)->snapshot_tick, 0);
    say_snapshot(168, 0, 0, 0);
    assert_int_equal(tick_once(0)->snapshot_tick, 168);
    assert_int_equal(counted().desyncs, 0);
}

TEST(inputs_are_repeated_until_they_are_confirmed)
{
    let_in();
    const struct input_message *batch = tick_once(BUTTON_LEFT);
    tick first = batch->newest_tick;
    assert_int_equal(batch->count, 1); // there are no older inputs
    tick_once(BUTTON_RIGHT);
    batch = tick_once(BUTTON_JUMP);
    assert_int_equal(batch->newest_tick, first + 2);
    assert_int_equal(batch->count, 3);
    assert_int_equal(batch->inputs[0].of[0].buttons, BUTTON_LEFT);
    assert_int_equal(batch->inputs[1].of[0].buttons, BUTTON_RIGHT);
    assert_int_equal(batch->inputs[2].of[0].buttons, BUTTON_JUMP);
    say_snapshot(101, 100, 0, first + 1);
    batch = tick_once(BUTTON_DASH);
    assert_int_equal(batch->count, 2);
    assert_int_equal(batch->inputs[0].of[0].buttons, BUTTON_JUMP);
    for (int i = 0; i < 40; i++)
        batch = tick_once(i % 2 ? BUTTON_LEFT : 0);
    assert_int_equal(batch->count, INPUT_BATCH_CAPACITY);
}

TEST(inputs_that_the_server_skipped_are_not_repeated)
{
    let_in();
    tick first = tick_once(0)->newest_tick;
    for (int i = 0; i < 9; i++)
        tick_once(0);
    say_snapshot(first + 5, 100, 0, 0); // it went on without them
    assert_int_equal(tick_once(0)->count, 5);
}

TEST(a_wrong_prediction_is_counted_and_corrected)
{
    let_in();
    tick newest = tick_once(0)->newest_tick + 3;
    for (int i = 0; i < 5; i++)
        tick_once(0);
    for (tick i = 101; i <= newest; i++)
        say_snapshot(i, i - 1, 0, 0);
    assert_true(counted().resimulations > 0); // player 1 jumps now and then
    uint32_t before = counted().corrections;
    worlds[newest + 1].actors[0].x += 2;
    say_snapshot(newest + 1, 0, 0, 0);
    assert_int_equal(counted().corrections, before + 1);
    assert_int_equal(counted().prediction_error_subpx, 2 * 256);
    static struct view view;
    assert_true(client_view(client, now_us, &view));
    assert_int_equal(client_world(client)->actors[0].x, worlds[newest + 1].actors[0].x);
    assert_int_equal(view.actors[0].x, (worlds[newest + 1].actors[0].x - 2) * 256); // drawn where it was
    for (int i = 0; i < 10; i++)
        tick_once(0);
    assert_true(client_view(client, client_next_tick_us(client), &view));
    assert_int_equal(view.actors[0].x, client_world(client)->actors[0].x * 256);
}

TEST(events_from_before_the_join_are_not_shown)
{
    static struct view view;
    let_in();
    assert_true(worlds[100].event_count > 0);
    tick_once(0);
    assert_true(client_view(client, now_us, &view));
    for (uint32_t i = 0; i < view.event_count; i++)
        assert_true(view.events[i].tick > 100);
}

TEST(a_second_welcome_begins_a_new_match)
{
    let_in();
    tick_once(0);
    heard_count = 0;
    say(welcome_at(150)); // the map is held: no parts
    assert_int_equal(client_state(client), CLIENT_JOINING);
    assert_int_equal(heard[0].kind, MESSAGE_READY);
    assert_int_equal(heard[0].as.ready, 150);
    say_snapshot(160, 0, 0, 0);
    assert_int_equal(client_state(client), CLIENT_PLAYING);
    assert_int_equal(client_world(client)->tick, 160);
    assert_in_range(tick_once(0)->newest_tick, 161, 170);
}

TEST(a_second_welcome_clears_the_smoothing_of_the_first_match)
{
    static struct view view;
    let_in();
    tick newest = tick_once(0)->newest_tick;
    for (tick i = 101; i <= newest; i++)
        say_snapshot(i, i - 1, 0, 0);
    worlds[newest + 1].actors[0].x += 2;
    say_snapshot(newest + 1, 0, 0, 0);
    assert_true(client_view(client, now_us, &view));
    assert_int_equal(view.actors[0].x, (client_world(client)->actors[0].x - 2) * 256);
    say(welcome_at(150));
    say_snapshot(160, 0, 0, 0);
    assert_true(client_view(client, now_us, &view));
    assert_int_equal(view.actors[0].x, client_world(client)->actors[0].x * 256);
    assert_int_equal(view.event_count, 0); // none of the first match
}

// What a client shows and sends in forty ticks of a match that begins with a WELCOME at tick 99, in both kinds of view.
static uint64_t second_match(void)
{
    static struct view view;
    uint64_t trace = UINT64_C(0xcbf29ce484222325);
    heard_count = 0;
    say((struct message){.kind = MESSAGE_SEATS, .as.seats.seats.of[0] = 1});
    say(welcome());
    if (!client_map(client))
        say(part(0, blob_bytes));
    uint64_t begun_us = now_us;
    say_snapshot(100, 0, 0, 0);
    for (tick i = 0; i < 40; i++) {
        const struct input_message *input = tick_once(i % 4 ? BUTTON_RIGHT : 0);
        uint64_t said[] = {input->newest_tick, input->count, now_us - begun_us, client_state(client)};
        for (size_t k = 0; k < sizeof said / sizeof *said; k++)
            trace = (trace ^ said[k]) * UINT64_C(0x100000001b3);
        say_snapshot(101 + i, 100 + i, 0, i > 10 ? input->newest_tick : 0);
        view.kind = i % 2 ? VIEW_INTERPOLATED : VIEW_PREDICTED;
        assert_true(client_view(client, now_us, &view));
        uint64_t shown[] = {(uint32_t)view.actors[0].x, (uint32_t)view.actors[0].y, (uint32_t)view.actors[1].x,
                            (uint32_t)view.actors[1].y, view.event_count,           view.between};
        for (size_t k = 0; k < sizeof shown / sizeof *shown; k++)
            trace = (trace ^ shown[k]) * UINT64_C(0x100000001b3);
    }
    return trace;
}

TEST(a_second_match_is_shown_as_if_it_were_the_first)
{
    static struct view view = {.kind = VIEW_INTERPOLATED};
    let_in();
    for (tick i = 101; i < 150; i++) { // late, wrong, with others on the way
        tick_once(i % 3 ? BUTTON_LEFT : BUTTON_JUMP);
        pass_ms(i % 7);
        say_snapshot(i, i - 1, 0, i % 2 ? i - 1 : 0);
        client_view(client, now_us, &view);
    }
    say_snapshot(190, 0, 0, 0);
    uint64_t after_another = second_match();
    finish();
    begin();
    assert_int_equal(second_match(), after_another);
}

TEST(a_snapshot_of_the_previous_match_delays_nothing)
{
    let_in();
    say(welcome_at(150));
    say_snapshot(150, 100, 0, 0); // overtaken by the second WELCOME
    say_snapshot(149, 0, 0, 0);   // a full one as well
    assert_int_equal(client_state(client), CLIENT_JOINING);
    say_snapshot(160, 0, 0, 0);
    assert_int_equal(client_world(client)->tick, 160);
    say_snapshot(148, 101, 0, 0); // overtaken by more
    say_snapshot(161, 160, 0, 0);
    assert_int_equal(client_world_confirmed(client)->tick, 161);
    assert_int_equal(counted().desyncs, 0);
}

TEST(a_view_tells_its_fraction_between_two_ticks)
{
    static struct view view;
    let_in();
    tick_once(0);
    uint64_t due_us = client_next_tick_us(client);
    assert_true(client_view(client, due_us - 16667, &view));
    assert_in_range(view.between, 0, 1);
    assert_true(client_view(client, due_us - 16667 / 4, &view));
    assert_in_range(view.between, 190, 194);
}

// Plays until the prediction is confirmed up to a tick, and returns it. The client's player stands and holds nothing.
static tick confirm_prediction(void)
{
    tick newest = tick_once(0)->newest_tick;
    for (tick i = 101; i <= newest; i++)
        say_snapshot(i, i - 1, 0, 0);
    return newest;
}

TEST(a_correction_is_as_large_as_the_larger_of_its_axes)
{
    static const struct {
        int32_t x, y, rem_x, rem_y;
        uint32_t deaths, error_subpx;
    } rows[] = {
        /* 0 */ {2, 0, 0, 0, 0, 512},    /* 1 */ {-2, 0, 0, 0, 0, 512},  /* 2 */ {0, -3, 0, 0, 0, 768},
        /* 3 */ {1, -3, 0, 0, 0, 768},   /* 4 */ {-3, -1, 0, 0, 0, 768}, /* 5 */ {0, 0, 7, 0, 0, 7},
        /* 6 */ {0, -1, 0, 100, 0, 156}, /* 7 */ {2, 0, 0, 0, 1, 0}, // another life
        /* 8 */ {0, 0, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        let_in();
        tick next = confirm_prediction() + 1;
        struct df_actor *actor = &worlds[next].actors[0];
        actor->x += rows[i].x;
        actor->y += rows[i].y;
        actor->rem_x += rows[i].rem_x;
        actor->rem_y += rows[i].rem_y;
        worlds[next].players[0].stats.deaths += rows[i].deaths;
        worlds[next].random ^= 1; // a wrong prediction in any case
        tick_once(0);
        struct client_statistics before = counted();
        say_snapshot(next, 0, 0, 0);
        if (counted().prediction_error_subpx != rows[i].error_subpx)
            fail_msg("row %zu: %u", i, counted().prediction_error_subpx);
        assert_int_equal(counted().corrections - before.corrections, rows[i].error_subpx != 0);
        assert_int_equal(counted().resimulations - before.resimulations, 1);
        finish();
        begin();
    }
}

TEST(after_a_right_prediction_there_is_no_error)
{
    static struct player_input inputs[PLAYER_CAPACITY];
    let_in();
    tick next = confirm_prediction() + 1;
    worlds[next].actors[0].x += 2;
    tick_once(0);
    tick_once(0);
    say_snapshot(next, 0, 0, 0);
    assert_int_equal(counted().prediction_error_subpx, 512);
    uint32_t resimulations = counted().resimulations;
    world_copy(&worlds[next + 1], &worlds[next]);
    inputs[1].buttons = worlds[next].players[1].buttons;
    world_step(&worlds[next + 1], &match.map, inputs);
    say_snapshot(next + 1, 0, 0, 0);
    assert_int_equal(counted().resimulations, resimulations);
    assert_int_equal(counted().prediction_error_subpx, 0);
}

TEST(actions_of_the_own_player_are_shown_at_once)
{
    static struct view view;
    let_in();
    tick_once(BUTTON_JUMP);
    assert_true(client_view(client, now_us, &view));
    uint32_t jumps = 0;
    for (uint32_t i = 0; i < view.event_count; i++)
        jumps += view.events[i].kind == EVENT_JUMP && view.events[i].subject == 0;
    assert_int_equal(jumps, 1);
}

TEST(inputs_that_come_too_late_move_the_clock)
{
    static const struct {
        tick input_tick;
        uint64_t sooner_us;
    } rows[] = {{122, 16666}, {123, 0}}; // eight ticks without an input in time, or seven
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        let_in();
        for (int k = 0; k < 45; k++)
            tick_once(0);
        uint64_t due_us = client_next_tick_us(client);
        say_snapshot_with((struct snapshot_head){
            .tick = 130, .baseline_tick = 100, .input_tick = rows[i].input_tick, .margin_quarter_ticks = -8});
        if (due_us - client_next_tick_us(client) - rows[i].sooner_us > 1)
            fail_msg("row %zu: %llu us", i, (unsigned long long)(due_us - client_next_tick_us(client)));
        finish();
        begin();
    }
}
