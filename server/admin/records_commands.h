// SPDX-License-Identifier: MIT
//
// Commands about the records of players. command_table.c has them in its table. The list of the best players is in
// memory; all else is a question to the database, which is answered later, so the caller keeps the question and asks
// for its answer now and then.
#ifndef ADMIN_RECORDS_COMMANDS_H
#define ADMIN_RECORDS_COMMANDS_H

#include "command_call.h"

/// "top [N]", for everyone: lists the best players.
bool records_commands_top(struct command_call *call);
/// "records player NAME|KEY" and "records export", for admins.
bool records_commands_records(struct command_call *call);

/// Keeps the question of a player in the match until its answer comes. False if too many wait.
bool records_commands_keep_question(struct admin_state *admin, uint32_t peer, uint64_t question);
/// Sends the answers that have come to the players who asked. Call between ticks.
void records_commands_send_answers(struct admin_state *admin);

#endif
