// SPDX-License-Identifier: MIT
#include "status_snapshot.h"

#include "sync/world.h"

#include <stdio.h>
#include <string.h>

#define SAMPLE_NS 1000000000u

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

static void copy_map(struct status_snapshot *snapshot, const struct match *match)
{
    if (snapshot->maps > 0 && snapshot->map_hash == match->map_hash)
        return;
    snapshot->map = match->map;
    snapshot->map_hash = match->map_hash;
    snapshot->maps++;
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
    copy_map(snapshot, match);
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
