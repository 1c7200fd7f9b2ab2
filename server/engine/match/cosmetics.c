// SPDX-License-Identifier: MIT
#include "cosmetics.h"

#include <string.h>

#include "peer.h"

static struct message message_of(const struct match *match, uint32_t first, uint32_t end)
{
    struct message message = {.kind = MESSAGE_HATS, .as.hats = {.first = first, .count = end - first}};
    memcpy(message.as.hats.hats, match->hats + first, end - first);
    return message;
}

void cosmetics_broadcast(struct match *match)
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
    struct message message = message_of(match, first, end);
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++)
        if (peer_has_seat(&match->peers[i]))
            peer_send(match, i, &message);
}

void cosmetics_send_all(struct match *match, uint32_t peer)
{
    uint32_t end = PLAYER_CAPACITY;
    while (end > 0 && match->hats[end - 1] == HAT_NONE)
        end--;
    if (end == 0)
        return;
    struct message message = message_of(match, 0, end);
    peer_send(match, peer, &message);
}
