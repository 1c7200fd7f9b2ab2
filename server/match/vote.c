// SPDX-License-Identifier: MIT
#include "vote.h"

#include "base/utf8.h"
#include "peer.h"

static void broadcast(struct match *match)
{
    struct message message = {.kind = MESSAGE_VOTE, .as.vote = match->vote.message};
    bool open = match->vote.message.choice_count > 0;
    if (open)
        message.as.vote.ticks_left = match->vote.end_tick - match->world.tick;
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++) {
        if (match->peers[i].state != PEER_PLAYING)
            continue;
        message.as.vote.own = open ? match->vote.chosen[match->peers[i].slot] : 0;
        peer_send(match, i, &message);
    }
}

bool vote_open(struct match *match, const char *question, const char *const *choices, uint32_t choice_count,
               uint32_t ticks)
{
    struct vote *vote = &match->vote;
    struct vote_message *message = &vote->message;
    if (message->choice_count > 0 || choice_count < 2 || choice_count > VOTE_CHOICE_CAPACITY)
        return false;
    *vote = (struct vote){.end_tick = match->world.tick + ticks};
    message->choice_count = choice_count;
    utf8_clean(message->question, sizeof message->question, question, strlen(question));
    for (uint32_t i = 0; i < choice_count; i++)
        utf8_clean(message->choices[i].text, sizeof message->choices[i].text, choices[i], strlen(choices[i]));
    broadcast(match);
    return true;
}

// The votes of players who have left do not count.
static void count(struct match *match)
{
    struct vote *vote = &match->vote;
    for (uint32_t i = 0; i < vote->message.choice_count; i++)
        vote->message.choices[i].votes = 0;
    for (uint32_t slot = 0; slot < match->roster.seat_count; slot++)
        if (vote->chosen[slot] > 0 && match->roster.seats[slot].kind == SEAT_PLAYER)
            vote->message.choices[vote->chosen[slot] - 1].votes++;
}

bool vote_cast(struct match *match, uint32_t peer, uint32_t choice)
{
    struct vote *vote = &match->vote;
    if (choice >= vote->message.choice_count || match->peers[peer].state != PEER_PLAYING)
        return false;
    vote->chosen[match->peers[peer].slot] = choice + 1;
    count(match);
    broadcast(match);
    return true;
}

uint32_t vote_count(struct match *match, bool *ended)
{
    const struct vote_message *message = &match->vote.message;
    *ended = false;
    if (message->choice_count == 0)
        return VOTE_NONE;
    count(match);
    uint32_t best = 0;
    for (uint32_t i = 1; i < message->choice_count; i++)
        if (message->choices[i].votes > message->choices[best].votes)
            best = i;
    uint32_t votes = message->choices[best].votes;
    bool majority = votes * 2 > roster_count(&match->roster, SEAT_PLAYER);
    *ended = majority || (int32_t)(match->world.tick - match->vote.end_tick) >= 0;
    if (!*ended)
        return VOTE_NONE;
    vote_end(match);
    return votes > 0 ? best : VOTE_NONE;
}

void vote_end(struct match *match)
{
    if (match->vote.message.choice_count == 0)
        return;
    match->vote = (struct vote){.end_tick = 0};
    broadcast(match);
}
