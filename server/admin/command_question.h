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
bool command_question_answer(const struct admin_state *admin, uint64_t question, const struct command_caller *caller,
                             bool *done);

/// Keeps the question of a player in the match until its answer comes. False if too many wait.
bool command_question_keep(struct admin_state *admin, uint32_t peer, uint64_t question);

/// Sends the answers that have come to the players who asked. Call between ticks.
void command_question_send_answers(struct admin_state *admin);

#endif
