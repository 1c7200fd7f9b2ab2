// SPDX-License-Identifier: MIT
//
// The one vote that may be open in a match: a question, two to six choices, a choice for each player, and an end. All
// clients see the counts after each vote. The caller decides what the question is and what follows from the result.
#ifndef MATCH_VOTE_H
#define MATCH_VOTE_H

#include "match_state.h"

/// How long a vote that a player calls is open. At the end of a match, the vote on the next map has the time that is
/// left.
#define VOTE_TICKS (20 * TICKS_PER_SECOND)
/// No choice.
#define VOTE_NONE UINT32_MAX

/// Opens a vote on 2 to VOTE_CHOICE_CAPACITY choices for a number of ticks. Texts that are too long are cut. Returns
/// false if a vote is open already.
bool vote_open(struct match *match, const char *question, const char *const *choices, uint32_t choice_count,
               uint32_t ticks);

/// Takes the choice (from 0) of a playing client in place of its earlier one. Returns false if no vote is open or it
/// has no such choice.
bool vote_cast(struct match *match, uint32_t peer, uint32_t choice);

/// Counts the votes, each tick. The vote ends as soon as more than half of the players have made one choice, or at its
/// end tick; `ended` is true then, once, and the result is the choice with the most votes, the first of equals.
/// Returns VOTE_NONE while the vote is open, and if nobody has voted.
uint32_t vote_count(struct match *match, bool *ended);

/// Ends the open vote, if there is one, without a result.
void vote_end(struct match *match);

#endif
