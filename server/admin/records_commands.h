// SPDX-License-Identifier: MIT
//
// Commands about the records of players. command_table.c has them in its table. The list of the best players is in
// memory; all else is a question to the database, which is answered later (command_question.h).
#ifndef ADMIN_RECORDS_COMMANDS_H
#define ADMIN_RECORDS_COMMANDS_H

#include "command_call.h"

/// "top [N]", for everyone: lists the best players.
bool records_commands_top(struct command_call *call);
/// "records player NAME|KEY" and "records export", for admins.
bool records_commands_records(struct command_call *call);

#endif
