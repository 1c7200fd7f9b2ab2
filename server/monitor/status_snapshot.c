// SPDX-License-Identifier: MIT
#include "status_snapshot.h"

#include <stdio.h>

#define SAMPLE_NS 1000000000u

const uint32_t PUBLISHED_RTT_EDGES_MS[STATUS_SNAPSHOT_RTT_CLASSES] = {5, 10, 20, 50, 100, 200, 500, 1000};

static void sample_round_trips(struct status_snapshot *facts, const struct match *match)
{
    for (uint32_t peer = 0; peer < MATCH_PEER_CAPACITY; peer++) {
        if (match->peers[peer].state != PEER_PLAYING)
            continue;
        uint32_t rtt_ms = transport_rtt_ms(match->transport, peer), row = 0;
        while (row < STATUS_SNAPSHOT_RTT_CLASSES && rtt_ms > PUBLISHED_RTT_EDGES_MS[row])
            row++;
        if (row < STATUS_SNAPSHOT_RTT_CLASSES)
            facts->rtt_classes[row]++;
        facts->rtt_count++;
        facts->rtt_ms_total += rtt_ms;
    }
}

static void copy_map(struct status_snapshot *facts, const struct match *match)
{
    if (facts->maps > 0 && facts->map_hash == match->map_hash)
        return;
    facts->map = match->map;
    facts->map_hash = match->map_hash;
    facts->maps++;
}

void status_snapshot_write(struct status_publisher *published, const char *name, const struct match *match,
                           const struct tick_stats *status, const struct tick_clock *clock, uint64_t now_ns)
{
    struct status_snapshot *facts = &published->facts;
    if (pthread_mutex_trylock(&published->lock) != 0)
        return;
    facts->written_ns = now_ns;
    snprintf(facts->name, sizeof facts->name, "%s", name);
    facts->players = roster_count(&match->roster, SEAT_PLAYER);
    facts->bots = roster_count(&match->roster, SEAT_BOT);
    facts->players_max = match->players_max;
    facts->overruns = clock->overruns;
    facts->status = *status;
    facts->statistics = match->statistics;
    transport_totals(match->transport, &facts->net);
    if (now_ns - published->sampled_ns >= SAMPLE_NS) {
        published->sampled_ns = now_ns;
        sample_round_trips(facts, match);
    }
    copy_map(facts, match);
    world_copy(&facts->world, &match->world);
    pthread_mutex_unlock(&published->lock);
}

void status_snapshot_read(struct status_publisher *published, struct status_snapshot *facts)
{
    pthread_mutex_lock(&published->lock);
    *facts = published->facts;
    pthread_mutex_unlock(&published->lock);
}
