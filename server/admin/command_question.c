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

static bool answer_from_records(const struct admin_state *admin, struct command_question question,
                                const struct command_caller *caller, bool *done)
{
    struct records_answer answer;
    if (!records_answer(admin->records, question.number, &answer))
        return false;
    send_lines(answer.text, &answer, caller);
    *done = answer.done;
    return true;
}

// How a question is answered, and what to say to somebody who does not wait any longer.
static const struct subject {
    bool (*answer)(const struct admin_state *admin, struct command_question question,
                   const struct command_caller *caller, bool *done);
    const char *delay;
    bool is_in_force; // already
    bool has_one_reader;
} SUBJECTS[COMMAND_SUBJECTS] = {
    [COMMAND_ASKS_RECORDS] = {answer_from_records, "The records do not answer.", .has_one_reader = true},
    [COMMAND_BEGINS_MATCH] = {match_commands_outcome,
                              "The next match is still being prepared, and begins when it is ready."},
    [COMMAND_BEGINS_RECORDING] = {admin_commands_recorded,
                                  "The disk has not answered yet. record says what has become of it."},
    [COMMAND_ENDS_RECORDING] = {admin_commands_recorded,
                                "The disk has not answered yet. record says what has become of it."},
    [COMMAND_RESTARTS] = {match_commands_restart_outcome,
                          "The server still checks its program, and restarts if that is good."},
    [COMMAND_CHANGES_OPTIONS] = {admin_commands_changed, "The files of the options are still being read. If they are "
                                                         "good, the options change."},
    [COMMAND_CHANGES_BANS] = {ban_commands_saved, "That is in force, and the file of bans is still being written.",
                              .is_in_force = true},
};

bool command_question_answer(const struct admin_state *admin, struct command_question question,
                             const struct command_caller *caller, bool *done)
{
    return SUBJECTS[question.subject].answer(admin, question, caller, done);
}

const char *command_question_delay(struct command_question question, bool *done)
{
    *done = SUBJECTS[question.subject].is_in_force;
    return SUBJECTS[question.subject].delay;
}

bool command_question_keep(struct admin_state *admin, uint32_t peer, struct command_question question)
{
    for (uint32_t i = 0; i < PENDING_QUESTION_CAPACITY; i++) {
        struct pending_question *pending = &admin->questions[i];
        if (pending->question.subject)
            continue;
        *pending = (struct pending_question){.question = question, .peer = peer};
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

bool command_question_audit(struct admin_state *admin, struct command_question question, const char *who,
                            const char *line)
{
    struct pending_audit *audit = admin->audits;
    while (audit < admin->audits + PENDING_AUDIT_CAPACITY && audit->question.subject)
        audit++;
    if (!question.subject || SUBJECTS[question.subject].has_one_reader ||
        audit == admin->audits + PENDING_AUDIT_CAPACITY)
        return false;
    audit->question = question;
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
        if (!audit->question.subject || !command_question_answer(admin, audit->question, &caller, &done))
            continue;
        admin_state_audit(admin, audit->who, audit->line, done, answer);
        audit->question.subject = COMMAND_ASKS_NOTHING;
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
        if (question->question.subject && command_question_answer(admin, question->question, &caller, &done))
            question->question.subject = COMMAND_ASKS_NOTHING;
    }
}
