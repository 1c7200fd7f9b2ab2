// SPDX-License-Identifier: MIT
#include "broadcast.h"

#include <string.h>

#include "net/crypto/identity.h"
#include "peer.h"
#include "sync/world.h"

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

void broadcast_map_parts(struct match *match)
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

void broadcast_snapshots(struct match *match)
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

// --- hats and tags

_Static_assert(MESSAGE_TAG_BYTES == PLAYER_TAG_BYTES, "a tag on the wire");

static struct message hats_of(const struct match *match, uint32_t first, uint32_t end)
{
    struct message message = {.kind = MESSAGE_HATS, .as.hats = {.first = first, .count = end - first}};
    memcpy(message.as.hats.hats, match->hats + first, end - first);
    return message;
}

static void broadcast_hats(struct match *match)
{
    uint8_t hats[PLAYER_CAPACITY];
    uint32_t first = 0, end = PLAYER_CAPACITY;
    roster_hats(&match->roster, hats);
    recorder_hats(match->recorder, hats);
    recorder_hats(match->journal, hats);
    live_stream_hats(match->live, hats);
    while (first < end && hats[first] == match->hats[first])
        first++;
    while (end > first && hats[end - 1] == match->hats[end - 1])
        end--;
    if (first == end)
        return;
    memcpy(match->hats, hats, sizeof match->hats);
    struct message message = hats_of(match, first, end);
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++)
        if (peer_has_seat(&match->peers[i]))
            peer_send(match, i, &message);
}

void broadcast_hats_to(struct match *match, uint32_t peer)
{
    uint32_t end = PLAYER_CAPACITY;
    while (end > 0 && match->hats[end - 1] == HAT_NONE)
        end--;
    if (end == 0)
        return;
    struct message message = hats_of(match, 0, end);
    peer_send(match, peer, &message);
}

// Returns the occupant of a seat who has a tag; 0: nobody.
static uint32_t tagged_occupant(const struct match *match, uint32_t slot)
{
    const struct seat *seat = &match->roster.seats[slot];
    bool is_client = seat->kind == SEAT_PLAYER || seat->kind == SEAT_RESERVED;
    return is_client && seat->has_key ? seat->occupant : 0;
}

static void send_tags(struct match *match, uint32_t peer, uint32_t first, uint32_t end)
{
    struct message message = {.kind = MESSAGE_TAGS, .as.tags = {.first = first, .count = end - first}};
    for (uint32_t slot = first; slot < end; slot++)
        if (match->tagged[slot])
            identity_player_tag(match->peers[peer].client.identity, match->roster.seats[slot].key.identity,
                                message.as.tags.tags[slot - first]);
    peer_send(match, peer, &message);
}

// Takes the seats from `first` on that have changed as sent. Returns the end of what fits into a message.
static uint32_t take_changed(struct match *match, uint32_t first)
{
    uint32_t end = first;
    for (; end < match->players_max && end - first < TAGS_CAPACITY; end++) {
        uint32_t occupant = tagged_occupant(match, end);
        if (match->tagged[end] == occupant)
            break;
        match->tagged[end] = occupant;
    }
    return end;
}

static void broadcast_tags(struct match *match)
{
    for (uint32_t first = 0, end; first<match->players_max; first = end> first ? end : first + 1) {
        end = take_changed(match, first);
        for (uint32_t i = 0; end > first && i < MATCH_PEER_CAPACITY; i++)
            if (peer_has_seat(&match->peers[i]))
                send_tags(match, i, first, end);
    }
}

void broadcast_tags_to(struct match *match, uint32_t peer)
{
    uint32_t end = PLAYER_CAPACITY;
    while (end > 0 && !match->tagged[end - 1])
        end--;
    for (uint32_t first = 0; first < end; first += TAGS_CAPACITY)
        send_tags(match, peer, first, end - first < TAGS_CAPACITY ? end : first + TAGS_CAPACITY);
}

void broadcast_marks(struct match *match)
{
    broadcast_hats(match);
    broadcast_tags(match);
}
