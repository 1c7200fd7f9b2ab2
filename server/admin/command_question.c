// SPDX-License-Identifier: MIT
#include "command_question.h"

#include <stdio.h>
#include <string.h>

#include "admin_commands.h"
#include "ban_commands.h"
#include "match_commands.h"
#include "records/records_text.h"

// A player takes some lines; the first has their values. Without players the only line is about what was done.
static void send_lines(char *text, const struct records_answer *answer, const struct command_caller *caller)
{
    uint32_t next = 0;
    char key[FINGERPRINT_TEXT_BYTES];
    for (char *line; (line = strsep(&text, "\n"));) {
        struct fields fields = {"records", "", {{"players", .number = answer->player_count}}};
        if (answer->path[0])
            fields.of[0] = (struct field){"file", .text = answer->path};
        bool has_values = answer->done && *line != ' ' && (next < answer->player_count || answer->player_count == 0);
        if (has_values && next < answer->player_count)
            fields = records_text_fields(&answer->players[next++], key);
        if (*line)
            caller->answer(caller->context, line, has_values ? &fields : NULL);
    }
}

bool command_question_answer(const struct admin_state *admin, uint64_t question, const struct command_caller *caller,
                             bool *done)
{
    struct records_answer answer;
    if (question & COMMAND_QUESTION_MATCH)
        return match_commands_outcome(admin, question, caller, done);
    if (question & COMMAND_QUESTION_RECORDING)
        return admin_commands_recorded(admin, question, caller, done);
    if (question & COMMAND_QUESTION_RESTART)
        return match_commands_restart_outcome(admin, question, caller, done);
    if (question & COMMAND_QUESTION_OPTIONS)
        return admin_commands_changed(admin, question, caller, done);
    if (question & COMMAND_QUESTION_BANS)
        return ban_commands_saved(admin, question, caller, done);
    if (!records_answer(admin->records, question, &answer))
        return false;
    send_lines(answer.text, &answer, caller);
    *done = answer.done;
    return true;
}

const char *command_question_delay(uint64_t question, bool *done)
{
    *done = question & COMMAND_QUESTION_BANS;
    if (question & COMMAND_QUESTION_MATCH)
        return "The next match is still being prepared, and begins when it is ready.";
    if (question & COMMAND_QUESTION_RECORDING)
        return "The disk has not answered yet. record says what has become of it.";
    if (question & COMMAND_QUESTION_RESTART)
        return "The server still checks its program, and restarts if that is good.";
    if (question & COMMAND_QUESTION_OPTIONS)
        return "The files of the options are still being read. If they are good, the options change.";
    if (question & COMMAND_QUESTION_BANS)
        return "That is in force, and the file of bans is still being written.";
    return "The records do not answer.";
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

struct asker {
    struct match *match;
    const struct pending_question *question;
};

static void answer_in_chat(void *context, const char *line, const struct fields *fields)
{
    (void)fields;
    const struct asker *asker = context;
    const struct pending_question *question = asker->question;
    const struct peer *peer = &asker->match->peers[question->peer];
    if (peer_has_seat(peer) && memcmp(peer->client.identity, question->identity, sizeof question->identity) == 0)
        chat_send_system(asker->match, question->peer, line);
}

bool command_question_audit(struct admin_state *admin, uint64_t question, const char *who, const char *line)
{
    struct pending_audit *audit = admin->audits;
    while (audit < admin->audits + PENDING_AUDIT_CAPACITY && audit->number != 0)
        audit++;
    if (question < COMMAND_QUESTION_BANS || audit == admin->audits + PENDING_AUDIT_CAPACITY)
        return false;
    audit->number = question;
    snprintf(audit->who, sizeof audit->who, "%s", who);
    snprintf(audit->line, sizeof audit->line, "%s", line);
    return true;
}

static void keep_answer(void *context, const char *line, const struct fields *fields)
{
    (void)fields;
    snprintf(context, COMMAND_ANSWER_BYTES_MAX, "%s", line);
}

static void write_audits(struct admin_state *admin)
{
    for (uint32_t i = 0; i < PENDING_AUDIT_CAPACITY; i++) {
        struct pending_audit *audit = &admin->audits[i];
        char answer[COMMAND_ANSWER_BYTES_MAX] = "";
        struct command_caller caller = {.peer = COMMAND_CALLER_OUTSIDE, .answer = keep_answer, .context = answer};
        bool done;
        if (audit->number == 0 || !command_question_answer(admin, audit->number, &caller, &done))
            continue;
        admin_state_audit(admin, audit->who, audit->line, done, answer);
        audit->number = 0;
    }
}

void command_question_send_answers(struct admin_state *admin)
{
    bool done;
    write_audits(admin);
    for (uint32_t i = 0; i < PENDING_QUESTION_CAPACITY; i++) {
        struct pending_question *question = &admin->questions[i];
        struct asker asker = {admin->match, question};
        struct command_caller caller = {.peer = question->peer, .answer = answer_in_chat, .context = &asker};
        if (question->number != 0 && command_question_answer(admin, question->number, &caller, &done))
            question->number = 0;
    }
}
