// SPDX-License-Identifier: MIT
//
// Tests what a receiver counts, acknowledges and forgets. It is a light one, so bodies need not be real snapshots.
#include "core/snapshots.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static struct snapshot_receiver receiver;

static void begin(void)
{
    memset(&receiver, 0, sizeof receiver);
    snapshot_receiver_begin(&receiver, TICKS_PER_SECOND);
}

EACH_TEST(begin, NULL);

static enum snapshot_result take(tick number, tick baseline)
{
    struct snapshot_head head = {.tick = number, .baseline_tick = baseline, .parts = 1};
    return snapshot_receiver_take(&receiver, &head, (const uint8_t *)"body", 4);
}

TEST(the_newest_snapshot_is_acknowledged)
{
    assert_int_equal(take(100, 0), SNAPSHOT_INSERTED);
    assert_int_equal(take(101, 100), SNAPSHOT_INSERTED);
    assert_int_equal(receiver.newest, 101);
    assert_int_equal(receiver.acknowledge, 101);
    assert_int_equal(receiver.counts.received, 2);
    assert_int_equal(receiver.counts.lost, 0);
}

TEST(a_gap_is_lost_until_it_is_filled)
{
    take(100, 0);
    take(104, 100);
    assert_int_equal(receiver.counts.lost, 3);
    assert_int_equal(take(102, 100), SNAPSHOT_INCOMPLETE);
    assert_int_equal(receiver.counts.lost, 2);
    assert_int_equal(take(102, 100), SNAPSHOT_INCOMPLETE); // again: counts once
    assert_int_equal(receiver.counts.lost, 2);
    assert_int_equal(receiver.acknowledge, 104);
}

TEST(at_half_the_rate_every_second_tick_is_no_gap)
{
    snapshot_receiver_begin(&receiver, TICKS_PER_SECOND / 2);
    take(100, 0);
    take(102, 100);
    assert_int_equal(receiver.counts.lost, 0);
    take(106, 102);
    assert_int_equal(receiver.counts.lost, 1);
}

TEST(a_snapshot_without_its_baseline_is_lost)
{
    take(100, 0);
    take(100 + SNAPSHOT_HISTORY_TICKS, 0);
    assert_int_equal(take(101 + SNAPSHOT_HISTORY_TICKS, 100), SNAPSHOT_INCOMPLETE);
    assert_int_equal(receiver.counts.lost, SNAPSHOT_HISTORY_TICKS);
    assert_int_equal(receiver.acknowledge, 100 + SNAPSHOT_HISTORY_TICKS);
}

TEST(repeats_follow_the_longest_loss_of_the_last_seconds)
{
    static const struct {
        tick ahead; // of the newest
        uint32_t times, repeats;
    } rows[] = {
        /* 0 */ {1, 299, 0}, // nothing is known of the line yet
        /* 1 */ {1, 1, 2},   // one loss costs nothing
        /* 2 */ {4, 1, 5},   // three were lost
        /* 3 */ {2, 1, 5},   /* 4 */ {1, 293, 5},
        /* 5 */ {1, 300, 5}, // until the next five seconds are over
        /* 6 */ {1, 1, 2},   /* 7 */ {14, 1, 15}, /* 8 */ {15, 1, 0},
    };
    take(100, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (uint32_t times = 0; times < rows[i].times; times++)
            take(receiver.newest + rows[i].ahead, receiver.newest);
        if (snapshot_receiver_repeats(&receiver) != rows[i].repeats)
            fail_msg("row %zu: %u", i, snapshot_receiver_repeats(&receiver));
    }
    snapshot_receiver_begin(&receiver, TICKS_PER_SECOND);
    assert_int_equal(snapshot_receiver_repeats(&receiver), 0);
}

TEST(a_snapshot_without_its_baseline_asks_for_more_repeats)
{
    take(100, 0);
    for (tick number = 101; number <= 1000; number++)
        take(number, number - 1);
    assert_int_equal(snapshot_receiver_repeats(&receiver), 2);
    take(1004, 1002);
    assert_int_equal(receiver.acknowledge, 1000);
    assert_int_equal(snapshot_receiver_repeats(&receiver), 5);
}

TEST(a_new_match_keeps_only_the_counts)
{
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
