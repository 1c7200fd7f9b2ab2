// SPDX-License-Identifier: MIT
#include "monitor/tick_stats.h"
#include "test.h"

#include <string.h>

#define SECOND_NS UINT64_C(1000000000)
#define MS_NS     UINT64_C(1000000)

TEST(durations_are_read_back_as_permilles)
{
    static struct tick_stats status;
    assert_int_equal(tick_stats_tick_us(&status, 990), 0);
    for (uint32_t i = 0; i < 980; i++)
        tick_stats_tick(&status, 120 * 1000); // the class up to 150 us
    for (uint32_t i = 0; i < 19; i++)
        tick_stats_tick(&status, 1010 * 1000);
    tick_stats_tick(&status, 3000000000u); // beyond all classes
    static const struct {
        uint32_t permille;
        uint64_t us;
    } rows[] = {
        /* 1 */ {1, 150}, /* 2 */ {980, 150}, /* 3 */ {981, 1050}, /* 4 */ {999, 1050}, /* 5 */ {1000, 25600},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (tick_stats_tick_us(&status, rows[i].permille) != rows[i].us)
            fail_msg("row %zu: %u us", i + 1, (unsigned)tick_stats_tick_us(&status, rows[i].permille));
    assert_int_equal(status.tick_ns_max / 1000, 3000000);
}

TEST(no_percentile_exceeds_the_longest_tick)
{
    static struct tick_stats status;
    tick_stats_tick(&status, 7000);
    assert_int_equal(tick_stats_tick_us(&status, 500), 7);
    tick_stats_tick(&status, 120000);
    assert_int_equal(tick_stats_tick_us(&status, 501), 120);
}

static void known_totals(const struct transport *transport, struct net_totals *totals)
{
    (void)transport;
    *totals = (struct net_totals){.bytes_in = 20, .bytes_out = 21, .packets_in = 22, .packets_out = 23, .rejected = 24};
}

TEST(the_log_shows_every_count)
{
    static struct match match;
    static struct tick_stats status;
    char text[600] = "";
    struct transport_table table = {.totals = known_totals};
    struct log log = {.out = fmemopen(text, sizeof text, "w"), .level = LOG_INFO};
    match.transport = &(struct transport){&table};
    match.world.tick = 2;
    match.roster.seat_count = 12;
    for (uint32_t slot = 0; slot < 3; slot++)
        match.roster.seats[slot].kind = SEAT_PLAYER;
    for (uint32_t slot = 3; slot < 7; slot++)
        match.roster.seats[slot].kind = SEAT_BOT;
    match.statistics = (struct match_statistics){.snapshots = 10,
                                                 .snapshot_bytes = 119,
                                                 .bodies_encoded = 12,
                                                 .inputs_late = 13,
                                                 .inputs_missed = 14,
                                                 .full_requests = 15,
                                                 .malformed = 16,
                                                 .unsent = 17,
                                                 .ticks_stood_still = 18};
    tick_stats_tick(&status, 5000);
    tick_stats_tick(&status, 8000);
    tick_stats_log(&status, &match, &(struct tick_clock){.overruns = 9}, &log, LOG_INFO);
    fclose(log.out);
    assert_string_equal(text,
                        "info: tick 2, 3 players, 4 bots; ticks of 6 us on average, p99 8 us, most 8 us, 9 overruns, "
                        "stood still for 18 ticks; in 20 bytes, out 21 bytes; 10 snapshots of 11 bytes, 12 bodies; "
                        "inputs 13 late, 14 missed; "
                        "15 full, 16 malformed, 17 unsent, 24 rejected\n");
}

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
