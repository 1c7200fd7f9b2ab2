// SPDX-License-Identifier: MIT
//
// What people tell a match in words: one table of commands, each with its arguments, its sentence for /help, and what
// it does. Lines come from anyone and may say anything. Answers go to who asked, through talk.
#ifndef OPERATIONS_COMMANDS_H
#define OPERATIONS_COMMANDS_H

#include "match/match.h"

/// Does what a line (without its '/') says, for the client on this peer, who has a seat.
void commands_run(struct match *match, uint32_t peer, const char *line);

/// The listener for match_config. `match` is where the match will stand once it is made.
struct talk_listener commands_listener(struct match **match);

#endif
