// SPDX-License-Identifier: MIT
//
// Commands about which match is played: votes of players, orders of admins. Rows of the table in commands.c.
#ifndef ADMIN_MATCH_COMMANDS_H
#define ADMIN_MATCH_COMMANDS_H

#include "commands.h"

/// Of players in the match.
bool vote_command(struct call *call);
bool yes_command(struct call *call);
bool no_command(struct call *call);
/// Of admins.
bool map_command(struct call *call);
bool mode_command(struct call *call);
bool restart_command(struct call *call);
bool pause_command(struct call *call);
bool resume_command(struct call *call);

#endif
