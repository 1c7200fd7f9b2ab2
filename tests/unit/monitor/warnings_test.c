// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "monitor/warnings.h"
#include "test.h"

#define SECOND_NS UINT64_C(1000000000)
#define MS_NS     UINT64_C(1000000)
#define HOUSEHOLD ((uint64_t)4 << 56 | 0xC0000207u) // 192.0.2.7
#define SITE      ((uint64_t)7 << 56 | 0x20010DB80001u)

static struct warnings warnings;
static struct net_refusals now;
static struct tick_clock ticks;
static struct tick_stats stats;

static void begin(void)
{
    warnings = (struct warnings){0};
    now = (struct net_refusals){0};
    ticks = (struct tick_clock){0};
    stats = (struct tick_stats){0};
}

EACH_TEST(begin, NULL);

static void totals(const struct transport *transport, struct net_totals *counted)
{
    (void)transport;
    counted->refusals = now;
}

static const struct transport_table table = {.totals = totals};
static const struct transport transport = {&table};

// What is logged at a second, "" if nothing.
static const char *logged_at(uint64_t second)
{
    static char text[4000];
    memset(text, 0, sizeof text);
    struct log log = {.out = fmemopen(text, sizeof text, "w"), .level = LOG_WARNING};
    warnings_log_refusals(&warnings, &transport, &log, second * SECOND_NS);
    warnings_log_stalls(&warnings, &ticks, &stats, &log, second * SECOND_NS);
    fclose(log.out);
    return text;
}

TEST(each_cause_has_a_line_that_says_who_and_what_to_do)
{
    static const struct {
        struct net_refusals now;
        const char *line;
    } rows[] = {
        /* 0 */ {{.joins_of_household = 7, .joins_of_all = 2, .joins_from = HOUSEHOLD},
                 "9 joins were dropped: 7 of households that join too often, and 2 because too many do; the last one "
                 "came from "
                 "192.0.2.7; others still join; ban 192.0.2.7 ends it\n"},
        /* 1 */
        {{.queries_of_household = 3, .queries_of_all = 1, .queries_from = HOUSEHOLD},
         "4 queries of server browsers were dropped: 3 of households that ask too often, and 1 because too many do; "
         "the "
         "last one came from 192.0.2.7; others still get answers\n"},
        /* 2 */
        {{.gave_way = 5, .sessions_of = HOUSEHOLD},
         "5 sessions without a player gave way to newer ones; the last one was of 192.0.2.7, which has too many "
         "(--household-players); players stay and others still join; ban 192.0.2.7 ends it\n"},
        /* 3 */
        {{.denied = {[DENIAL_FULL] = 6}}, "6 joins were refused because every session has a player (--max-players)\n"},
        /* 4 */
        {{.password_waits = 1, .passwords_from = SITE},
         "too many wrong passwords came from 2001:db8:1::/48: the next one is tried after 10 s, further ones after up "
         "to 180 s, at most 490 a day; players who have joined with the password can still join from there; ban "
         "2001:db8:1::/48 ends it\n"},
        /* 5 */
        {{.browsers_gave_way = 7, .browsers_of = HOUSEHOLD},
         "7 browsers without a session gave way to newer ones; the last one was of 192.0.2.7, and its site has most of "
         "them; players stay and others still join; ban 192.0.2.7 ends it\n"},
        /* 6 */
        {{.denied = {[DENIAL_BANNED] = 6, [DENIAL_VERSION] = 1, [DENIAL_PASSWORD] = 2}, .passwords_untried = 2}, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin();
        now = rows[i].now;
        const char *text = logged_at(1);
        if (!strstr(text, rows[i].line) || (*rows[i].line == 0) != (*text == 0))
            fail_msg("row %zu: %s", i, text);
    }
}

TEST(one_line_in_ten_seconds_counts_all_since_the_last)
{
    assert_string_equal(logged_at(1), "");
    now.gave_way = 5;
    assert_non_null(strstr(logged_at(2), "5 sessions"));
    now.gave_way = 8;
    assert_string_equal(logged_at(11), "");
    now.gave_way = 9;
    assert_non_null(strstr(logged_at(12), "4 sessions"));
    assert_string_equal(logged_at(22), "");
    now.gave_way = 10;
    assert_non_null(strstr(logged_at(23), "1 sessions"));
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
        if (warnings_stall_cause(&before, &after, 500 * MS_NS) != rows[i].cause)
            fail_msg("row %zu", i);
    }
}

TEST(stalls_are_logged_with_their_time_at_most_every_ten_seconds)
{
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
    status_count_tick(&stats, 16 * MS_NS);
    assert_string_equal(logged_at(1), "");
    status_count_tick(&stats, 17 * MS_NS);
    status_count_tick(&stats, 30 * MS_NS);
    status_count_tick(&stats, 2 * MS_NS);
    assert_string_equal(logged_at(2),
                        "warning: 2 ticks took longer than the 16.7 ms that they have, the last one 30 ms\n");
    status_count_tick(&stats, 20 * MS_NS);
    assert_string_equal(logged_at(11), "");
    assert_non_null(strstr(logged_at(12), "warning: a tick took 20 ms"));
}
