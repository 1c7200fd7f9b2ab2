// SPDX-License-Identifier: MIT
#include "notices.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"

// How long a message of the server stays on the screen.
#define SYSTEM_MESSAGE_US (8 * CLOCK_SECOND_US)
// The server forgot to end a vote that is overdue for this long.
#define VOTE_OVERDUE_TICKS (5u * TICKS_PER_SECOND)
// The time after which one more message about vouches is heard.
#define VOUCH_PERIOD_US (10 * CLOCK_SECOND_US)

void notices_take(struct notices *notices, const struct message *message, uint64_t now_us)
{
    const struct chat_line_message *line = &message->as.chat_line;
    const struct hats_message *hats = &message->as.hats;
    const struct tags_message *tags = &message->as.tags;
    if (message->kind == MESSAGE_CHAT_LINE) {
        struct chat_line *heard = &notices->lines[notices->line_count++ % CHAT_LINES];
        *heard = (struct chat_line){.from = line->from, .flags = line->flags, .heard_us = now_us};
        memcpy(heard->text, line->text, sizeof heard->text);
        if (notices->line_count - notices->lines_read > CHAT_LINES)
            notices->lines_read = notices->line_count - CHAT_LINES;
    } else if (message->kind == MESSAGE_VOTE) {
        notices->vote = message->as.vote;
        notices->vote_us = now_us;
    } else if (message->kind == MESSAGE_SYSTEM) {
        snprintf(notices->system, sizeof notices->system, "%s", message->as.system);
        notices->system_us = now_us;
    } else if (message->kind == MESSAGE_HATS) {
        memcpy(notices->hats + hats->first, hats->hats, hats->count);
    } else if (message->kind == MESSAGE_TAGS) {
        memcpy(notices->tags[tags->first], tags->tags, tags->count * sizeof *notices->tags);
    } else if (message->kind == MESSAGE_VOUCH) {
        memcpy(notices->vouch, message->as.vouch, sizeof notices->vouch);
        notices->has_vouch = true;
    } else if (message->kind == MESSAGE_TRUSTED) {
        notices->trusted = message->as.trusted;
        notices->has_trusted = true;
    }
}

void notices_reconnect(struct notices *notices)
{
    notices->vote.choice_count = 0;
    memset(notices->tags, 0, sizeof notices->tags);
    notices->has_trusted = false;
    notices->shown = 0;
}

bool notices_next_line(struct notices *notices, struct chat_line *line)
{
    if (notices->lines_read == notices->line_count)
        return false;
    *line = notices->lines[notices->lines_read++ % CHAT_LINES];
    return true;
}

bool notices_open_vote(const struct notices *notices, uint64_t now_us, struct vote_message *vote)
{
    uint64_t elapsed = now_us > notices->vote_us ? (now_us - notices->vote_us) * TICKS_PER_SECOND / CLOCK_SECOND_US : 0;
    *vote = notices->vote;
    if (vote->choice_count == 0 || elapsed > vote->ticks_left + VOTE_OVERDUE_TICKS)
        return false;
    vote->ticks_left = elapsed < vote->ticks_left ? vote->ticks_left - (uint32_t)elapsed : 0;
    return true;
}

const char *notices_system_message(const struct notices *notices, uint64_t now_us)
{
    return now_us - notices->system_us < SYSTEM_MESSAGE_US ? notices->system : "";
}

// A bucket of NOTICES_VOUCH_BURST tokens that is full at a time.
static bool take_token(uint64_t *full_us, uint64_t now_us)
{
    uint64_t full = *full_us > now_us ? *full_us : now_us;
    if (full - now_us > (NOTICES_VOUCH_BURST - 1) * VOUCH_PERIOD_US)
        return false;
    *full_us = full + VOUCH_PERIOD_US;
    return true;
}

void notices_exchange_vouches(struct notices *notices, const struct client_vouches *vouches,
                              struct connection *connection, uint32_t players, uint64_t now_us)
{
    if (notices->has_vouch && take_token(&notices->vouch_full_us, now_us))
        notices_keep_vouch(notices, vouches, connection->context);
    if (!notices->has_trusted || !take_token(&notices->trusted_full_us, now_us))
        return;
    // The player shows what servers have said about them to a server that believes those.
    struct message message = {.kind = MESSAGE_SHOW};
    notices->has_trusted = false;
    for (uint32_t local = 0; local < LOCAL_PLAYERS && vouches->find; local++)
        for (uint32_t i = 0; i < notices->trusted.count && players & ~notices->shown & 1u << local; i++)
            if (vouches->find(connection->context, local, notices->trusted.fingerprints[i], message.as.show))
                connection_send(connection, &message);
    notices->shown |= players;
}

void notices_keep_vouch(struct notices *notices, const struct client_vouches *vouches, void *context)
{
    if (notices->has_vouch && vouches->keep)
        vouches->keep(context, notices->vouch);
    notices->has_vouch = false;
}
