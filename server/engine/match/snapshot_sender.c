// SPDX-License-Identifier: MIT
#include "snapshot_sender.h"

#include "peer.h"
#include "sync/world.h"

// Parts of the map that one client is sent in a tick: 240 KB a second.
#define MAP_PARTS_PER_TICK 4

// Ticks until a client that has not acknowledged a full snapshot is sent another, newer one.
#define FULL_AGAIN_TICKS 30

static bool send_map_part(struct match *match, uint32_t index)
{
    uint32_t offset = match->peers[index].map_sent_bytes, rest = match->map_blob_bytes - offset;
    uint32_t count = rest < MAP_PART_BYTES_MAX ? rest : MAP_PART_BYTES_MAX;
    struct message part = {
        .kind = MESSAGE_MAP_PART,
        .as.map_part = {.offset = offset, .count = count, .bytes = match->prepared->blob + offset},
    };
    if (!peer_send(match, index, &part))
        return false;
    match->peers[index].map_sent_bytes += count;
    return true;
}

void snapshot_sender_send_map_parts(struct match *match)
{
    for (uint32_t i = 0; i < match->peer_end; i++) {
        const struct peer *peer = &match->peers[i];
        for (int parts = 0;
             parts < MAP_PARTS_PER_TICK && peer->state == PEER_LOADING && peer->map_sent_bytes < match->map_blob_bytes;
             parts++)
            if (!send_map_part(match, i))
                break;
    }
}

// A snapshot that is due to a client.
struct delivery {
    uint32_t peer;
    tick baseline_tick; // 0: a full snapshot
};

// Returns the newest world that a client should have by now. Until a full snapshot is acknowledged nothing else is
// sent, so those after it have everything since.
static tick expected_world(const struct match *match, const struct peer *peer)
{
    tick before = match->snapshot_sent[(match->snapshot_round - peer->repeats) % (INPUT_REPEATS_MAX + 1)];
    bool is_known = peer->repeats != 0 && peer->acknowledged != peer->full_tick;
    return is_known && before > peer->acknowledged ? before : peer->acknowledged;
}

// Returns whether a snapshot is due to a client, and with which baseline.
static bool choose_baseline(struct match *match, struct peer *peer, tick *baseline_tick)
{
    tick now = match->world.tick;
    bool held = input_log_holds(&match->input_log, peer->acknowledged);
    *baseline_tick = held ? expected_world(match, peer) : 0;
    if (held)
        return true;
    if (peer->full_tick != 0 && now - peer->full_tick < FULL_AGAIN_TICKS)
        return false;
    peer->full_tick = now;
    return true;
}

static void send_snapshot(struct match *match, const struct delivery *delivery, uint32_t world_hash_low,
                          uint32_t body_bytes)
{
    const struct peer *peer = &match->peers[delivery->peer];
    struct snapshot_head head = {
        .tick = match->world.tick,
        .baseline_tick = delivery->baseline_tick,
        .world_hash = world_hash_low,
        .input_tick = peer->inputs.newest_tick,
        .margin_quarter_ticks = peer->inputs.margin,
        .inputs_missed = peer->inputs.missed & 0xFFFF,
        .parts = (body_bytes + SNAPSHOT_PART_BYTES - 1) / SNAPSHOT_PART_BYTES,
    };
    enum net_channel channel = delivery->baseline_tick == 0 ? NET_APART : NET_UNSEQUENCED;
    match->statistics.snapshots++;
    for (; head.part < head.parts; head.part++) {
        uint32_t offset = head.part * SNAPSHOT_PART_BYTES, rest = body_bytes - offset;
        size_t count = rest < SNAPSHOT_PART_BYTES ? rest : SNAPSHOT_PART_BYTES;
        size_t size = snapshot_part_encode(&head, match->snapshot_body + offset, count, match->snapshot_part);
        match->statistics.snapshot_parts++;
        match->statistics.snapshot_bytes += size;
        match->statistics.unsent +=
            !transport_send(match->transport, delivery->peer, channel, match->snapshot_part, size);
    }
}

static uint32_t encode(struct match *match, tick baseline_tick)
{
    match->statistics.bodies_encoded++;
    if (baseline_tick == 0)
        return (uint32_t)snapshot_body_encode(&match->first_world, &match->world, match->snapshot_body,
                                              sizeof match->snapshot_body);
    return (uint32_t)input_log_encode(&match->input_log, baseline_tick, match->world.tick, match->snapshot_body,
                                      sizeof match->snapshot_body);
}

// Encodes the snapshot of the first delivery once, and sends it to every client with the same baseline. Returns how
// many deliveries are left in the list.
static uint32_t send_to_holders(struct match *match, struct delivery *deliveries, uint32_t count,
                                uint32_t world_hash_low)
{
    tick baseline_tick = deliveries[0].baseline_tick;
    uint32_t body_bytes = encode(match, baseline_tick), left = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (deliveries[i].baseline_tick != baseline_tick)
            deliveries[left++] = deliveries[i];
        else if (body_bytes > 0)
            send_snapshot(match, &deliveries[i], world_hash_low, body_bytes);
        else
            match->peers[deliveries[i].peer].acknowledged = 0; // so much has happened that a full snapshot is smaller
    }
    return left;
}

void snapshot_sender_send(struct match *match)
{
    struct delivery deliveries[MATCH_PEER_CAPACITY];
    uint32_t count = 0;
    if (match->world.tick % match->snapshot_ticks != 0)
        return;
    for (uint32_t i = 0; i < match->peer_end; i++)
        if (match->peers[i].state == PEER_PLAYING &&
            choose_baseline(match, &match->peers[i], &deliveries[count].baseline_tick))
            deliveries[count++].peer = i;
    match->snapshot_sent[match->snapshot_round++ % (INPUT_REPEATS_MAX + 1)] = match->world.tick;
    uint32_t world_hash_low = count > 0 ? (uint32_t)world_hash(&match->world) : 0;
    while (count > 0)
        count = send_to_holders(match, deliveries, count, world_hash_low);
}
