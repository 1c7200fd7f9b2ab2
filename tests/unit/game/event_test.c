// SPDX-License-Identifier: MIT
// Tests the log of events: which numbers it has after worlds that follow one another, and after gaps.
#include "game/event.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct world world;
static struct event_log event_log;

static int begin(void **state)
{
    (void)state;
    memset(&world, 0, sizeof world);
    memset(&event_log, 0, sizeof event_log);
    return 0;
}

// Each event has its number as its detail.
static void happen(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        event_push(&world, EVENT_JUMP, 0, 0, 0, EVENT_NOBODY, world.event_count);
}

static void expect_from(uint32_t first)
{
    assert_true(first == 0 || event_log_at(&event_log, first - 1) == NULL);
    for (uint32_t number = first; number != world.event_count; number++) {
        const struct event *event = event_log_at(&event_log, number);
        if (!event || event->detail != number)
            fail_msg("event %u", number);
    }
    assert_null(event_log_at(&event_log, world.event_count));
    assert_null(event_log_at(&event_log, world.event_count + 1));
}

static void it_has_all_events_of_worlds_that_follow_one_another(void **state)
{
    (void)state;
    expect_from(0);
    for (int i = 0; i < 10; i++) {
        happen((uint32_t)i * 7);
        event_log_add(&event_log, &world);
        expect_from(0);
    }
    happen(EVENT_CAPACITY);
    event_log_add(&event_log, &world);
    expect_from(0);
}

static void it_keeps_the_last(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) {
        happen(50);
        event_log_add(&event_log, &world);
    }
    expect_from(2000 - EVENT_LOG_CAPACITY);
}

static void more_than_a_world_remembers_is_a_gap(void **state)
{
    (void)state;
    happen(30);
    event_log_add(&event_log, &world);
    happen(EVENT_CAPACITY + 1);
    event_log_add(&event_log, &world);
    expect_from(31);
    happen(5);
    event_log_add(&event_log, &world);
    expect_from(31);
}

static void an_older_world_changes_nothing(void **state)
{
    (void)state;
    static struct world older;
    happen(20);
    older = world;
    older.events[3].detail = 99;
    happen(20);
    event_log_add(&event_log, &world);
    event_log_add(&event_log, &older);
    event_log_add(&event_log, &world);
    expect_from(0);
}

static void numbers_may_wrap(void **state)
{
    (void)state;
    world.event_count = event_log.count = event_log.first = UINT32_MAX - 5;
    happen(20);
    event_log_add(&event_log, &world);
    expect_from(UINT32_MAX - 5);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(it_has_all_events_of_worlds_that_follow_one_another, begin),
        cmocka_unit_test_setup(it_keeps_the_last, begin),
        cmocka_unit_test_setup(more_than_a_world_remembers_is_a_gap, begin),
        cmocka_unit_test_setup(an_older_world_changes_nothing, begin),
        cmocka_unit_test_setup(numbers_may_wrap, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
