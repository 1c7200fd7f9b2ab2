// SPDX-License-Identifier: MIT
#include "match_state.h"

#include <string.h>

#include "net/crypto/identity.h"
#include "sync/world.h"

#define MAP_PARTS_PER_TICK 4

// Ticks until a client that has not acknowledged a full snapshot is sent another, newer one.
#define FULL_AGAIN_TICKS 30

void broadcast_map_parts(struct match *match)
{
    for (uint32_t i = 0; i < match->peer_end; i++) {
        struct peer *peer = &match->peers[i];
        uint32_t sent = peer->map_sent_bytes, rest = sent < match->map_blob_bytes ? match->map_blob_bytes - sent : 0;
        for (int parts = 0; parts < MAP_PARTS_PER_TICK && peer->state == PEER_LOADING && rest > 0; parts++) {
            struct map_part_message part = {.offset = peer->map_sent_bytes,
                                            .count = rest < MAP_PART_BYTES_MAX ? rest : MAP_PART_BYTES_MAX,
                                            .bytes = match->prepared->blob + peer->map_sent_bytes};
            if (!peer_send(match, i, &(struct message){.kind = MESSAGE_MAP_PART, .as.map_part = part}))
                break;
            peer->map_sent_bytes += part.count;
            rest -= part.count;
        }
    }
}

// A snapshot that is due to a client.
struct delivery {
    uint32_t peer;
    tick baseline_tick; // 0: a full snapshot
};

// Returns whether a snapshot is due to a client, and with which baseline: the newest world that it should have by now.
// Until a full snapshot is acknowledged nothing else is sent, so those after it have everything since.
static bool choose_baseline(struct match *match, struct peer *peer, tick *baseline_tick)
{
    tick now = match->world.tick;
    if (input_log_holds(&match->input_log, peer->acknowledged)) {
        tick before = match->snapshot_sent[(match->snapshot_round - peer->repeats) % (INPUT_REPEATS_MAX + 1)];
        bool is_known = peer->repeats != 0 && peer->acknowledged != peer->full_tick;
        *baseline_tick = is_known && before > peer->acknowledged ? before : peer->acknowledged;
        return true;
    }
    *baseline_tick = 0;
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
    while (count > 0) { // encode the first one, and send it to every client with the same baseline
        tick baseline_tick = deliveries[0].baseline_tick;
        uint8_t *body = match->snapshot_body;
        size_t body_bytes =
            baseline_tick == 0
                ? snapshot_body_encode(&match->first_world, &match->world, body, SNAPSHOT_BODY_BYTES_MAX)
                : input_log_encode(&match->input_log, baseline_tick, match->world.tick, body, SNAPSHOT_BODY_BYTES_MAX);
        match->statistics.bodies_encoded++;
        uint32_t left = 0;
        for (uint32_t i = 0; i < count; i++) {
            if (deliveries[i].baseline_tick != baseline_tick)
                deliveries[left++] = deliveries[i];
            else if (body_bytes > 0)
                send_snapshot(match, &deliveries[i], world_hash_low, (uint32_t)body_bytes);
            else
                match->peers[deliveries[i].peer].acknowledged = 0; // so much has happened that a full one is smaller
        }
        count = left;
    }
}

// --- hats and tags

_Static_assert(MESSAGE_TAG_BYTES == PLAYER_TAG_BYTES, "a tag on the wire");

static struct message hats_of(const struct match *match, uint32_t first, uint32_t end)
{
    struct message message = {.kind = MESSAGE_HATS, .as.hats = {.first = first, .count = end - first}};
    memcpy(message.as.hats.hats, match->hats + first, end - first);
    return message;
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

static void send_tags(struct match *match, uint32_t peer, uint32_t first, uint32_t end)
{
    struct message message = {.kind = MESSAGE_TAGS, .as.tags = {.first = first, .count = end - first}};
    for (uint32_t slot = first; slot < end; slot++)
        if (match->tagged[slot])
            identity_player_tag(match->peers[peer].client.identity, match->roster.seats[slot].key.identity,
                                message.as.tags.tags[slot - first]);
    peer_send(match, peer, &message);
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
    if (first < end) {
        memcpy(match->hats, hats, sizeof match->hats);
        struct message message = hats_of(match, first, end);
        for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++)
            if (peer_has_seat(&match->peers[i]))
                peer_send(match, i, &message);
    }

    for (first = 0; first<match->players_max; first = end> first ? end : first + 1) {
        for (end = first; end < match->players_max && end - first < TAGS_CAPACITY; end++) {
            const struct seat *seat = &match->roster.seats[end];
            bool is_client = seat->kind == SEAT_PLAYER || seat->kind == SEAT_RESERVED;
            uint32_t occupant = is_client && seat->has_key ? seat->occupant : 0;
            if (match->tagged[end] == occupant)
                break;
            match->tagged[end] = occupant;
        }
        for (uint32_t i = 0; end > first && i < MATCH_PEER_CAPACITY; i++)
            if (peer_has_seat(&match->peers[i]))
                send_tags(match, i, first, end);
    }
}
