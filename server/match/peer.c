// SPDX-License-Identifier: MIT
#include "peer.h"

#include <string.h>

#include "cosmetics.h"
#include "match.h"

static void enter(struct peer *peer, enum peer_state state, uint64_t now_us)
{
    peer->state = state;
    peer->heard_us = now_us;
}

void peer_connected(struct match *match, uint32_t index, const struct net_client *guest, uint64_t now_us)
{
    peer_disconnected(match, index); // in case the transport gives the number again before it has told the end
    match->peers[index] = (struct peer){.guest = *guest};
    enter(&match->peers[index], PEER_CONNECTED, now_us);
    match->peer_count++;
}

void peer_disconnected(struct match *match, uint32_t index)
{
    struct peer *peer = &match->peers[index];
    if (peer->state == PEER_LOADING || peer->state == PEER_PLAYING) {
        roster_leave(&match->roster, peer->slot, match->world.players);
        log_write(match->log, LOG_INFO, "slot %u left", peer->slot);
    }
    match->peer_count -= peer->state != PEER_FREE;
    peer->state = PEER_FREE;
}

static void malformed(struct match *match, uint32_t index)
{
    match->statistics.malformed++;
    if (++match->peers[index].malformed >= PEER_MALFORMED_MAX)
        match_drop(match, index, DENY_PROTOCOL);
}

// The connection that holds a seat until now ends, without the seat.
static void replace(struct match *match, uint32_t slot)
{
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++) {
        const struct peer *peer = &match->peers[i];
        if ((peer->state == PEER_LOADING || peer->state == PEER_PLAYING) && peer->slot == slot)
            match_drop(match, i, DENY_REPLACED);
    }
}

// A player who is here already, on a line that has died or from another machine, has his own seat at once.
static uint32_t take_seat(struct match *match, uint32_t index, const struct join_message *join)
{
    struct seat_key place = {.local = join->local};
    memcpy(place.identity, match->peers[index].guest.identity, sizeof place.identity);
    uint32_t slot = roster_find(&match->roster, &place);
    if (slot == ROSTER_FULL)
        return roster_reserve(&match->roster, &place, join->name, join->colour);
    replace(match, slot);
    return slot;
}

static void welcome(struct match *match, uint32_t index, uint64_t now_us)
{
    struct peer *peer = &match->peers[index];
    enter(peer, PEER_LOADING, now_us);
    peer->welcome_tick = match->world.tick;
    struct message message = {.kind = MESSAGE_WELCOME,
                              .as.welcome = {.slot = peer->slot,
                                             .snapshot_rate = TICKS_PER_SECOND / match->snapshot_ticks,
                                             .tick = match->world.tick,
                                             .rules = match->fresh.rules,
                                             .map_hash = match->map_hash,
                                             .map_blob_bytes = match->map_blob_bytes}};
    memcpy(message.as.welcome.map_address, match->map_address, MAP_ADDRESS_BYTES);
    match_send(match, index, &message);
    cosmetics_send_all(match, index);
}

static void join(struct match *match, uint32_t index, const struct join_message *join, uint64_t now_us)
{
    struct peer *peer = &match->peers[index];
    if (join->protocol != PROTOCOL_VERSION) {
        match_drop(match, index, DENY_VERSION);
        return;
    }
    uint32_t slot = take_seat(match, index, join);
    if (slot == ROSTER_FULL) {
        match_drop(match, index, DENY_FULL);
        return;
    }
    peer->slot = slot;
    match->roster.seats[slot].hat = (uint8_t)join->hat;
    peer->map_sent_bytes = join->map_hash == match->map_hash ? match->map_blob_bytes : 0;
    match->statistics.joins++;
    char name[PLAYER_NAME_BYTES + 1];
    name_to_text(match->roster.seats[slot].name, name);
    log_write(match->log, LOG_INFO, "%s joins at slot %u from %s", name, slot, peer->guest.address);
    welcome(match, index, now_us);
}

void peer_welcome_again(struct match *match, uint32_t index, uint64_t now_us)
{
    struct peer *peer = &match->peers[index];
    if (peer->state != PEER_LOADING && peer->state != PEER_PLAYING)
        return;
    *peer = (struct peer){.state = peer->state,
                          .guest = peer->guest,
                          .slot = peer->slot,
                          .malformed = peer->malformed,
                          .acknowledge_after = match->world.tick,
                          .speaker = peer->speaker,
                          .inputs.missed = peer->inputs.missed};
    welcome(match, index, now_us);
}

static void ready(struct match *match, uint32_t index, tick welcome_tick, uint64_t now_us)
{
    if (welcome_tick != match->peers[index].welcome_tick)
        return;                                                 // another match has begun since
    match->peers[index].map_sent_bytes = match->map_blob_bytes; // all of it, or the client knows the map by its address
    enter(&match->peers[index], PEER_PLAYING, now_us);
    roster_enter(&match->roster, match->peers[index].slot);
}

// Inputs of a match before this, when ticks have begun anew since.
static bool is_of_old_ticks(const struct match *match, const struct input_message *input)
{
    return (int32_t)(input->newest_tick - match->world.tick) > (int32_t)(MATCH_TICKS_OLD / 2);
}

// The newest snapshot that the client says it holds. Messages may overtake each other, so only forward; to ask for a
// full one (0) takes a newer message than any before.
static void acknowledge(struct match *match, struct peer *peer, const struct input_message *input, uint64_t now_us)
{
    bool newest = (int32_t)(input->newest_tick - peer->newest_input) > 0;
    if (input->snapshot_tick == 0) {
        if (newest && peer->acknowledged != 0) {
            peer->acknowledged = 0;
            peer->acknowledge_after = match->world.tick;
            match->statistics.full_requests++;
        }
    } else if (input->snapshot_tick > peer->acknowledged && input->snapshot_tick > peer->acknowledge_after &&
               input->snapshot_tick <= match->world.tick) {
        peer->acknowledged = input->snapshot_tick;
        peer->heard_us = now_us;
    }
    if (newest)
        peer->newest_input = input->newest_tick;
}

static void take_inputs(struct match *match, struct peer *peer, const struct input_message *input, uint64_t now_us)
{
    uint64_t elapsed_us = now_us > match->stepped_us ? now_us - match->stepped_us : 0;
    uint64_t quarters = (elapsed_us * 4 * TICKS_PER_SECOND + 999999) / 1000000;
    uint32_t late = peer->inputs.late;
    for (uint32_t i = 0; i < input->count; i++)
        input_queue_push(&peer->inputs, input->newest_tick - (input->count - 1) + i, input->inputs[i],
                         match->world.tick, quarters > 1000 ? 1000 : (uint32_t)quarters);
    match->statistics.inputs_late += peer->inputs.late - late;
}

void peer_message(struct match *match, uint32_t index, const uint8_t *bytes, size_t byte_count, uint64_t now_us)
{
    struct peer *peer = &match->peers[index];
    struct message message;
    if (peer->state == PEER_FREE || peer->state == PEER_LEAVING)
        return;
    bool good = message_decode(&message, bytes, byte_count);
    if (good && message.kind == MESSAGE_JOIN && peer->state == PEER_CONNECTED) {
        join(match, index, &message.as.join, now_us);
    } else if (good && message.kind == MESSAGE_READY && peer->state == PEER_LOADING) {
        ready(match, index, message.as.ready, now_us);
    } else if (good && message.kind == MESSAGE_INPUT && peer->state == PEER_PLAYING) {
        if (is_of_old_ticks(match, &message.as.input))
            return;
        acknowledge(match, peer, &message.as.input, now_us);
        take_inputs(match, peer, &message.as.input, now_us);
    } else if (good && message.kind == MESSAGE_CHAT_SEND &&
               (peer->state == PEER_LOADING || peer->state == PEER_PLAYING)) {
        chat_handle(match, index, &message.as.say, now_us);
    } else if (!good || message.kind != MESSAGE_INPUT || peer->state == PEER_CONNECTED) {
        malformed(match, index); // an input may overtake READY, nothing else comes out of turn
    }
}

void peer_expire(struct match *match, uint32_t index, uint64_t now_us)
{
    static const uint64_t patience_us[] = {[PEER_CONNECTED] = PEER_JOIN_US_MAX,
                                           [PEER_LOADING] = PEER_LOAD_US_MAX,
                                           [PEER_PLAYING] = PEER_SILENT_US_MAX,
                                           [PEER_LEAVING] = PEER_JOIN_US_MAX};
    struct peer *peer = &match->peers[index];
    if (peer->state == PEER_FREE || now_us - peer->heard_us < patience_us[peer->state])
        return;
    if (peer->state == PEER_LEAVING) {
        transport_disconnect(match->transport, index, DENY_SILENT, true);
        peer_disconnected(match, index);
    } else {
        match_drop(match, index, DENY_SILENT);
        peer->heard_us = now_us;
    }
}
