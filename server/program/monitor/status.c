// SPDX-License-Identifier: MIT
#include "status.h"

#include "sync/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TICK_NS   (1000000000u / TICKS_PER_SECOND)
#define SAMPLE_NS 1000000000u

void status_count_tick(struct tick_stats *ticks, uint64_t duration_ns)
{
    uint64_t row = duration_ns / 1000 / TICK_STATS_CLASS_US;
    ticks->classes[row < TICK_STATS_CLASS_COUNT ? row : TICK_STATS_CLASS_COUNT - 1]++;
    ticks->ticks++;
    ticks->tick_ns_total += duration_ns;
    if (duration_ns > TICK_NS) {
        ticks->slow++;
        ticks->slow_ns_last = duration_ns;
    }
    ticks->tick_ns_max = duration_ns > ticks->tick_ns_max ? duration_ns : ticks->tick_ns_max;
}

uint64_t status_tick_us(const struct tick_stats *ticks, uint32_t permille)
{
    uint64_t wanted = (ticks->ticks * permille + 999) / 1000, row = 0;
    for (uint64_t seen = ticks->classes[0]; seen < wanted;)
        seen += ticks->classes[++row];
    uint64_t edge_us = (row + 1) * TICK_STATS_CLASS_US, most_us = ticks->tick_ns_max / 1000;
    return edge_us < most_us ? edge_us : most_us;
}

void status_log(const struct tick_stats *ticks, const struct match *match, const struct tick_clock *clock,
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
              ticks->ticks ? ticks->tick_ns_total / ticks->ticks / 1000 : 0, status_tick_us(ticks, 990),
              ticks->tick_ns_max / 1000, clock->overruns, counts->ticks_stood_still, net.bytes_in, net.bytes_out,
              counts->snapshots, counts->snapshots ? counts->snapshot_bytes / counts->snapshots : 0,
              counts->bodies_encoded, counts->inputs_late, counts->inputs_missed, counts->full_requests,
              counts->malformed, counts->unsent, net.rejected);
}

const uint32_t STATUS_SNAPSHOT_RTT_EDGES_MS[STATUS_SNAPSHOT_RTT_CLASSES] = {5, 10, 20, 50, 100, 200, 500, 1000};

const char *const STATUS_SNAPSHOT_STORE_NAMES[STORES] = {"journal", "recording", "records"};

static void sample_round_trips(struct status_snapshot *snapshot, const struct match *match)
{
    for (uint32_t peer = 0; peer < MATCH_PEER_CAPACITY; peer++) {
        if (match->peers[peer].state != PEER_PLAYING)
            continue;
        uint32_t rtt_ms = transport_rtt_ms(match->transport, peer), row = 0;
        while (row < STATUS_SNAPSHOT_RTT_CLASSES && rtt_ms > STATUS_SNAPSHOT_RTT_EDGES_MS[row])
            row++;
        if (row < STATUS_SNAPSHOT_RTT_CLASSES)
            snapshot->rtt_classes[row]++;
        snapshot->rtt_count++;
        snapshot->rtt_ms_total += rtt_ms;
    }
}

void status_snapshot_write(struct status_publisher *publisher, const struct status_source *source, uint64_t now_ns)
{
    const struct match *match = source->match;
    struct status_snapshot *snapshot = &publisher->snapshot;
    if (pthread_mutex_trylock(&publisher->lock) != 0)
        return;
    snapshot->written_ns = now_ns;
    snprintf(snapshot->name, sizeof snapshot->name, "%s", source->name);
    snapshot->players = roster_count(&match->roster, SEAT_PLAYER);
    snapshot->bots = roster_count(&match->roster, SEAT_BOT);
    snapshot->players_max = match->players_max;
    snapshot->drains = match->drain.is_on;
    snapshot->overruns = source->clock->overruns;
    snapshot->skipped = source->clock->skipped;
    snapshot->late = source->clock->late;
    snapshot->health = *source->health;
    snapshot->status = *source->status;
    snapshot->statistics = match->statistics;
    transport_totals(match->transport, &snapshot->net);
    if (now_ns - publisher->sampled_ns >= SAMPLE_NS) {
        publisher->sampled_ns = now_ns;
        sample_round_trips(snapshot, match);
    }
    snapshot->is_live = match->live;
    if (match->live)
        live_stream_read_totals(match->live, &snapshot->live);
    if (snapshot->maps == 0 || snapshot->map_hash != match->map_hash) {
        snapshot->map = match->map;
        snapshot->map_hash = match->map_hash;
        snapshot->maps++;
    }
    world_copy(&snapshot->world, &match->world);
    memcpy(snapshot->hats, match->hats, sizeof snapshot->hats);
    pthread_mutex_unlock(&publisher->lock);
}

void status_snapshot_read(struct status_publisher *publisher, struct status_snapshot *snapshot)
{
    pthread_mutex_lock(&publisher->lock);
    *snapshot = publisher->snapshot;
    pthread_mutex_unlock(&publisher->lock);
}
