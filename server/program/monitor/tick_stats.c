// SPDX-License-Identifier: MIT
#include "tick_stats.h"

#include <inttypes.h>

#include "base/clock.h"
#include "game/input.h"

#define TICK_NS  (1000000000u / TICKS_PER_SECOND)
#define LOOK_NS  CLOCK_SECOND_NS        // for stalls
#define QUIET_NS (10 * CLOCK_SECOND_NS) // after a line
#define TICK_MS  (1000.0 / TICKS_PER_SECOND)

void tick_stats_tick(struct tick_stats *status, uint64_t duration_ns)
{
    uint64_t row = duration_ns / 1000 / TICK_STATS_CLASS_US;
    status->classes[row < TICK_STATS_CLASS_COUNT ? row : TICK_STATS_CLASS_COUNT - 1]++;
    status->ticks++;
    status->tick_ns_total += duration_ns;
    if (duration_ns > TICK_NS) {
        status->slow++;
        status->slow_ns_last = duration_ns;
    }
    status->tick_ns_max = duration_ns > status->tick_ns_max ? duration_ns : status->tick_ns_max;
}

uint64_t tick_stats_tick_us(const struct tick_stats *status, uint32_t permille)
{
    uint64_t wanted = (status->ticks * permille + 999) / 1000, row = 0;
    for (uint64_t seen = status->classes[0]; seen < wanted;)
        seen += status->classes[++row];
    uint64_t edge_us = (row + 1) * TICK_STATS_CLASS_US, most_us = status->tick_ns_max / 1000;
    return edge_us < most_us ? edge_us : most_us;
}

void tick_stats_log(const struct tick_stats *status, const struct match *match, const struct tick_clock *clock,
                    const struct log *log, enum log_level level)
{
    const struct match_statistics *counts = &match->statistics;
    struct net_totals net;
    transport_totals(match->transport, &net);
    log_write(log, level,
              "tick %u, %u players, %u bots; ticks of %" PRIu64 " us on average, p99 %" PRIu64 " us, most %" PRIu64
              " us, %" PRIu64 " overruns, stood still for %" PRIu64 " ticks; in %" PRIu64 " bytes, out %" PRIu64
              " bytes; %" PRIu64 " snapshots of %" PRIu64 " bytes, %" PRIu64 " bodies; inputs %" PRIu64
              " late, %" PRIu64 " missed; %" PRIu64 " full, %" PRIu64 " malformed, %" PRIu64 " unsent, %" PRIu64
              " rejected",
              match->world.tick, roster_count(&match->roster, SEAT_PLAYER), roster_count(&match->roster, SEAT_BOT),
              status->ticks ? status->tick_ns_total / status->ticks / 1000 : 0, tick_stats_tick_us(status, 990),
              status->tick_ns_max / 1000, clock->overruns, counts->ticks_stood_still, net.bytes_in, net.bytes_out,
              counts->snapshots, counts->snapshots ? counts->snapshot_bytes / counts->snapshots : 0,
              counts->bodies_encoded, counts->inputs_late, counts->inputs_missed, counts->full_requests,
              counts->malformed, counts->unsent, net.rejected);
}

static const struct {
    const char *name, *text;
} CAUSES[] = {
    [STALL_UNKNOWN] = {"unknown", "nobody knows why"},
    [STALL_WORK] = {"work", "the server itself was busy"},
    [STALL_NO_CPU] = {"no_cpu", "other programs had the processors"},
    [STALL_STOPPED] = {"stopped", "the server was stopped, or waited for a disk"},
};

enum stall_cause tick_stats_stall_cause(const struct stall_usage *before, const struct stall_usage *after,
                                        uint64_t stall_ns)
{
    if (!before->is_known || !after->is_known)
        return STALL_UNKNOWN;
    if (after->waited_ns - before->waited_ns >= stall_ns / 2)
        return STALL_NO_CPU;
    return after->ran_ns - before->ran_ns >= stall_ns / 2 ? STALL_WORK : STALL_STOPPED;
}

static struct stall_usage read_usage(void)
{
    struct stall_usage usage = {0};
    FILE *file = fopen("/proc/self/schedstat", "re");
    usage.is_known = file && fscanf(file, "%" SCNu64 " %" SCNu64, &usage.ran_ns, &usage.waited_ns) == 2;
    if (file)
        fclose(file);
    return usage;
}

// The time from when a tick was due to when the match went on.
static uint64_t stalled_ms(uint64_t overruns, uint64_t skipped)
{
    return (uint64_t)((double)(skipped + overruns * CLOCK_CATCH_UP_TICKS) * TICK_MS);
}

static void log_stalls(struct stall_log *stalls, const struct tick_clock *clock, const struct log *log)
{
    uint64_t count = clock->overruns - stalls->overruns, skipped = clock->skipped - stalls->skipped;
    log_event(log, LOG_WARNING,
              &(struct fields){"stall",
                               count == 1 ? "the match stood still for {ms} ms: {why}"
                                          : "the match stood still {count} times, {ms} ms in all; the last time {why}",
                               {{"ms", .number = (int64_t)stalled_ms(count, skipped)},
                                {"count", .number = (int64_t)count},
                                {"cause", .text = CAUSES[stalls->cause].name},
                                {"why", .text = CAUSES[stalls->cause].text}}});
    stalls->overruns = clock->overruns;
    stalls->skipped = clock->skipped;
}

static void log_slow(struct stall_log *stalls, const struct tick_stats *ticks, const struct log *log)
{
    uint64_t count = ticks->slow - stalls->slow;
    log_event(log, LOG_WARNING,
              &(struct fields){"slow_ticks",
                               count == 1 ? "a tick took {ms} ms, and it has 16.7 ms"
                                          : "{count} ticks took longer than the 16.7 ms that they have, the last one "
                                            "{ms} ms",
                               {{"count", .number = (int64_t)count},
                                {"ms", .number = (int64_t)(ticks->slow_ns_last / CLOCK_MS_NS)}}});
    stalls->slow = ticks->slow;
}

void tick_stats_log_stalls(struct stall_log *stalls, const struct tick_clock *clock, const struct tick_stats *ticks,
                           const struct log *log, uint64_t now_ns)
{
    if (now_ns < stalls->look_ns)
        return;
    stalls->look_ns = now_ns + LOOK_NS;
    struct stall_usage usage = read_usage();
    uint64_t fresh = clock->overruns - stalls->overruns_seen;
    if (fresh > 0)
        stalls->cause = tick_stats_stall_cause(&stalls->usage, &usage,
                                               stalled_ms(fresh, clock->skipped - stalls->skipped_seen) * CLOCK_MS_NS);
    stalls->overruns_seen = clock->overruns;
    stalls->skipped_seen = clock->skipped;
    stalls->usage = usage;
    if (clock->overruns > stalls->overruns && now_ns >= stalls->stalls_due_ns) {
        log_stalls(stalls, clock, log);
        stalls->stalls_due_ns = now_ns + QUIET_NS;
    }
    if (ticks->slow > stalls->slow && now_ns >= stalls->slow_due_ns) {
        log_slow(stalls, ticks, log);
        stalls->slow_due_ns = now_ns + QUIET_NS;
    }
}
