// SPDX-License-Identifier: MIT
//
// What was said in a match and not yet shown, and the vote that is open, as the server told them. Bounded: who does not
// take lines loses the oldest. Owned by the client; the window and the tests take from it through client.h.
#ifndef CORE_CHAT_H
#define CORE_CHAT_H

#include "wire/message.h"

/// Lines kept until they are taken.
#define CHAT_LINES 32

/// One line.
struct chat_line {
    uint32_t from;  ///< slot + 1 of who said it; 0: the server
    uint32_t flags; ///< CHAT_TEAM, CHAT_PRIVATE
    uint64_t heard_us;
    char text[CHAT_LINE_BYTES_MAX + 1];
};

/// Zero-initialise.
struct chat {
    uint32_t count, taken; ///< lines ever; the newest stands at (count - 1) % CHAT_LINES
    struct chat_line lines[CHAT_LINES];
    struct vote_message ballot;
    uint64_t ballot_us; ///< when it came
};

/// A line or a ballot has come.
void chat_receive(struct chat *talk, const struct chat_line_message *message, uint64_t now_us);
void chat_set_vote(struct chat *talk, const struct vote_message *ballot, uint64_t now_us);

/// Takes the oldest line that has not been taken. False: there is none.
bool chat_next(struct chat *talk, struct chat_line *line);

/// The vote that is open, its ticks counted down to now. False: none is, or its time is long over.
bool chat_open_vote(const struct chat *talk, uint64_t now_us, struct vote_message *ballot);

#endif
