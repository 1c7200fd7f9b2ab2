// SPDX-License-Identifier: MIT
#include "vote.h"

#include <stdio.h>
#include <string.h>

#include "match.h"

static uint32_t own_choice(const struct match *match, const struct peer *peer)
{
    return match->vote.ballot.choice_count > 0 ? match->vote.chosen[peer->slot] : 0;
}

static void tell(struct match *match, uint32_t index)
{
    const struct peer *peer = &match->peers[index];
    struct message message = {.kind = MESSAGE_VOTE, .as.ballot = match->vote.ballot};
    if (peer->state != PEER_PLAYING)
        return;
    message.as.ballot.own = own_choice(match, peer);
    if (message.as.ballot.choice_count > 0)
        message.as.ballot.ticks_left = match->vote.end_tick - match->world.tick;
    match_send(match, index, &message);
}

static void tell_all(struct match *match)
{
    for (uint32_t i = 0; i < MATCH_PEER_CAPACITY; i++)
        tell(match, i);
}

// Whole characters of UTF-8, up to a number of bytes.
static void cut(char *target, size_t byte_count_max, const char *text)
{
    size_t count = strnlen(text, byte_count_max);
    while (text[count] != 0 && count > 0 && ((uint8_t)text[count] & 0xC0) == 0x80)
        count--;
    memcpy(target, text, count);
    target[count] = '\0';
}

bool vote_open(struct match *match, const char *question, const char *const *choices, uint32_t choice_count,
               uint32_t ticks)
{
    struct vote *vote = &match->vote;
    if (vote->ballot.choice_count > 0 || choice_count < 2 || choice_count > VOTE_CHOICE_CAPACITY)
        return false;
    *vote = (struct vote){.end_tick = match->world.tick + ticks};
    vote->ballot.choice_count = choice_count;
    cut(vote->ballot.question, VOTE_QUESTION_BYTES_MAX, question);
    for (uint32_t i = 0; i < choice_count; i++)
        cut(vote->ballot.choices[i].text, VOTE_CHOICE_BYTES_MAX, choices[i]);
    tell_all(match);
    return true;
}

// Votes of those who are gone by now do not count.
static void count_votes(struct match *match)
{
    struct vote *vote = &match->vote;
    for (uint32_t i = 0; i < vote->ballot.choice_count; i++)
        vote->ballot.choices[i].votes = 0;
    for (uint32_t slot = 0; slot < match->roster.seat_count; slot++)
        if (vote->chosen[slot] > 0 && match->roster.seats[slot].kind == SEAT_PLAYER)
            vote->ballot.choices[vote->chosen[slot] - 1].votes++;
}

bool vote_cast(struct match *match, uint32_t peer, uint32_t choice)
{
    struct vote *vote = &match->vote;
    if (choice >= vote->ballot.choice_count || match->peers[peer].state != PEER_PLAYING)
        return false;
    vote->chosen[match->peers[peer].slot] = choice + 1;
    count_votes(match);
    tell_all(match);
    return true;
}

static uint32_t leader(const struct vote *vote)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < vote->ballot.choice_count; i++)
        if (vote->ballot.choices[i].votes > vote->ballot.choices[best].votes)
            best = i;
    return best;
}

uint32_t vote_count(struct match *match, bool *ended)
{
    struct vote *vote = &match->vote;
    *ended = false;
    if (vote->ballot.choice_count == 0)
        return VOTE_NONE;
    count_votes(match);
    uint32_t best = leader(vote), votes = vote->ballot.choices[best].votes;
    *ended =
        votes * 2 > roster_count(&match->roster, SEAT_PLAYER) || (int32_t)(match->world.tick - vote->end_tick) >= 0;
    if (!*ended)
        return VOTE_NONE;
    vote_end(match);
    return votes > 0 ? best : VOTE_NONE;
}

void vote_end(struct match *match)
{
    if (match->vote.ballot.choice_count == 0)
        return;
    match->vote = (struct vote){.end_tick = 0};
    tell_all(match);
}
