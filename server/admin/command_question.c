// SPDX-License-Identifier: MIT
#include "command_question.h"

#include <string.h>

#include "admin_commands.h"
#include "match_commands.h"

bool command_question_answer(const struct admin_state *admin, uint64_t question, char text[RECORDS_ANSWER_BYTES],
                             bool *done)
{
    *done = true;
    if (question & COMMAND_QUESTION_MATCH)
        return match_commands_outcome(admin, question, text, done);
    if (question & COMMAND_QUESTION_RECORDING)
        return admin_commands_recorded(admin, question, text, done);
    return records_answer(admin->records, question, text);
}

bool command_question_keep(struct admin_state *admin, uint32_t peer, uint64_t question)
{
    for (uint32_t i = 0; i < PENDING_QUESTION_CAPACITY; i++) {
        struct pending_question *pending = &admin->questions[i];
        if (pending->number != 0)
            continue;
        *pending = (struct pending_question){.number = question, .peer = peer};
        memcpy(pending->identity, admin->match->peers[peer].client.identity, sizeof pending->identity);
        return true;
    }
    return false;
}

static void send_answer(struct admin_state *admin, const struct pending_question *question, char *text)
{
    const struct peer *peer = &admin->match->peers[question->peer];
    bool here =
        peer_has_seat(peer) && memcmp(peer->client.identity, question->identity, sizeof question->identity) == 0;
    for (char *line; here && (line = strsep(&text, "\n"));)
        if (*line)
            chat_send_system(admin->match, question->peer, line);
}

void command_question_send_answers(struct admin_state *admin)
{
    char text[RECORDS_ANSWER_BYTES];
    bool done;
    for (uint32_t i = 0; i < PENDING_QUESTION_CAPACITY; i++) {
        struct pending_question *question = &admin->questions[i];
        if (question->number == 0 || !command_question_answer(admin, question->number, text, &done))
            continue;
        send_answer(admin, question, text);
        question->number = 0;
    }
}
