// SPDX-License-Identifier: MIT
//
// Commands with an answer that comes later: from the database of records, when the map of the next match is ready, or
// when the program of the next server was checked. The command gives its caller the number of a question; the caller
// keeps it and asks for the answer now and then.
#ifndef ADMIN_COMMAND_QUESTION_H
#define ADMIN_COMMAND_QUESTION_H

#include "command_call.h"

/// Sends the answer to a question, line by line, as a command does. False while there is none. `done`: the command was
/// carried out.
bool command_question_answer(const struct admin_state *admin, struct command_question question,
                             const struct command_caller *caller, bool *done);

/// Returns what to answer to somebody who does not wait any longer. `done`: what they asked for is in force.
const char *command_question_delay(struct command_question question, bool *done);

/// Notes a command for the audit log, where it is written with the answer to its question. False if too many wait, or
/// if only one can read that answer.
bool command_question_audit(struct admin_state *admin, struct command_question question, const char *who,
                            const char *line);

/// Keeps the question of a player in the match until its answer comes. False if too many wait.
bool command_question_keep(struct admin_state *admin, uint32_t peer, struct command_question question);

/// Sends the answers that have come to the players who asked, and writes them to the audit log. Call between ticks.
void command_question_send_answers(struct admin_state *admin);

#endif
