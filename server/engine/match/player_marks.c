// SPDX-License-Identifier: MIT
#include "player_marks.h"

#include <string.h>

#include "net/crypto/player_tag.h"
#include "peer.h"

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

void player_marks_send_hats(struct match *match, uint32_t peer)
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
            player_tag(match->peers[peer].client.identity, match->roster.seats[slot].key.identity,
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

void player_marks_send_tags(struct match *match, uint32_t peer)
{
    uint32_t end = PLAYER_CAPACITY;
    while (end > 0 && !match->tagged[end - 1])
        end--;
    for (uint32_t first = 0; first < end; first += TAGS_CAPACITY)
        send_tags(match, peer, first, end - first < TAGS_CAPACITY ? end : first + TAGS_CAPACITY);
}

void player_marks_broadcast(struct match *match)
{
    broadcast_hats(match);
    broadcast_tags(match);
}
