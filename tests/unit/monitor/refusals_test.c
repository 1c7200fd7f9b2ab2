// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "monitor/refusals.h"
#include "test.h"

#define SECOND_NS ((uint64_t)1000000000)
#define HOUSEHOLD ((uint64_t)4 << 56 | 0xC0000207u) // 192.0.2.7

static struct net_refusals now;

static void totals(const struct transport *transport, struct net_totals *counted)
{
    (void)transport;
    counted->refusals = now;
}

static const struct transport_table table = {.totals = totals};
static const struct transport transport = {&table};

// What is logged at a second, "" if nothing.
static const char *logged_at(struct refusals *refusals, uint64_t second)
{
    static char text[4000];
    memset(text, 0, sizeof text);
    struct log log = {.out = fmemopen(text, sizeof text, "w"), .level = LOG_WARNING};
    refusals_log(refusals, &transport, &log, second * SECOND_NS);
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
        /* 4 */ {{.denied = {[DENIAL_BANNED] = 6, [DENIAL_VERSION] = 1, [DENIAL_PASSWORD] = 2}}, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct refusals refusals = {0};
        now = rows[i].now;
        const char *text = logged_at(&refusals, 1);
        if (!strstr(text, rows[i].line) || (*rows[i].line == 0) != (*text == 0))
            fail_msg("row %zu: %s", i, text);
    }
}

TEST(one_line_in_ten_seconds_counts_all_since_the_last)
{
    struct refusals refusals = {0};
    now = (struct net_refusals){0};
    assert_string_equal(logged_at(&refusals, 1), "");
    now.gave_way = 5;
    assert_non_null(strstr(logged_at(&refusals, 2), "5 sessions"));
    now.gave_way = 8;
    assert_string_equal(logged_at(&refusals, 11), "");
    now.gave_way = 9;
    assert_non_null(strstr(logged_at(&refusals, 12), "4 sessions"));
    assert_string_equal(logged_at(&refusals, 22), "");
    now.gave_way = 10;
    assert_non_null(strstr(logged_at(&refusals, 23), "1 sessions"));
}
