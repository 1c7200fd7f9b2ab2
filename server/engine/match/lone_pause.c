// SPDX-License-Identifier: MIT
#include "lone_pause.h"

#include <string.h>

#include "peer.h"

static bool has_others(const struct match *match, const uint8_t *identity)
{
    for (uint32_t i = 0; i < match->peer_end; i++) {
        const struct peer *peer = &match->peers[i];
        if (peer_has_seat(peer) && memcmp(peer->client.identity, identity, IDENTITY_BYTES) != 0)
            return true;
    }
    return false;
}

bool lone_pause_may(const struct match *match, uint32_t peer)
{
    return peer < MATCH_PEER_CAPACITY && peer_has_seat(&match->peers[peer]) &&
           !has_others(match, match->peers[peer].client.identity);
}

void lone_pause_begin(struct match *match, uint32_t peer)
{
    match->paused_alone = true;
    memcpy(match->lone_player, match->peers[peer].client.identity, IDENTITY_BYTES);
}

void lone_pause_end(struct match *match)
{
    match->paused_alone = false;
}

void lone_pause_step(struct match *match)
{
    if (!match->paused_alone || !has_others(match, match->lone_player) ||
        match->command_count == MATCH_COMMAND_CAPACITY)
        return;
    if (match->world.round.paused != PAUSE_STALLED) // or the command to pause is queued before this one
        match->commands[match->command_count++] = (struct command){.kind = COMMAND_PAUSE, .paused = PAUSE_NONE};
    match->paused_alone = false;
}
