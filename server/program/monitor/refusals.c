// SPDX-License-Identifier: MIT
#include "refusals.h"

#include "base/clock.h"
#include "net/household.h"

#define LOOK_NS  CLOCK_SECOND_NS
#define QUIET_NS (10 * CLOCK_SECOND_NS) // after a line

static bool log_joins(const struct net_refusals *now, const struct net_refusals *before, const struct log *log)
{
    char text[HOUSEHOLD_TEXT_BYTES];
    uint64_t own = now->joins_of_household - before->joins_of_household, all = now->joins_of_all - before->joins_of_all;
    if (own + all == 0)
        return false;
    household_text(now->joins_from, text);
    log_event(log, LOG_WARNING,
              &(struct fields){"joins_refused",
                               "{count} joins were dropped: {by_household} of households that join too often, and "
                               "{by_all} because too many do; the last one came from {household}; others still join; "
                               "ban {household} ends it",
                               {{"count", .number = (int64_t)(own + all)},
                                {"by_household", .number = (int64_t)own},
                                {"by_all", .number = (int64_t)all},
                                {"household", .text = text},
                                {"reason", .text = "rate"}}});
    return true;
}

static bool log_queries(const struct net_refusals *now, const struct net_refusals *before, const struct log *log)
{
    char text[HOUSEHOLD_TEXT_BYTES];
    uint64_t own = now->queries_of_household - before->queries_of_household;
    uint64_t all = now->queries_of_all - before->queries_of_all;
    if (own + all == 0)
        return false;
    household_text(now->queries_from, text);
    log_event(log, LOG_WARNING,
              &(struct fields){"queries_refused",
                               "{count} queries of server browsers were dropped: {by_household} of households that ask "
                               "too often, and {by_all} because too many do; the last one came from {household}; "
                               "others still get answers",
                               {{"count", .number = (int64_t)(own + all)},
                                {"by_household", .number = (int64_t)own},
                                {"by_all", .number = (int64_t)all},
                                {"household", .text = text}}});
    return true;
}

static bool log_sessions(const struct net_refusals *now, const struct net_refusals *before, const struct log *log)
{
    char text[HOUSEHOLD_TEXT_BYTES];
    uint64_t count = now->gave_way - before->gave_way;
    if (count == 0)
        return false;
    household_text(now->sessions_of, text);
    log_event(log, LOG_WARNING,
              &(struct fields){"sessions_gave_way",
                               "{count} sessions without a player gave way to newer ones; the last one was of "
                               "{household}, which has too many (--household-players); players stay and others still "
                               "join; ban {household} ends it",
                               {{"count", .number = (int64_t)count}, {"household", .text = text}}});
    return true;
}

static bool log_full(const struct net_refusals *now, const struct net_refusals *before, const struct log *log)
{
    uint64_t count = now->denied[DENIAL_FULL] - before->denied[DENIAL_FULL];
    if (count > 0)
        log_event(log, LOG_WARNING,
                  &(struct fields){"joins_refused",
                                   "{count} joins were refused because every session has a player (--max-players)",
                                   {{"count", .number = (int64_t)count}, {"reason", .text = "full"}}});
    return count > 0;
}

void refusals_log(struct refusals *refusals, const struct transport *transport, const struct log *log, uint64_t now_ns)
{
    struct net_totals totals;
    if (now_ns < refusals->due_ns)
        return;
    transport_totals(transport, &totals);
    const struct net_refusals *now = &totals.refusals, *before = &refusals->logged;
    bool logged = log_joins(now, before, log);
    logged |= log_queries(now, before, log);
    logged |= log_sessions(now, before, log);
    logged |= log_full(now, before, log);
    refusals->logged = *now;
    refusals->due_ns = now_ns + (logged ? QUIET_NS : LOOK_NS);
}
