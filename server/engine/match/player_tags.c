// SPDX-License-Identifier: MIT
#include "player_tags.h"

#include <string.h>

#include "net/crypto/player_tag.h"
#include "peer.h"

_Static_assert(MESSAGE_TAG_BYTES == PLAYER_TAG_BYTES, "a tag on the wire");

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

void player_tags_broadcast(struct match *match)
{
    for (uint32_t first = 0, end; first<match->players_max; first = end> first ? end : first + 1) {
        end = take_changed(match, first);
        for (uint32_t i = 0; end > first && i < MATCH_PEER_CAPACITY; i++)
            if (peer_has_seat(&match->peers[i]))
                send_tags(match, i, first, end);
    }
}

void player_tags_send_all(struct match *match, uint32_t peer)
{
    uint32_t end = PLAYER_CAPACITY;
    while (end > 0 && !match->tagged[end - 1])
        end--;
    for (uint32_t first = 0; first < end; first += TAGS_CAPACITY)
        send_tags(match, peer, first, end - first < TAGS_CAPACITY ? end : first + TAGS_CAPACITY);
}
