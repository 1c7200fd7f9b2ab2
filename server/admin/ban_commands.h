// SPDX-License-Identifier: MIT
//
// The commands of admins against players: to disconnect them and to ban them. A word names a player by #SLOT, by their
// name in any case, or by their key. command_table.c has the commands in its table.
#ifndef ADMIN_BAN_COMMANDS_H
#define ADMIN_BAN_COMMANDS_H

#include "command_call.h"

/// Each carries out the command of its name and returns whether it did.
bool ban_commands_kick(struct command_call *call);
bool ban_commands_ban(struct command_call *call);
bool ban_commands_unban(struct command_call *call);
bool ban_commands_bans(struct command_call *call);

/// Answers to a ban, or to its lifting, whether it is on the disk; false: that is not known yet.
bool ban_commands_saved(const struct admin_state *admin, struct command_question question,
                        const struct command_caller *caller, bool *done);

#endif
