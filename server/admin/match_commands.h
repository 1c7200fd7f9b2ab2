// SPDX-License-Identifier: MIT
//
// Commands about the match: players change sides, watch and vote; admins choose the map and the mode, restart and
// pause. The table of command_table.c calls these functions.
#ifndef ADMIN_MATCH_COMMANDS_H
#define ADMIN_MATCH_COMMANDS_H

#include "command_call.h"

/// For players in the match. Each carries out the command of its name and returns whether it did.
bool match_commands_team(struct command_call *call);
bool match_commands_spectate(struct command_call *call);
bool match_commands_play(struct command_call *call);
bool match_commands_vote(struct command_call *call);
bool match_commands_yes(struct command_call *call);
bool match_commands_no(struct command_call *call);
/// For admins.
bool match_commands_map(struct command_call *call);
bool match_commands_mode(struct command_call *call);
bool match_commands_restart(struct command_call *call);
bool match_commands_pause(struct command_call *call);
bool match_commands_resume(struct command_call *call);

#endif
