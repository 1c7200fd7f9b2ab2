// SPDX-License-Identifier: MIT
//
// Tests the delay with which remote players are drawn, with made-up arrivals in virtual time.
#include "core/remote_players.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct remote_players remote;
static tick newest;
static uint64_t now_us;

static uint64_t tick_us(tick number)
{
    return 1000000 + (uint64_t)number * 1000000 / 60;
}

static void begin(void)
{
    memset(&remote, 0, sizeof remote);
    newest = 100;
}

// Each tick arrives this long after its time.
static void arrive(uint32_t ticks, uint32_t late_us)
{
    for (; ticks > 0; ticks--) {
        newest++;
        now_us = tick_us(newest) + late_us;
        remote_players_arrived(&remote, newest, now_us);
    }
}

// How long after its time a tick is drawn, in 1/256 tick.
static int32_t drawn_late(uint64_t at_us)
{
    struct interpolation_moment moment = remote_players_moment(&remote, at_us);
    int32_t now = (int32_t)((at_us - 1000000) * 60 * 256 / 1000000);
    return now - (int32_t)(moment.tick * 256 + moment.between);
}

static void steady_snapshots_are_drawn_a_tick_and_a_half_late(void **state)
{
    (void)state;
    begin();
    arrive(300, 20000);
    assert_in_range(drawn_late(now_us), 307 + 384 - 2, 307 + 384 + 2); // 20 ms and 1.5 ticks
}

static void a_late_snapshot_in_fifty_is_not_waited_for(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 10; i++) {
        arrive(99, 20000);
        arrive(1, 60000);
    }
    assert_in_range(drawn_late(now_us), 307 + 384 - 2, 307 + 384 + 2);
}

static void a_late_snapshot_in_twenty_is_waited_for(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 40; i++) {
        arrive(19, 20000);
        arrive(1, 36667); // a tick late
    }
    assert_in_range(drawn_late(now_us), 307 + 512 - 2, 307 + 512 + 2);
}

static void a_skipped_snapshot_counts_as_late(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++) {
        newest += 2; // 20 snapshots a second
        arrive(1, 20000);
    }
    assert_in_range(drawn_late(now_us), 307 + 768 - 3, 307 + 768 + 3);
}

static void the_delay_is_at_most_twelve_ticks(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 20; i++) {
        arrive(10, 20000);
        arrive(1, 500000);
    }
    assert_in_range(drawn_late(now_us), 307 + 12 * 256 - 2, 307 + 12 * 256 + 2);
}

static void while_the_delay_grows_time_stops_and_never_goes_back(void **state)
{
    (void)state;
    begin();
    arrive(300, 20000);
    arrive(4, 70000);
    struct interpolation_moment before = remote_players_moment(&remote, now_us);
    arrive(1, 70000); // one too many to be outliers
    struct interpolation_moment after = remote_players_moment(&remote, now_us);
    assert_true((int32_t)(after.tick * 256 + after.between - before.tick * 256 - before.between) >= 0);
    arrive(9, 70000);
    assert_in_range(drawn_late(now_us), 307 + 4 * 256 - 2, 307 + 4 * 256 + 2); // 50 ms more: three ticks
}

static void while_the_delay_shrinks_time_runs_two_percent_faster(void **state)
{
    (void)state;
    begin();
    arrive(300, 70000);
    arrive(230, 20000);
    int32_t late = drawn_late(now_us);
    assert_in_range(late, 307 + 1024 - 2, 307 + 1024 + 2); // the late ones are not forgotten yet
    arrive(50, 20000);
    assert_in_range(late - drawn_late(now_us), 254, 258); // a tick in fifty
}

static void a_blackout_does_not_count_as_late(void **state)
{
    (void)state;
    begin();
    arrive(300, 20000);
    newest += 180;
    arrive(5, 20000);
    assert_in_range(drawn_late(now_us), 307 + 384 - 2, 307 + 384 + 2);
}

static void an_older_snapshot_changes_nothing(void **state)
{
    (void)state;
    begin();
    arrive(10, 20000);
    struct interpolation before = remote.interpolation;
    remote_players_arrived(&remote, newest, now_us + 90000);
    remote_players_arrived(&remote, newest - 3, now_us + 90000);
    assert_memory_equal(&before, &remote.interpolation, sizeof before);
}

static void ticks_may_wrap(void **state)
{
    (void)state;
    begin();
    newest = UINT32_MAX - 60;
    for (uint64_t i = 0; i < 120; i++)
        remote_players_arrived(&remote, ++newest, now_us = 1000000 + i * 1000000 / 60);
    struct interpolation_moment moment = remote_players_moment(&remote, now_us);
    assert_int_equal(newest, 59);
    assert_int_equal(moment.tick, 57);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_snapshots_are_drawn_a_tick_and_a_half_late),
        cmocka_unit_test(a_late_snapshot_in_fifty_is_not_waited_for),
        cmocka_unit_test(a_late_snapshot_in_twenty_is_waited_for),
        cmocka_unit_test(a_skipped_snapshot_counts_as_late),
        cmocka_unit_test(the_delay_is_at_most_twelve_ticks),
        cmocka_unit_test(while_the_delay_grows_time_stops_and_never_goes_back),
        cmocka_unit_test(while_the_delay_shrinks_time_runs_two_percent_faster),
        cmocka_unit_test(a_blackout_does_not_count_as_late),
        cmocka_unit_test(an_older_snapshot_changes_nothing),
        cmocka_unit_test(ticks_may_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
