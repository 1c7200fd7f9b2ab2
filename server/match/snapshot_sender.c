// SPDX-License-Identifier: MIT
#include "snapshot_sender.h"

#include "peer.h"

// Parts of the map that a client gets in one tick: 240 KB a second.
#define MAP_PARTS_PER_TICK 4

// A full snapshot that nobody acknowledges is sent again after this; a new one, so that its tick is still kept.
#define FULL_AGAIN_TICKS 30

static bool send_map_part(struct match *match, uint32_t index)
{
    uint32_t offset = match->peers[index].map_sent_bytes, rest = match->map_blob_bytes - offset;
    uint32_t count = rest < MAP_PART_BYTES_MAX ? rest : MAP_PART_BYTES_MAX;
    struct message part = {
        .kind = MESSAGE_MAP_PART,
        .as.map_part = {.offset = offset, .count = count, .bytes = match->map_blob + offset},
    };
    if (!peer_send(match, index, &part))
        return false;
    match->peers[index].map_sent_bytes += count;
    return true;
}

void snapshot_sender_send_map_parts(struct match *match)
{
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++) {
        const struct peer *peer = &match->peers[i];
        for (int parts = 0;
             parts < MAP_PARTS_PER_TICK && peer->state == PEER_LOADING && peer->map_sent_bytes < match->map_blob_bytes;
             parts++)
            if (!send_map_part(match, i))
                break;
    }
}

static void choose_baseline(struct match *match, struct peer *peer)
{
    tick now = match->world.tick;
    bool held = input_log_holds(&match->input_log, peer->acknowledged);
    peer->baseline_tick = held ? peer->acknowledged : 0;
    peer->due = held || peer->full_tick == 0 || now - peer->full_tick >= FULL_AGAIN_TICKS;
    if (peer->due && !held)
        peer->full_tick = now;
}

static void send_snapshot(struct match *match, uint32_t index, uint32_t world_hash_low, uint32_t body_bytes)
{
    struct peer *peer = &match->peers[index];
    struct snapshot_head head = {
        .tick = match->world.tick,
        .baseline_tick = peer->baseline_tick,
        .world_hash = world_hash_low,
        .input_tick = peer->inputs.newest_tick,
        .margin_quarter_ticks = input_queue_margin(&peer->inputs),
        .inputs_missed = peer->inputs.missed & 0xFFFF,
        .parts = (body_bytes + SNAPSHOT_PART_BYTES - 1) / SNAPSHOT_PART_BYTES,
    };
    enum net_channel channel = peer->baseline_tick == 0 ? NET_APART : NET_UNSEQUENCED;
    match->statistics.snapshots++;
    for (; head.part < head.parts; head.part++) {
        uint8_t bytes[MESSAGE_BYTES_MAX];
        uint32_t offset = head.part * SNAPSHOT_PART_BYTES, rest = body_bytes - offset;
        size_t count = rest < SNAPSHOT_PART_BYTES ? rest : SNAPSHOT_PART_BYTES;
        size_t size = snapshot_part_encode(&head, match->snapshot_body + offset, count, bytes);
        match->statistics.snapshot_parts++;
        match->statistics.snapshot_bytes += size;
        match->statistics.unsent += !transport_send(match->transport, index, channel, bytes, size);
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

// Everybody from `first` on who is due and has its baseline.
static void send_to_holders(struct match *match, uint32_t first, uint32_t world_hash_low)
{
    tick baseline_tick = match->peers[first].baseline_tick;
    uint32_t body_bytes = encode(match, baseline_tick);
    for (uint32_t i = first; i < MATCH_PEER_CAPACITY; i++) {
        struct peer *peer = &match->peers[i];
        if (peer->due && peer->baseline_tick == baseline_tick) {
            if (body_bytes > 0)
                send_snapshot(match, i, world_hash_low, body_bytes);
            else
                peer->acknowledged = 0; // so much has happened that a full snapshot is less
            peer->due = false;
        }
    }
}

void snapshot_sender_send(struct match *match)
{
    if (match->world.tick % match->snapshot_ticks != 0)
        return;
    bool any = false;
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++) {
        match->peers[i].due = false;
        if (match->peers[i].state == PEER_PLAYING)
            choose_baseline(match, &match->peers[i]);
        any |= match->peers[i].due;
    }
    uint32_t world_hash_low = any ? (uint32_t)world_hash(&match->world) : 0;
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++)
        if (match->peers[i].due)
            send_to_holders(match, i, world_hash_low);
}
