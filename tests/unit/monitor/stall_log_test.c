// SPDX-License-Identifier: MIT
#include <string.h>

#include "monitor/tick_stats.h"
#include "test.h"

#define SECOND_NS UINT64_C(1000000000)
#define MS_NS     UINT64_C(1000000)

TEST(the_cause_is_where_most_of_the_time_went)
{
    static const struct {
        bool is_known;
        uint64_t ran_ms, waited_ms;
        enum stall_cause cause;
    } rows[] = {
        /* 0 */ {false, 900, 0, STALL_UNKNOWN}, /* 1 */ {true, 30, 20, STALL_STOPPED},
        /* 2 */ {true, 260, 20, STALL_WORK},    /* 3 */ {true, 30, 260, STALL_NO_CPU},
        /* 4 */ {true, 260, 260, STALL_NO_CPU},
    };
    struct stall_usage before = {true, 7 * SECOND_NS, 8 * SECOND_NS};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct stall_usage after = {rows[i].is_known, before.ran_ns + rows[i].ran_ms * MS_NS,
                                    before.waited_ns + rows[i].waited_ms * MS_NS};
        if (tick_stats_stall_cause(&before, &after, 500 * MS_NS) != rows[i].cause)
            fail_msg("row %zu", i);
    }
}

static char text[2000];
static struct stall_log stalls;
static struct tick_clock ticks;
static struct tick_stats stats;

static const char *logged_at(uint64_t second)
{
    struct log log = {.out = fmemopen(text, sizeof text, "w"), .level = LOG_WARNING};
    memset(text, 0, sizeof text);
    tick_stats_log_stalls(&stalls, &ticks, &stats, &log, second * SECOND_NS);
    fclose(log.out);
    return text;
}

TEST(stalls_are_logged_with_their_time_at_most_every_ten_seconds)
{
    stalls = (struct stall_log){0};
    ticks = (struct tick_clock){0};
    assert_string_equal(logged_at(1), "");
    ticks.overruns = 1, ticks.skipped = 14; // and four that were caught up on
    assert_non_null(strstr(logged_at(2), "warning: the match stood still for 300 ms: "));
    ticks.overruns = 2, ticks.skipped = 20;
    assert_string_equal(logged_at(3), "");
    ticks.overruns = 3, ticks.skipped = 36;
    assert_string_equal(logged_at(11), "");
    assert_non_null(strstr(logged_at(12), "the match stood still 2 times, 500 ms in all; the last time "));
    assert_string_equal(logged_at(40), "");
}

TEST(slow_ticks_are_logged_apart)
{
    stalls = (struct stall_log){0};
    ticks = (struct tick_clock){0};
    tick_stats_tick(&stats, 16 * MS_NS);
    assert_string_equal(logged_at(1), "");
    tick_stats_tick(&stats, 17 * MS_NS);
    tick_stats_tick(&stats, 30 * MS_NS);
    tick_stats_tick(&stats, 2 * MS_NS);
    assert_string_equal(logged_at(2),
                        "warning: 2 ticks took longer than the 16.7 ms that they have, the last one 30 ms\n");
    tick_stats_tick(&stats, 20 * MS_NS);
    assert_string_equal(logged_at(11), "");
    assert_non_null(strstr(logged_at(12), "warning: a tick took 20 ms"));
}
