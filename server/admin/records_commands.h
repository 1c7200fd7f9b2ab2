// SPDX-License-Identifier: MIT
//
// Commands about the records of players. The table of command_table.c calls these functions. The list of the best
// players is in memory; everything else is a question to the database, whose thread answers later, so the caller keeps
// the question and looks for its answer.
#ifndef ADMIN_RECORDS_COMMANDS_H
#define ADMIN_RECORDS_COMMANDS_H

#include "command_call.h"

/// "top [N]", for everyone: lists the best players.
bool records_commands_top(struct command_call *call);
/// "records player NAME|KEY" and "records export", for admins.
bool records_commands_records(struct command_call *call);

/// Keeps the question of a player in the match until its answer comes. False if too many wait.
bool records_commands_keep_question(struct admin_state *admin, uint32_t peer, uint64_t question);
/// Sends the players who asked the answers that have come. Call between ticks.
void records_commands_send_answers(struct admin_state *admin);

#endif
