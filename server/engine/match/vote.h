// SPDX-License-Identifier: MIT
//
// The one vote that may be open in a match: a question, two to six choices, a choice for each household, and an end. Of
// several players in one household the last choice counts; players whose household is exempt choose for themselves. All
// clients see the counts after each vote, and the log says who asked and who chose what. The caller decides what the
// question is and what follows from the result.
#ifndef MATCH_VOTE_H
#define MATCH_VOTE_H

#include "match_state.h"

/// How long a vote that a player calls is open. At the end of a match, the vote on the next map has the time that is
/// left.
#define VOTE_TICKS (20 * TICKS_PER_SECOND)
/// How long somebody has to play before they take part in a restricted vote: a minute. Exempt households need not.
#define VOTE_SENIORITY_TICKS (60 * TICKS_PER_SECOND)
/// A restricted vote needs so many votes at least.
#define VOTE_RESTRICTED_MIN 2
/// After so many failed votes in so long a time, ten minutes, a household waits until the first of them is that old.
#define VOTE_FAILURES_MAX  3
#define VOTE_FAILURE_TICKS (600 * TICKS_PER_SECOND)
/// Bytes of a vote as vote_write() writes it.
#define VOTE_NOTE_BYTES_MAX 8192
/// No choice.
#define VOTE_NONE UINT32_MAX

/// Opens a vote on 2 to VOTE_CHOICE_CAPACITY choices for a number of ticks. Texts that are too long are cut. Returns
/// false if a vote is open already.
bool vote_open(struct match *match, const char *question, const char *const *choices, uint32_t choice_count,
               uint32_t ticks);

/// Opens a vote of a playing client on yes or no, and takes their yes. Only those who vote_has_seniority() take part in
/// a restricted one, which passes with more than half of them and VOTE_RESTRICTED_MIN at least. Returns false like
/// vote_open().
bool vote_ask(struct match *match, uint32_t peer, const char *question, bool is_restricted);

/// Returns how long a client has to wait before they may ask for a vote, because too many of their household's have
/// failed; 0: they may. Exempt households never wait.
uint32_t vote_wait_ticks(const struct match *match, uint32_t peer);

/// Returns whether a client may ask for a restricted vote, and take part in one.
bool vote_has_seniority(const struct match *match, uint32_t peer);

/// Returns whether a client takes no part because HOUSEHOLD_SITE_MAX other households of its site, which were here
/// before it, do.
bool vote_site_is_full(const struct match *match, uint32_t peer);

/// Takes the choice (from 0) of a playing client in place of the earlier one of its household. Returns false if no vote
/// is open, if it has no such choice, or if the client may not take part.
bool vote_cast(struct match *match, uint32_t peer, uint32_t choice);

/// Returns what the player of a slot has chosen; VOTE_NONE: nothing that counts.
uint32_t vote_choice(const struct match *match, uint32_t slot);

/// Counts the votes, each tick. The vote ends as soon as more than half of the households have made one choice, or at
/// its end tick; `ended` is true then, once, and the result is the choice with the most votes, the first of equals.
/// Returns VOTE_NONE while the vote is open, and if nobody has voted.
uint32_t vote_count(struct match *match, bool *ended);

/// Shows the open vote, if there is one, to a client that begins to play.
void vote_show(struct match *match, uint32_t peer);

/// Writes the open vote, or that there is none. Returns the bytes, at least 1.
size_t vote_write(const struct match *match, uint8_t bytes[VOTE_NOTE_BYTES_MAX]);

/// Opens the vote that an earlier server has written, in a restored match that has its players. Returns false,
/// and opens none, if these are not the bytes of a vote.
bool vote_read(struct match *match, const uint8_t *bytes, size_t byte_count);

/// Ends the open vote, if there is one, without a result.
void vote_end(struct match *match);

#endif
