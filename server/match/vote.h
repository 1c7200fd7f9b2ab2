// SPDX-License-Identifier: MIT
//
// The one vote that may be open in a match: a question, two to six choices, a choice for each player, and an end. Each
// vote cast is told to all. What is voted on, and what follows from the result, is the operator's affair.
#ifndef MATCH_VOTE_H
#define MATCH_VOTE_H

#include "game/player/player.h"
#include "wire/message.h"

struct match;

/// No choice.
#define VOTE_NONE UINT32_MAX

/// Zero-initialise: none is open.
struct vote {
    struct vote_message ballot;       ///< choice_count 0: none is open
    tick end_tick;                    ///< when it is counted
    uint32_t chosen[PLAYER_CAPACITY]; ///< by slot, from 1; 0: not yet
};

/// Opens a vote on 2 to VOTE_CHOICE_CAPACITY choices and tells everybody. Texts that are too long are cut. False: one
/// is open already.
bool vote_open(struct match *match, const char *question, const char *const *choices, uint32_t choice_count,
               uint32_t ticks);
/// A client with a seat chooses, from 0 on; he may change his mind. False: no vote is open, or it has no such choice.
bool vote_cast(struct match *match, uint32_t peer, uint32_t choice);
/// Each tick. The choice that has won, once: as soon as more than half of the players chose it, or at the end the one
/// with most votes, the first of equals. VOTE_NONE while it is open, and when nobody has voted; `ended` tells which.
uint32_t vote_count(struct match *match, bool *ended);
/// Ends it without a result.
void vote_end(struct match *match);

#endif
