// SPDX-License-Identifier: MIT
// Tests the log of events: which numbers it has after worlds that follow one another, and after gaps.
#include "game/state.h"
#include "sync/event_log.h"
#include "test.h"

#include <string.h>

static struct world world;
static struct event_log event_log;

static void begin(void)
{
    memset(&world, 0, sizeof world);
    memset(&event_log, 0, sizeof event_log);
}

EACH_TEST(begin, NULL);

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

TEST(it_has_all_events_of_worlds_that_follow_one_another)
{
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

TEST(it_keeps_the_last)
{
    for (int i = 0; i < 40; i++) {
        happen(50);
        event_log_add(&event_log, &world);
    }
    expect_from(2000 - EVENT_LOG_CAPACITY);
}

TEST(more_than_a_world_remembers_is_a_gap)
{
    happen(30);
    event_log_add(&event_log, &world);
    happen(EVENT_CAPACITY + 1);
    event_log_add(&event_log, &world);
    expect_from(31);
    happen(5);
    event_log_add(&event_log, &world);
    expect_from(31);
}

TEST(an_older_world_changes_nothing)
{
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

TEST(numbers_may_wrap)
{
    world.event_count = event_log.count = event_log.first = UINT32_MAX - 5;
    happen(20);
    event_log_add(&event_log, &world);
    expect_from(UINT32_MAX - 5);
}
