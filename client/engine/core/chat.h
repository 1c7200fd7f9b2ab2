// SPDX-License-Identifier: MIT
//
// The chat lines of a match that nobody has read yet, and the open vote, as the server sent them. Bounded: a reader
// that falls behind loses the oldest lines. Owned by the client; the window and the tests read it through client.h.
#ifndef CORE_CHAT_H
#define CORE_CHAT_H

#include "wire/message.h"

/// Lines kept until they are read.
#define CHAT_LINES 32

/// One line.
struct chat_line {
    uint32_t from;  ///< slot + 1 of the author; 0: the server
    uint32_t flags; ///< CHAT_TEAM, CHAT_PRIVATE
    uint64_t heard_us;
    char text[CHAT_LINE_BYTES_MAX + 1];
};

/// Zero-initialise.
struct chat {
    uint32_t count; ///< lines received; the newest is at (count - 1) % CHAT_LINES
    uint32_t taken; ///< lines read or lost
    struct chat_line lines[CHAT_LINES];
    struct vote_message vote;
    uint64_t vote_us; ///< when it came
};

/// Adds a line.
void chat_receive(struct chat *chat, const struct chat_line_message *message, uint64_t now_us);
/// Sets the open vote; one without choices ends it.
void chat_set_vote(struct chat *chat, const struct vote_message *vote, uint64_t now_us);

/// Takes the oldest line that has not been read. False if there is none.
bool chat_next(struct chat *chat, struct chat_line *line);

/// Gets the open vote, its ticks counted down to now. False if there is none, or its end is more than 5 s overdue.
bool chat_open_vote(const struct chat *chat, uint64_t now_us, struct vote_message *vote);

#endif
