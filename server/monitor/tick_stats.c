// SPDX-License-Identifier: MIT
#include "tick_stats.h"

#include <inttypes.h>

#define TICK_NS (1000000000u / TICKS_PER_SECOND)

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
