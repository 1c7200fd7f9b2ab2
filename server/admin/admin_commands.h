// SPDX-License-Identifier: MIT
//
// The commands of admins about the server: its state, options, recordings and end. command_table.c has them in its
// table.
#ifndef ADMIN_ADMIN_COMMANDS_H
#define ADMIN_ADMIN_COMMANDS_H

#include "command_call.h"

/// Each carries out the command of its name and returns whether it did.
bool admin_commands_status(struct command_call *call);
bool admin_commands_say(struct command_call *call);
bool admin_commands_bots(struct command_call *call);
bool admin_commands_set(struct command_call *call);
bool admin_commands_record(struct command_call *call);
bool admin_commands_reload(struct command_call *call);
bool admin_commands_drain(struct command_call *call);
bool admin_commands_shutdown(struct command_call *call);

/// Looks for the outcome of a record command. Returns whether the disk has answered; the caller has the answer then.
bool admin_commands_recorded(const struct admin_state *admin, struct command_question question,
                             const struct command_caller *caller, bool *done);
/// The same for a change of options.
bool admin_commands_changed(const struct admin_state *admin, struct command_question question,
                            const struct command_caller *caller, bool *done);

#endif
