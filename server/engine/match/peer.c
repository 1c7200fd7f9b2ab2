// SPDX-License-Identifier: MIT
#include "match_state.h"

#include <string.h>

#include "base/utf8.h"
#include "sync/player_name.h"

bool peer_has_seat(const struct peer *peer)
{
    return peer->state == PEER_LOADING || peer->state == PEER_PLAYING;
}

uint32_t peer_at_slot(const struct match *match, uint32_t slot)
{
    uint32_t index = 0;
    while (index < MATCH_PEER_CAPACITY &&
           !(peer_has_seat(&match->peers[index]) && local_seats_have(&match->peers[index].seats, slot)))
        index++;
    return index;
}

uint32_t peer_count_neighbours(const struct match *match, uint32_t end, uint64_t household)
{
    uint64_t found[HOUSEHOLD_SITE_MAX], site = household_site(household);
    uint32_t count = 0;
    for (uint32_t i = 0; i < end && count < HOUSEHOLD_SITE_MAX && site != household; i++) {
        uint64_t other = match->peers[i].client.household;
        uint32_t at = 0;
        if (!peer_has_seat(&match->peers[i]) || other == household || household_site(other) != site)
            continue;
        while (at < count && found[at] != other)
            at++;
        if (at == count)
            found[count++] = other;
    }
    return count;
}

void peer_enter(struct peer *peer, enum peer_state state, uint64_t now_us)
{
    peer->state = state;
    peer->heard_us = now_us;
}

void peer_log(const struct match *match, uint32_t index, uint32_t slot, const struct fields *fields)
{
    const struct peer *peer = &match->peers[index];
    char name[PLAYER_NAME_BYTES + 1], key[FINGERPRINT_TEXT_BYTES], address[NET_ADDRESS_TEXT_BYTES];
    struct fields all = *fields;
    size_t count = 0;
    while (all.of[count].name)
        count++;
    if (slot < PLAYER_CAPACITY) {
        player_name_to_text(match->roster.seats[slot].name, name);
        all.of[count++] = (struct field){"name", .text = name};
        all.of[count++] = (struct field){"slot", .number = slot};
    }
    identity_fingerprint(peer->client.identity, key);
    all.of[count++] = (struct field){"key", .text = key};
    net_address_text(&peer->client.address, address);
    all.of[count] = (struct field){"address", .text = address};
    log_event(match->log, LOG_INFO, &all);
}

void peer_connected(struct match *match, uint32_t index, const struct net_client *client, uint64_t now_us)
{
    peer_disconnected(match, index); // in case the transport reuses the number before it has reported the end
    match->peers[index] = (struct peer){.client = *client};
    peer_enter(&match->peers[index], PEER_CONNECTED, now_us);
    match->peer_count++;
    if (index >= match->peer_end)
        match->peer_end = index + 1;
}

// Logs why a client, or its player in a slot, is dropped.
static void log_drop(struct match *match, uint32_t index, uint32_t slot, enum deny_reason reason)
{
    match->statistics.denials++;
    peer_log(match, index, slot,
             &(struct fields){"drop",
                              "peer {peer} is dropped: {reason}",
                              {{"peer", .number = index}, {"reason", .text = message_deny_text(reason)}}});
}

// Ends the match of a player with a seat.
static void end_player(struct match *match, uint32_t index, uint32_t local, enum deny_reason reason)
{
    uint32_t *seat = &match->peers[index].seats.of[local];
    if (reason != DENY_REPLACED)
        roster_leave(&match->roster, *seat - 1, match->world.players);
    if (reason == DENY_NONE)
        peer_log(match, index, *seat - 1, &(struct fields){"leave", "slot {slot} left", {{0}}});
    else
        log_drop(match, index, *seat - 1, reason);
    *seat = 0;
}

static void end_players(struct match *match, uint32_t index, enum deny_reason reason)
{
    for (uint32_t local = 0; local < LOCAL_PLAYERS; local++)
        if (match->peers[index].seats.of[local])
            end_player(match, index, local, reason);
}

void peer_disconnected(struct match *match, uint32_t index)
{
    struct peer *peer = &match->peers[index];
    end_players(match, index, DENY_NONE);
    match->peer_count -= peer->state != PEER_FREE;
    peer->state = PEER_FREE;
    while (match->peer_end > 0 && match->peers[match->peer_end - 1].state == PEER_FREE)
        match->peer_end--;
}

bool peer_send(struct match *match, uint32_t index, const struct message *message)
{
    uint8_t bytes[MESSAGE_BYTES_MAX];
    size_t size = message_encode(message, bytes);
    bool sent = transport_send(match->transport, index, NET_RELIABLE, bytes, size);
    match->statistics.unsent += !sent;
    return sent;
}

void peer_explain(struct match *match, uint32_t index, const char *why)
{
    struct message message = {.kind = MESSAGE_SYSTEM};
    utf8_clean(message.as.system, sizeof message.as.system, why, strlen(why));
    peer_send(match, index, &message);
}

void peer_drop(struct match *match, uint32_t index, enum deny_reason reason)
{
    struct peer *peer = &match->peers[index];
    if (peer->state == PEER_FREE || peer->state == PEER_LEAVING)
        return;
    if (!peer_has_seat(peer))
        log_drop(match, index, PLAYER_CAPACITY, reason);
    end_players(match, index, reason);
    if (reason != DENY_NONE)
        peer_send(match, index, &(struct message){.kind = MESSAGE_DENY, .as.deny = reason});
    transport_disconnect(match->transport, index, reason, false);
    peer->state = PEER_LEAVING;
}

void peer_send_seats(struct match *match, uint32_t index, const enum deny_reason denied[LOCAL_PLAYERS])
{
    struct message message = {.kind = MESSAGE_SEATS, .as.seats.seats = match->peers[index].seats};
    if (denied)
        memcpy(message.as.seats.denied, denied, sizeof message.as.seats.denied);
    peer_send(match, index, &message);
}

void peer_drop_player(struct match *match, uint32_t index, uint32_t local, enum deny_reason reason)
{
    enum deny_reason denied[LOCAL_PLAYERS] = {[0] = DENY_NONE};
    if (local_seats_count(&match->peers[index].seats) == 1) {
        peer_drop(match, index, reason);
        return;
    }
    end_player(match, index, local, reason);
    denied[local] = reason;
    peer_send_seats(match, index, denied);
}

void peer_expire(struct match *match, uint32_t index, uint64_t now_us)
{
    static const uint64_t timeout_us[] = {[PEER_CONNECTED] = PEER_JOIN_US_MAX,
                                          [PEER_LOADING] = PEER_LOAD_US_MAX,
                                          [PEER_PLAYING] = PEER_SILENT_US_MAX,
                                          [PEER_LEAVING] = PEER_JOIN_US_MAX};
    struct peer *peer = &match->peers[index];
    if (peer->state == PEER_FREE || now_us - peer->heard_us < timeout_us[peer->state])
        return;
    if (peer->state == PEER_LEAVING) {
        transport_disconnect(match->transport, index, DENY_SILENT, true);
        peer_disconnected(match, index);
    } else {
        peer_drop(match, index, DENY_SILENT);
        peer->heard_us = now_us;
    }
}
