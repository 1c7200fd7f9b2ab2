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
    log_write(log, LOG_WARNING,
              "%llu joins were dropped: %llu of households that join too often, and %llu because too many do; the last "
              "one came from %s; others still join; ban %s ends it",
              (unsigned long long)(own + all), (unsigned long long)own, (unsigned long long)all, text, text);
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
    log_write(log, LOG_WARNING,
              "%llu queries of server browsers were dropped: %llu of households that ask too often, and %llu because "
              "too many do; the last one came from %s; others still get answers",
              (unsigned long long)(own + all), (unsigned long long)own, (unsigned long long)all, text);
    return true;
}

static bool log_sessions(const struct net_refusals *now, const struct net_refusals *before, const struct log *log)
{
    char text[HOUSEHOLD_TEXT_BYTES];
    uint64_t count = now->gave_way - before->gave_way;
    if (count == 0)
        return false;
    household_text(now->sessions_of, text);
    log_write(log, LOG_WARNING,
              "%llu sessions without a player gave way to newer ones; the last one was of %s, which has too many "
              "(--household-players); players stay and others still join; ban %s ends it",
              (unsigned long long)count, text, text);
    return true;
}

static bool log_full(const struct net_refusals *now, const struct net_refusals *before, const struct log *log)
{
    uint64_t count = now->denied[DENIAL_FULL] - before->denied[DENIAL_FULL];
    if (count > 0)
        log_write(log, LOG_WARNING, "%llu joins were refused because every session has a player (--max-players)",
                  (unsigned long long)count);
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
