// SPDX-License-Identifier: MIT
#include "talk.h"

#include <string.h>

#include "game/input.h"

// A ballot without a word about its end: the server has forgotten it.
#define BALLOT_OVERDUE_TICKS (5u * TICKS_PER_SECOND)

void talk_heard(struct talk *talk, const struct talk_message *message, uint64_t now_us)
{
    struct talk_line *line = &talk->lines[talk->count++ % TALK_LINES];
    *line = (struct talk_line){.from = message->from, .flags = message->flags, .heard_us = now_us};
    memcpy(line->text, message->text, sizeof line->text);
    if (talk->count - talk->taken > TALK_LINES)
        talk->taken = talk->count - TALK_LINES;
}

void talk_voted(struct talk *talk, const struct ballot_message *ballot, uint64_t now_us)
{
    talk->ballot = *ballot;
    talk->ballot_us = now_us;
}

bool talk_next(struct talk *talk, struct talk_line *line)
{
    if (talk->taken == talk->count)
        return false;
    *line = talk->lines[talk->taken++ % TALK_LINES];
    return true;
}

bool talk_ballot(const struct talk *talk, uint64_t now_us, struct ballot_message *ballot)
{
    uint64_t gone = now_us > talk->ballot_us ? (now_us - talk->ballot_us) * TICKS_PER_SECOND / 1000000 : 0;
    *ballot = talk->ballot;
    if (ballot->choice_count == 0 || gone > ballot->ticks_left + BALLOT_OVERDUE_TICKS)
        return false;
    ballot->ticks_left = gone < ballot->ticks_left ? ballot->ticks_left - (uint32_t)gone : 0;
    return true;
}
