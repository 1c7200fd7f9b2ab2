// SPDX-License-Identifier: MIT
#include "chat.h"

#include <string.h>

#include "sync/world.h"

// The server forgot to end a vote that is overdue for this long.
#define VOTE_OVERDUE_TICKS (5u * TICKS_PER_SECOND)

void chat_receive(struct chat *chat, const struct chat_line_message *message, uint64_t now_us)
{
    struct chat_line *line = &chat->lines[chat->count++ % CHAT_LINES];
    *line = (struct chat_line){.from = message->from, .flags = message->flags, .heard_us = now_us};
    memcpy(line->text, message->text, sizeof line->text);
    if (chat->count - chat->taken > CHAT_LINES)
        chat->taken = chat->count - CHAT_LINES;
}

void chat_set_vote(struct chat *chat, const struct vote_message *vote, uint64_t now_us)
{
    chat->vote = *vote;
    chat->vote_us = now_us;
}

bool chat_next(struct chat *chat, struct chat_line *line)
{
    if (chat->taken == chat->count)
        return false;
    *line = chat->lines[chat->taken++ % CHAT_LINES];
    return true;
}

bool chat_open_vote(const struct chat *chat, uint64_t now_us, struct vote_message *vote)
{
    uint64_t elapsed = now_us > chat->vote_us ? (now_us - chat->vote_us) * TICKS_PER_SECOND / 1000000 : 0;
    *vote = chat->vote;
    if (vote->choice_count == 0 || elapsed > vote->ticks_left + VOTE_OVERDUE_TICKS)
        return false;
    vote->ticks_left = elapsed < vote->ticks_left ? vote->ticks_left - (uint32_t)elapsed : 0;
    return true;
}
