// SPDX-License-Identifier: MIT
//
// What was said in a match and not yet shown, and the vote that is open, as the server told them. Bounded: who does not
// take lines loses the oldest. Owned by the client; the window and the tests take from it through client.h.
#ifndef CLIENT_TALK_H
#define CLIENT_TALK_H

#include "wire/message.h"

/// Lines kept until they are taken.
#define TALK_LINES 32

/// One line.
struct talk_line {
    uint32_t from;  ///< slot + 1 of who said it; 0: the server
    uint32_t flags; ///< TALK_TEAM, TALK_PRIVATE
    uint64_t heard_us;
    char text[TALK_BYTES_MAX + 1];
};

/// Zero-initialise.
struct talk {
    uint32_t count, taken; ///< lines ever; the newest stands at (count - 1) % TALK_LINES
    struct talk_line lines[TALK_LINES];
    struct ballot_message ballot;
    uint64_t ballot_us; ///< when it came
};

/// A line or a ballot has come.
void talk_heard(struct talk *talk, const struct talk_message *message, uint64_t now_us);
void talk_voted(struct talk *talk, const struct ballot_message *ballot, uint64_t now_us);

/// Takes the oldest line that has not been taken. False: there is none.
bool talk_next(struct talk *talk, struct talk_line *line);

/// The vote that is open, its ticks counted down to now. False: none is, or its time is long over.
bool talk_ballot(const struct talk *talk, uint64_t now_us, struct ballot_message *ballot);

#endif
