// SPDX-License-Identifier: MIT
#include "core/view_events.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct view_events view_events;
static struct world world;
static struct view view;

static void add(enum event_kind kind, tick when, uint32_t subject, uint32_t detail)
{
    world.events[world.event_count++ % EVENT_CAPACITY] =
        (struct event){.kind = kind, .tick = when, .subject = subject, .other = EVENT_NOBODY, .detail = detail};
}

static int begin(void **state)
{
    (void)state;
    memset(&view_events, 0, sizeof view_events);
    memset(&world, 0, sizeof world);
    return 0;
}

static uint32_t drained_count(tick since)
{
    view_events_collect(&view_events, &world, since);
    view_events_drain(&view_events, &view, UINT32_MAX / 2);
    return view.event_count;
}

static void an_event_is_shown_once(void **state)
{
    (void)state;
    add(EVENT_JUMP, 10, 3, 0);
    assert_int_equal(drained_count(0), 1);
    assert_int_equal(view.events[0].subject, 3);
    assert_int_equal(drained_count(0), 0);
}

static void a_predicted_event_is_not_shown_again_when_confirmed(void **state)
{
    (void)state;
    add(EVENT_LAND, 10, 3, 400);
    assert_int_equal(drained_count(0), 1);
    world.event_count = 0;
    add(EVENT_LAND, 13, 3, 380);
    assert_int_equal(drained_count(0), 0);
    world.event_count = 0;
    add(EVENT_LAND, 10 + VIEW_EVENTS_SAME_TICKS + 1, 3, 380);
    assert_int_equal(drained_count(0), 1);
}

static void an_unpredicted_event_is_shown_late(void **state)
{
    (void)state;
    add(EVENT_JUMP, 20, 1, 0);
    assert_int_equal(drained_count(0), 1);
    world.event_count = 0;
    add(EVENT_SHOOT, 18, 2, 0);
    add(EVENT_JUMP, 20, 1, 0);
    assert_int_equal(drained_count(0), 1);
    assert_int_equal(view.events[0].kind, EVENT_SHOOT);
}

static void two_equal_events_in_a_tick_are_shown_twice(void **state)
{
    (void)state;
    add(EVENT_BOUNCE, 10, EVENT_NOBODY, 0);
    assert_int_equal(drained_count(0), 1);
    add(EVENT_BOUNCE, 12, EVENT_NOBODY, 0);
    assert_int_equal(drained_count(0), 1);
    assert_int_equal(drained_count(0), 0);
}

static void events_with_another_player_or_kind_are_different(void **state)
{
    (void)state;
    add(EVENT_JUMP, 10, 1, 0);
    add(EVENT_JUMP, 10, 2, 0);
    add(EVENT_DASH, 10, 1, 0);
    add(EVENT_JUMP, 10, 1, 1);
    assert_int_equal(drained_count(0), 4);
}

static void the_same_event_is_at_most_six_ticks_away(void **state)
{
    static const struct {
        tick first, second;
        uint32_t shown;
    } rows[] = {{20, 26, 1}, {20, 27, 2}, {26, 20, 1}, {27, 20, 2}, {20, 20, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(state);
        add(EVENT_JUMP, rows[i].first, 3, 0);
        uint32_t shown = drained_count(0);
        world.event_count = 0;
        add(EVENT_JUMP, rows[i].second, 3, 0);
        if (shown + drained_count(0) != rows[i].shown)
            fail_msg("row %zu", i);
    }
}

// Two events differ by their positions if something breaks, never if they are landings, and by their details otherwise.
static void each_kind_of_event_is_compared_by_its_own_fields(void **state)
{
    static const struct {
        enum event_kind kind;
        bool by_place, by_detail;
    } rows[] = {{EVENT_BREAK, true, false},  {EVENT_EXPLODE, true, false}, {EVENT_DRILL, true, false},
                {EVENT_RETURN, true, false}, {EVENT_LAND, false, false},   {EVENT_JUMP, false, true},
                {EVENT_SHOOT, false, true},  {EVENT_DASH, false, true},    {EVENT_BOUNCE, false, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint32_t change = 0; change < 4; change++) {
            begin(state);
            struct event event = {
                .kind = rows[i].kind, .tick = 20, .subject = 1, .other = 2, .detail = 3, .x = 4, .y = 5};
            world.events[world.event_count++] = event;
            assert_int_equal(drained_count(0), 1);
            event.x += change == 0;
            event.y += change == 1;
            event.detail += change == 2;
            event.other += change == 3;
            world.events[0] = event;
            bool other = change == 3 || (change == 2 ? rows[i].by_detail : rows[i].by_place);
            if (drained_count(0) != other)
                fail_msg("row %zu, change %u", i, change);
        }
    }
}

static void each_collected_event_confirms_only_one(void **state)
{
    (void)state;
    add(EVENT_BOUNCE, 10, EVENT_NOBODY, 0);
    add(EVENT_BOUNCE, 10, EVENT_NOBODY, 0);
    add(EVENT_BOUNCE, 11, EVENT_NOBODY, 0);
    assert_int_equal(drained_count(0), 3); // all new, though alike
    assert_int_equal(drained_count(0), 0);
}

static void events_before_the_join_are_not_shown(void **state)
{
    (void)state;
    add(EVENT_JUMP, 99, 1, 0);
    add(EVENT_JUMP, 100, 2, 0);
    add(EVENT_JUMP, 101, 3, 0);
    assert_int_equal(drained_count(100), 1);
    assert_int_equal(view.events[0].subject, 3);
}

static void events_of_remote_players_are_shown_with_their_tick(void **state)
{
    (void)state;
    view.slot = 3;
    add(EVENT_JUMP, 20, 1, 0);
    add(EVENT_JUMP, 20, 3, 0);
    add(EVENT_JUMP, 12, 2, 0);
    view_events_collect(&view_events, &world, 0);
    view_events_drain(&view_events, &view, 12);
    assert_int_equal(view.event_count, 2);
    assert_int_equal(view.events[0].subject, 3);
    assert_int_equal(view.events[1].subject, 2);
    view_events_drain(&view_events, &view, 19);
    assert_int_equal(view.event_count, 0);
    view_events_drain(&view_events, &view, 20);
    assert_int_equal(view.event_count, 1);
    assert_int_equal(view.events[0].subject, 1);
}

static void each_of_many_events_is_shown_once(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3 * VIEW_EVENTS_REMEMBERED; i++) {
        add(EVENT_JUMP, 10 + 10 * i, i % 7, 0);
        assert_int_equal(drained_count(0), 1);
        assert_int_equal(view.events[0].tick, 10 + 10 * i);
        assert_int_equal(drained_count(0), 0);
    }
}

static void a_flood_of_events_overflows_nothing(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 5000; i++) {
        add(EVENT_JUMP, 10 + i, i % 7, 0);
        if (i % 3 == 0)
            view_events_collect(&view_events, &world, 0);
    }
    view_events_drain(&view_events, &view, UINT32_MAX / 2);
    assert_int_equal(view.event_count, VIEW_EVENT_CAPACITY);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(an_event_is_shown_once, begin),
        cmocka_unit_test_setup(a_predicted_event_is_not_shown_again_when_confirmed, begin),
        cmocka_unit_test_setup(an_unpredicted_event_is_shown_late, begin),
        cmocka_unit_test_setup(two_equal_events_in_a_tick_are_shown_twice, begin),
        cmocka_unit_test_setup(events_with_another_player_or_kind_are_different, begin),
        cmocka_unit_test_setup(the_same_event_is_at_most_six_ticks_away, begin),
        cmocka_unit_test_setup(each_kind_of_event_is_compared_by_its_own_fields, begin),
        cmocka_unit_test_setup(each_collected_event_confirms_only_one, begin),
        cmocka_unit_test_setup(events_before_the_join_are_not_shown, begin),
        cmocka_unit_test_setup(events_of_remote_players_are_shown_with_their_tick, begin),
        cmocka_unit_test_setup(each_of_many_events_is_shown_once, begin),
        cmocka_unit_test_setup(a_flood_of_events_overflows_nothing, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
