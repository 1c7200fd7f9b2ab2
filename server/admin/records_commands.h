// SPDX-License-Identifier: MIT
//
// Commands about the records of players. Rows of the table in commands.c. The list of the best is at hand; all else is
// asked of the file, whose thread answers later, so a caller keeps the question and looks for its answer.
#ifndef ADMIN_RECORDS_COMMANDS_H
#define ADMIN_RECORDS_COMMANDS_H

#include "commands.h"

/// Of anyone.
bool top_command(struct call *call);
/// Of admins.
bool records_command(struct call *call);

/// Keeps a question of somebody in the match. False: too many wait.
bool records_commands_wait(struct admin_state *desk, uint32_t peer, uint64_t question);
/// Tells those who wait in the match what has been answered. Between ticks.
void records_commands_tell(struct admin_state *desk);

#endif
