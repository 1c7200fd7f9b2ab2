// SPDX-License-Identifier: MIT
#include "warnings.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "game/input.h"
#include "net/household.h"
#include "net/password_guard.h"

#define LOOK_NS  CLOCK_SECOND_NS
#define QUIET_NS (10 * CLOCK_SECOND_NS) // after a line
#define TICK_MS  (1000.0 / TICKS_PER_SECOND)

static const struct {
    const char *name, *text;
} CAUSES[] = {
    [STALL_UNKNOWN] = {"unknown", "nobody knows why"},
    [STALL_WORK] = {"work", "the server itself was busy"},
    [STALL_NO_CPU] = {"no_cpu", "other programs had the processors"},
    [STALL_STOPPED] = {"stopped", "the server was stopped, or waited for a disk"},
};

enum stall_cause warnings_stall_cause(const struct stall_usage *before, const struct stall_usage *after,
                                      uint64_t stall_ns)
{
    if (!before->is_known || !after->is_known)
        return STALL_UNKNOWN;
    if (after->waited_ns - before->waited_ns >= stall_ns / 2)
        return STALL_NO_CPU;
    return after->ran_ns - before->ran_ns >= stall_ns / 2 ? STALL_WORK : STALL_STOPPED;
}

// The time from when a tick was due to when the match went on.
static uint64_t stalled_ms(uint64_t overruns, uint64_t skipped)
{
    return (uint64_t)((double)(skipped + overruns * CLOCK_CATCH_UP_TICKS) * TICK_MS);
}

void warnings_log_stalls(struct warnings *warnings, const struct tick_clock *clock, const struct tick_stats *ticks,
                         const struct log *log, uint64_t now_ns)
{
    if (now_ns < warnings->look_ns)
        return;
    warnings->look_ns = now_ns + LOOK_NS;
    struct stall_usage usage = {0};
    FILE *file = fopen("/proc/self/schedstat", "re");
    usage.is_known = file && fscanf(file, "%" SCNu64 " %" SCNu64, &usage.ran_ns, &usage.waited_ns) == 2;
    if (file)
        fclose(file);
    uint64_t fresh = clock->overruns - warnings->overruns_seen, fresh_skipped = clock->skipped - warnings->skipped_seen;
    if (fresh > 0)
        warnings->cause =
            warnings_stall_cause(&warnings->usage, &usage, stalled_ms(fresh, fresh_skipped) * CLOCK_MS_NS);
    warnings->overruns_seen = clock->overruns;
    warnings->skipped_seen = clock->skipped;
    warnings->usage = usage;
    uint64_t stalls = clock->overruns - warnings->overruns, slow = ticks->slow - warnings->slow;
    if (stalls > 0 && now_ns >= warnings->stalls_due_ns) {
        uint64_t ms = stalled_ms(stalls, clock->skipped - warnings->skipped);
        log_event(log, LOG_WARNING,
                  &(struct fields){"stall",
                                   stalls == 1 ? "the match stood still for {ms} ms: {why}"
                                               : "the match stood still {count} times, {ms} ms in all; the last time "
                                                 "{why}",
                                   {{"ms", .number = (int64_t)ms},
                                    {"count", .number = (int64_t)stalls},
                                    {"cause", .text = CAUSES[warnings->cause].name},
                                    {"why", .text = CAUSES[warnings->cause].text}}});
        warnings->overruns = clock->overruns;
        warnings->skipped = clock->skipped;
        warnings->stalls_due_ns = now_ns + QUIET_NS;
    }
    if (slow > 0 && now_ns >= warnings->slow_due_ns) {
        log_event(log, LOG_WARNING,
                  &(struct fields){"slow_ticks",
                                   slow == 1 ? "a tick took {ms} ms, and it has 16.7 ms"
                                             : "{count} ticks took longer than the 16.7 ms that they have, the last "
                                               "one {ms} ms",
                                   {{"count", .number = (int64_t)slow},
                                    {"ms", .number = (int64_t)(ticks->slow_ns_last / CLOCK_MS_NS)}}});
        warnings->slow = ticks->slow;
        warnings->slow_due_ns = now_ns + QUIET_NS;
    }
}

void warnings_log_refusals(struct warnings *warnings, const struct transport *transport, const struct log *log,
                           uint64_t now_ns)
{
    char household[HOUSEHOLD_TEXT_BYTES];
    struct net_totals totals;
    if (now_ns < warnings->refusals_due_ns)
        return;
    transport_totals(transport, &totals);
    const struct net_refusals *now = &totals.refusals, *before = &warnings->refusals;
    uint64_t own = now->joins_of_household - before->joins_of_household, all = now->joins_of_all - before->joins_of_all;
    uint64_t count = own + all;
    bool logs = count > 0;
    household_text(now->joins_from, household);
    if (count > 0)
        log_event(
            log, LOG_WARNING,
            &(struct fields){"joins_refused",
                             "{count} joins were dropped: {by_household} of households that join too often, and "
                             "{by_all} because too many do; the last one came from {household}; others still join; "
                             "ban {household} ends it",
                             {{"count", .number = (int64_t)count},
                              {"by_household", .number = (int64_t)own},
                              {"by_all", .number = (int64_t)all},
                              {"household", .text = household},
                              {"reason", .text = "rate"}}});
    own = now->queries_of_household - before->queries_of_household;
    all = now->queries_of_all - before->queries_of_all;
    count = own + all;
    logs |= count > 0;
    household_text(now->queries_from, household);
    if (count > 0)
        log_event(
            log, LOG_WARNING,
            &(struct fields){"queries_refused",
                             "{count} queries of server browsers were dropped: {by_household} of households that ask "
                             "too often, and {by_all} because too many do; the last one came from {household}; "
                             "others still get answers",
                             {{"count", .number = (int64_t)count},
                              {"by_household", .number = (int64_t)own},
                              {"by_all", .number = (int64_t)all},
                              {"household", .text = household}}});
    count = now->password_waits - before->password_waits;
    logs |= count > 0;
    household_text(now->passwords_from, household);
    if (count > 0)
        log_event(
            log, LOG_WARNING,
            &(struct fields){"passwords_guessed",
                             "too many wrong passwords came from {household}: the next one is tried after {first_s} s, "
                             "further ones after up to {longest_s} s, at most {day} a day; players who have joined "
                             "with the password can still join from there; ban {household} ends it",
                             {{"count", .number = (int64_t)count},
                              {"household", .text = household},
                              {"first_s", .number = PASSWORD_GUARD_WAIT_MIN_NS / CLOCK_SECOND_NS},
                              {"longest_s", .number = PASSWORD_GUARD_WAIT_MAX_NS / CLOCK_SECOND_NS},
                              {"day", .number = PASSWORD_GUARD_DAY_MAX}}});
    count = now->gave_way - before->gave_way;
    logs |= count > 0;
    household_text(now->sessions_of, household);
    if (count > 0)
        log_event(
            log, LOG_WARNING,
            &(struct fields){"sessions_gave_way",
                             "{count} sessions without a player gave way to newer ones; the last one was of "
                             "{household}, which has too many (--household-players); players stay and others still "
                             "join; ban {household} ends it",
                             {{"count", .number = (int64_t)count}, {"household", .text = household}}});
    count = now->browsers_gave_way - before->browsers_gave_way;
    logs |= count > 0;
    household_text(now->browsers_of, household);
    if (count > 0)
        log_event(log, LOG_WARNING,
                  &(struct fields){"browsers_gave_way",
                                   "{count} browsers without a session gave way to newer ones; the last one was of "
                                   "{household}, and its site has most of them; players stay and others still join; "
                                   "ban {household} ends it",
                                   {{"count", .number = (int64_t)count}, {"household", .text = household}}});
    count = now->denied[DENIAL_FULL] - before->denied[DENIAL_FULL];
    logs |= count > 0;
    if (count > 0)
        log_event(log, LOG_WARNING,
                  &(struct fields){"joins_refused",
                                   "{count} joins were refused because every session has a player (--max-players)",
                                   {{"count", .number = (int64_t)count}, {"reason", .text = "full"}}});
    warnings->refusals = *now;
    warnings->refusals_due_ns = now_ns + (logs ? QUIET_NS : LOOK_NS);
}
