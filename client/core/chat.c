// SPDX-License-Identifier: MIT
#include "chat.h"

#include <string.h>

#include "game/input.h"

// A ballot without a word about its end: the server has forgotten it.
#define BALLOT_OVERDUE_TICKS (5u * TICKS_PER_SECOND)

void chat_receive(struct chat *talk, const struct chat_line_message *message, uint64_t now_us)
{
    struct chat_line *line = &talk->lines[talk->count++ % CHAT_LINES];
    *line = (struct chat_line){.from = message->from, .flags = message->flags, .heard_us = now_us};
    memcpy(line->text, message->text, sizeof line->text);
    if (talk->count - talk->taken > CHAT_LINES)
        talk->taken = talk->count - CHAT_LINES;
}

void chat_set_vote(struct chat *talk, const struct vote_message *ballot, uint64_t now_us)
{
    talk->ballot = *ballot;
    talk->ballot_us = now_us;
}

bool chat_next(struct chat *talk, struct chat_line *line)
{
    if (talk->taken == talk->count)
        return false;
    *line = talk->lines[talk->taken++ % CHAT_LINES];
    return true;
}

bool chat_open_vote(const struct chat *talk, uint64_t now_us, struct vote_message *ballot)
{
    uint64_t gone = now_us > talk->ballot_us ? (now_us - talk->ballot_us) * TICKS_PER_SECOND / 1000000 : 0;
    *ballot = talk->ballot;
    if (ballot->choice_count == 0 || gone > ballot->ticks_left + BALLOT_OVERDUE_TICKS)
        return false;
    ballot->ticks_left = gone < ballot->ticks_left ? ballot->ticks_left - (uint32_t)gone : 0;
    return true;
}
