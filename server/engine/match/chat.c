// SPDX-License-Identifier: MIT
#include "match_state.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "sync/game.h"
#include "sync/player_name.h"

#define EVERYBODY PLAYER_CAPACITY

static const struct rate_limit_rate LINE_RATE = {.per_s = 1, .burst = CHAT_BURST};

// Returns whether a client has a player in the team of the player in a slot.
static bool has_team_mate(const struct match *match, const struct peer *peer, uint32_t team_of)
{
    for (uint32_t local = 0; local < LOCAL_PLAYERS; local++)
        if (peer->seats.of[local] && game_is_team_mate(&match->world, team_of, peer->seats.of[local] - 1))
            return true;
    return false;
}

// Sends to everyone with a seat, or to the team of the player in a slot.
static void broadcast(struct match *match, const struct message *message, uint32_t team_of)
{
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++) {
        const struct peer *peer = &match->peers[i];
        if (peer_has_seat(peer) && (team_of == EVERYBODY || has_team_mate(match, peer, team_of)))
            peer_send(match, i, message);
    }
}

void chat_send_system(struct match *match, uint32_t peer, const char *text)
{
    struct message message = {.kind = MESSAGE_CHAT_LINE, .as.chat_line.flags = CHAT_PRIVATE};
    size_t length = utf8_clean(message.as.chat_line.text, sizeof message.as.chat_line.text, text, strlen(text));
    if (length > 0 && peer_has_seat(&match->peers[peer]))
        peer_send(match, peer, &message);
}

void chat_broadcast_system(struct match *match, const char *text)
{
    struct message message = {.kind = MESSAGE_CHAT_LINE};
    if (utf8_clean(message.as.chat_line.text, sizeof message.as.chat_line.text, text, strlen(text)) > 0)
        broadcast(match, &message, EVERYBODY);
}

bool chat_whisper(struct match *match, uint32_t from, uint32_t to, const char *text)
{
    uint32_t other = peer_at_slot(match, to);
    char name[PLAYER_NAME_BYTES + 1], to_name[PLAYER_NAME_BYTES + 1], echo[CHAT_LINE_BYTES_MAX + 1];
    struct message message = {.kind = MESSAGE_CHAT_LINE, .as.chat_line = {.from = from + 1, .flags = CHAT_PRIVATE}};
    if (other == MATCH_PEER_CAPACITY)
        return false;
    utf8_copy(message.as.chat_line.text, sizeof message.as.chat_line.text, text);
    player_name_to_text(match->roster.seats[from].name, name);
    player_name_to_text(match->roster.seats[to].name, to_name);
    log_event(match->log, LOG_INFO,
              &(struct fields){"whisper",
                               "{name} whispers to {to}",
                               {{"name", .text = name}, {"slot", .number = from}, {"to", .text = to_name}}});
    peer_send(match, other, &message);
    snprintf(echo, sizeof echo, "\xC2\xBB %s: %.*s", to_name, CHAT_SEND_BYTES_MAX, text);
    chat_send_system(match, peer_at_slot(match, from), echo);
    return true;
}

void chat_handle(struct match *match, uint32_t index, const struct chat_send_message *sent, uint64_t now_us)
{
    struct peer *peer = &match->peers[index];
    char text[CHAT_SEND_BYTES_MAX + 1];
    if (peer->seats.of[sent->local] == 0)
        return; // their match has just ended
    uint32_t slot = peer->seats.of[sent->local] - 1;
    if (!rate_limit_take(&peer->chat_sender.bucket, LINE_RATE, now_us * 1000)) {
        if (!peer->chat_sender.warned)
            chat_send_system(match, index, "You are sending messages too fast. Wait a second.");
        peer->chat_sender.warned = true;
        return;
    }
    peer->chat_sender.warned = false;
    size_t length = utf8_clean(text, sizeof text, sent->text, CHAT_SEND_BYTES_MAX);
    if (length == 0 || strcmp(text, "/") == 0)
        return;
    if (text[0] == '/') {
        if (match->listener.command)
            match->listener.command(match->listener.context, index, slot, text + 1);
        else
            chat_send_system(match, index, "This server takes no commands.");
        return;
    }
    char name[PLAYER_NAME_BYTES + 1];
    struct message message = {.kind = MESSAGE_CHAT_LINE,
                              .as.chat_line = {.from = slot + 1, .flags = sent->team ? CHAT_TEAM : 0}};
    utf8_copy(message.as.chat_line.text, sizeof message.as.chat_line.text, text);
    player_name_to_text(match->roster.seats[slot].name, name);
    log_event(match->log, LOG_INFO,
              &(struct fields){"chat",
                               sent->team ? "{name} to the team: {text}" : "{name}: {text}",
                               {{"name", .text = name},
                                {"slot", .number = slot},
                                {"text", .text = text},
                                {"team", .number = sent->team, .is_flag = true}}});
    broadcast(match, &message, sent->team ? slot : EVERYBODY);
}
