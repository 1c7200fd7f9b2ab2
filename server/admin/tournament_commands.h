// SPDX-License-Identifier: MIT
//
// The commands of a tournament: everybody may look at the bracket, and admins begin, decide and end it.
// command_table.c has the commands in its table.
#ifndef ADMIN_TOURNAMENT_COMMANDS_H
#define ADMIN_TOURNAMENT_COMMANDS_H

#include "command_call.h"

/// Each carries out the command of its name and returns whether it did.
bool tournament_commands_bracket(struct command_call *call);
bool tournament_commands_tournament(struct command_call *call);

#endif
