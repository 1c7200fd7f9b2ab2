// SPDX-License-Identifier: MIT
//
// The commands that people give a running server as lines of text: one list for chat lines that begin with '/' and for
// the admin socket. Lines are hostile input. Answers go to the caller alone.
//
// Some answers come later, such as from the database of records or when the map of the next match is ready. Then the
// command gives its caller a question; the caller keeps it and asks for the answer now and then.
#ifndef ADMIN_COMMANDS_H
#define ADMIN_COMMANDS_H

#include "command_call.h"
#include "command_list.h"

/// Executes one line (clean text, without '/'). Returns whether it was carried out; if not, the answer says why.
bool command_run(struct admin_state *admin, const struct command_caller *caller, const char *line);

/// The listener for match_config: executes the commands of players, who are admins by their keys.
struct command_listener command_listener_of(struct admin_state *admin);

/// Sends the answer to a question, line by line, as a command does. False while there is none. `done`: the command was
/// carried out.
bool command_question_answer(const struct admin_state *admin, struct command_question question,
                             const struct command_caller *caller, bool *done);

/// Keeps the question of a player in the match until its answer comes. False if too many wait.
bool command_question_keep(struct admin_state *admin, uint32_t peer, struct command_question question);

/// Sends the answers that have come to the players who asked, and writes them to the audit log. Call between ticks.
void command_question_send_answers(struct admin_state *admin);

/// Each carries out the command of its name and returns whether it did: command_help() and so on.
#define COMMAND_FUNCTION(name, arguments, help, right) bool command_##name(struct command_call *call);
COMMAND_LIST(COMMAND_FUNCTION)

/// Answers to a command once its outcome is known: whether a recording has begun or ended, options have changed, a ban
/// is on the disk, another match begins, the server restarts. False: it is not known yet.
typedef bool command_outcome(const struct admin_state *admin, struct command_question question,
                             const struct command_caller *caller, bool *done);
command_outcome command_recorded, command_changed, command_saved, command_began, command_restarted;

#endif
