// SPDX-License-Identifier: MIT
//
// The commands that people give a running server as lines of text: one table for chat lines that begin with '/' and for
// the admin socket. A row has a command's arguments, its help, who may give it, and the function that carries it out.
// Lines are hostile input. Answers go to the caller alone.
#ifndef ADMIN_COMMAND_TABLE_H
#define ADMIN_COMMAND_TABLE_H

#include "command_call.h"

/// Executes one line (clean text, without '/'). Returns whether it was carried out; if not, the answer says why.
bool command_table_run(struct admin_state *admin, const struct command_caller *caller, const char *line);

/// The listener for match_config: executes the commands of players, who are admins by their keys.
struct command_listener command_table_listener(struct admin_state *admin);

#endif
