// SPDX-License-Identifier: MIT
//
// Tests what a receiver counts, acknowledges and forgets. It is a light one, so bodies need not be real snapshots.
#include "core/snapshot_receiver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct snapshot_receiver receiver;

static int begin(void **state)
{
    (void)state;
    memset(&receiver, 0, sizeof receiver);
    snapshot_receiver_begin(&receiver, TICKS_PER_SECOND);
    return 0;
}

static enum snapshot_result take(tick number, tick baseline)
{
    struct snapshot_head head = {.tick = number, .baseline_tick = baseline, .parts = 1};
    return snapshot_receiver_take(&receiver, &head, (const uint8_t *)"body", 4);
}

static void the_newest_snapshot_is_acknowledged(void **state)
{
    (void)state;
    assert_int_equal(take(100, 0), SNAPSHOT_INSERTED);
    assert_int_equal(take(101, 100), SNAPSHOT_INSERTED);
    assert_int_equal(receiver.newest, 101);
    assert_int_equal(receiver.acknowledge, 101);
    assert_int_equal(receiver.counts.received, 2);
    assert_int_equal(receiver.counts.lost, 0);
}

static void a_gap_is_lost_until_it_is_filled(void **state)
{
    (void)state;
    take(100, 0);
    take(104, 100);
    assert_int_equal(receiver.counts.lost, 3);
    assert_int_equal(take(102, 100), SNAPSHOT_INCOMPLETE);
    assert_int_equal(receiver.counts.lost, 2);
    assert_int_equal(take(102, 100), SNAPSHOT_INCOMPLETE); // again: counts once
    assert_int_equal(receiver.counts.lost, 2);
    assert_int_equal(receiver.acknowledge, 104);
}

static void at_half_the_rate_every_second_tick_is_no_gap(void **state)
{
    (void)state;
    snapshot_receiver_begin(&receiver, TICKS_PER_SECOND / 2);
    take(100, 0);
    take(102, 100);
    assert_int_equal(receiver.counts.lost, 0);
    take(106, 102);
    assert_int_equal(receiver.counts.lost, 1);
}

static void a_baseline_that_is_too_old_requests_a_full_snapshot(void **state)
{
    (void)state;
    take(100, 0);
    take(100 + SNAPSHOT_HISTORY_TICKS, 0);
    assert_int_equal(take(101 + SNAPSHOT_HISTORY_TICKS, 100), SNAPSHOT_INCOMPLETE);
    assert_int_equal(receiver.acknowledge, 0);
}

static void a_new_match_keeps_only_the_counts(void **state)
{
    (void)state;
    take(100, 0);
    take(101, 100);
    snapshot_receiver_begin(&receiver, TICKS_PER_SECOND);
    assert_int_equal(receiver.newest, 0);
    assert_int_equal(receiver.acknowledge, 0);
    assert_int_equal(receiver.counts.received, 2);
    assert_int_equal(take(102, 101), SNAPSHOT_INCOMPLETE); // late, from the previous match
    assert_int_equal(receiver.counts.lost, 0);
    assert_int_equal(take(7, 0), SNAPSHOT_INSERTED);
    assert_int_equal(receiver.newest, 7);
    assert_int_equal(receiver.counts.lost, 0);
}

int main(void)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_newest_snapshot_is_acknowledged, begin),
        cmocka_unit_test_setup(a_gap_is_lost_until_it_is_filled, begin),
        cmocka_unit_test_setup(at_half_the_rate_every_second_tick_is_no_gap, begin),
        cmocka_unit_test_setup(a_baseline_that_is_too_old_requests_a_full_snapshot, begin),
        cmocka_unit_test_setup(a_new_match_keeps_only_the_counts, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
