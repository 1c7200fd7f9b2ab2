// SPDX-License-Identifier: MIT
//
// What people tell a match in words: one table of commands, each with its arguments, its sentence for /help, and what
// it does. Lines come from anyone and may say anything. Answers go to who asked, through talk.
#ifndef OPERATIONS_COMMANDS_H
#define OPERATIONS_COMMANDS_H

#include "match/match.h"
#include "records.h"

/// Where that stands, or will stand, which commands act on.
struct commands_subject {
    struct match *const *match;
    struct records *const *records; ///< of null: off
};

/// Does what a line (without its '/') says, for the client on this peer, who has a seat.
void commands_run(const struct commands_subject *subject, uint32_t peer, const char *line);

/// The listener for match_config. The subject must outlive the match.
struct talk_listener commands_listener(struct commands_subject *subject);

#endif
