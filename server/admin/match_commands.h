// SPDX-License-Identifier: MIT
//
// Commands about the match: players change teams, watch and vote; admins choose the map and the mode, restart and
// pause. command_table.c has them in its table.
#ifndef ADMIN_MATCH_COMMANDS_H
#define ADMIN_MATCH_COMMANDS_H

#include "command_call.h"

/// Each carries out the command of its name and returns whether it did. These are for players in the match:
bool match_commands_team(struct command_call *call);
bool match_commands_spectate(struct command_call *call);
bool match_commands_play(struct command_call *call);
bool match_commands_whisper(struct command_call *call);
bool match_commands_vote(struct command_call *call);
bool match_commands_yes(struct command_call *call);
bool match_commands_no(struct command_call *call);
/// These are for admins:
bool match_commands_map(struct command_call *call);
bool match_commands_mode(struct command_call *call);
bool match_commands_variants(struct command_call *call);
bool match_commands_restart(struct command_call *call);
bool match_commands_pause(struct command_call *call);
bool match_commands_resume(struct command_call *call);

/// Says what has become of the question of a command that begins another match, and whether one begins. Returns false
/// while that is open.
bool match_commands_outcome(const struct admin_state *admin, struct command_question question,
                            const struct command_caller *caller, bool *done);
/// The same for the question of a restart of the server.
bool match_commands_restart_outcome(const struct admin_state *admin, struct command_question question,
                                    const struct command_caller *caller, bool *done);

#endif
