// SPDX-License-Identifier: MIT
#include "chat.h"

#include <stdio.h>
#include <string.h>

#include "match.h"
#include "text.h"

static const struct rate_limit_rate HEARD = {.per_s = 1, .burst = CHAT_BURST};

static bool has_seat(const struct peer *peer)
{
    return peer->state == PEER_LOADING || peer->state == PEER_PLAYING;
}

static void fill(struct chat_line_message *talk, const char *text)
{
    size_t length = strnlen(text, CHAT_LINE_BYTES_MAX + 1);
    for (length = length > CHAT_LINE_BYTES_MAX ? CHAT_LINE_BYTES_MAX : length; ((uint8_t)text[length] & 0xC0) == 0x80;)
        length--; // whole characters
    memcpy(talk->text, text, length);
    talk->text[length] = '\0';
}

void chat_send_system(struct match *match, uint32_t peer, const char *text)
{
    struct message message = {.kind = MESSAGE_CHAT_LINE, .as.talk.flags = CHAT_PRIVATE};
    fill(&message.as.talk, text);
    if (message.as.talk.text[0] && has_seat(&match->peers[peer]))
        match_send(match, peer, &message);
}

// To the members of a team; team 0 is everyone.
static void spread(struct match *match, const struct message *message, uint32_t team)
{
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++) {
        const struct peer *peer = &match->peers[i];
        if (has_seat(peer) && (team == 0 || match->world.players[peer->slot].team == team))
            match_send(match, i, message);
    }
}

void chat_broadcast_system(struct match *match, const char *text)
{
    struct message message = {.kind = MESSAGE_CHAT_LINE};
    fill(&message.as.talk, text);
    if (message.as.talk.text[0])
        spread(match, &message, 0);
}

static void tell_others(struct match *match, uint32_t slot, bool team, const char *text)
{
    char name[PLAYER_NAME_BYTES + 1];
    struct message message = {.kind = MESSAGE_CHAT_LINE, .as.talk = {.from = slot + 1, .flags = team ? CHAT_TEAM : 0}};
    fill(&message.as.talk, text);
    name_to_text(match->roster.seats[slot].name, name);
    log_write(match->log, LOG_INFO, "%s%s: %s", name, team ? " to the team" : "", text);
    spread(match, &message, team ? match->world.players[slot].team : 0);
}

void chat_handle(struct match *match, uint32_t index, const struct chat_send_message *say, uint64_t now_us)
{
    struct peer *peer = &match->peers[index];
    char text[CHAT_SEND_BYTES_MAX + 1];
    if (!rate_limit_take(&peer->speaker.bucket, HEARD, now_us * 1000)) {
        if (!peer->speaker.told)
            chat_send_system(match, index, "You talk too fast to be heard. Wait a second.");
        peer->speaker.told = true;
        return;
    }
    peer->speaker.told = false;
    size_t length = text_clean(text, say->text, CHAT_SEND_BYTES_MAX);
    if (length == 0 || strcmp(text, "/") == 0)
        return;
    if (text[0] != '/')
        tell_others(match, peer->slot, say->team, text);
    else if (match->listener.command)
        match->listener.command(match->listener.context, index, text + 1);
    else
        chat_send_system(match, index, "This server takes no commands.");
}
