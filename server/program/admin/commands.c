// SPDX-License-Identifier: MIT
#include "commands.h"

#include <stdio.h>
#include <string.h>

#include "records/records_text.h"

enum right {
    RIGHT_PLAYER, // only callers in the match
    RIGHT_ANYONE,
    RIGHT_ADMIN,
};

struct row {
    const char *name, *arguments, *help;
    enum right right;
    bool (*execute)(struct command_call *call);
};

#define RIGHT_ROW(name, arguments, help, right) {#name, arguments, help, RIGHT_##right, command_##name},
static const struct row ROWS[] = {COMMAND_LIST(RIGHT_ROW)};
#define ROW_COUNT (sizeof ROWS / sizeof *ROWS)

static bool is_inside(const struct command_caller *caller)
{
    return caller->peer != COMMAND_CALLER_OUTSIDE;
}

// Players type a slash before a command, operators do not.
static const char *slash_of(const struct command_caller *caller)
{
    return is_inside(caller) ? "/" : "";
}

static bool may(const struct command_caller *caller, const struct row *row)
{
    switch (row->right) {
    case RIGHT_PLAYER:
        return is_inside(caller);
    case RIGHT_ANYONE:
        return true;
    case RIGHT_ADMIN:
        return caller->is_admin;
    }
    return false;
}

static const struct row *find(const char *name, size_t length)
{
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (strlen(ROWS[i].name) == length && memcmp(ROWS[i].name, name, length) == 0)
            return &ROWS[i];
    return NULL;
}

static void explain(struct command_call *call, const struct row *row)
{
    command_call_report(
        call, &(struct fields){"command",
                               *row->arguments ? "{slash}{command} {arguments}: {help}" : "{slash}{command}: {help}",
                               {{"command", .text = row->name},
                                {"arguments", .text = row->arguments},
                                {"help", .text = row->help},
                                {"slash", .text = slash_of(call->caller)}}});
}

bool command_help(struct command_call *call)
{
    const char *name = call->argument + (*call->argument == '/');
    const struct row *row = find(name, strlen(name));
    if (*name && (!row || !may(call->caller, row)))
        return command_call_refuse(call, "There is no such command. %shelp lists them.", slash_of(call->caller));
    if (*name) {
        explain(call, row);
        return true;
    }
    // names alone for players, since the chat has few lines, and a match goes on
    char line[CHAT_LINE_BYTES_MAX + 1] = "";
    size_t used = 0;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (!may(call->caller, &ROWS[i]))
            continue;
        if (!is_inside(call->caller)) {
            explain(call, &ROWS[i]);
            continue;
        }
        if (used + strlen(" /") + strlen(ROWS[i].name) > CHAT_LINE_BYTES_MAX) {
            command_call_answer(call, "%s", line);
            used = 0;
        }
        used += (size_t)snprintf(line + used, sizeof line - used, used > 0 ? " /%s" : "/%s", ROWS[i].name);
    }
    if (is_inside(call->caller)) {
        command_call_answer(call, "%s", line);
        command_call_answer(call, "/help COMMAND says what it does, such as /help vote.");
    }
    return true;
}

static bool execute(struct command_call *call, const struct row *row)
{
    const char *slash = slash_of(call->caller);
    if (!row)
        return command_call_refuse(call, "There is no such command. %shelp lists them.", slash);
    if (!may(call->caller, row))
        return command_call_refuse(call, row->right == RIGHT_ADMIN ? "Only admins may do that."
                                                                   : "Only players in the match can do that.");
    if (!*row->arguments && *call->argument)
        return command_call_refuse(call, "That command takes no argument. %shelp lists the commands.", slash);
    return row->execute(call);
}

// A player takes some lines; the first has their values. Without players the only line is about what was done.
static enum answer_outcome answer_from_records(const struct admin_state *admin, struct command_question question,
                                               const struct command_caller *caller)
{
    struct records_answer answer;
    uint32_t next = 0;
    char key[FINGERPRINT_TEXT_BYTES];
    if (!records_answer(admin->records, question.number, &answer))
        return ANSWER_OPEN;
    char *text = answer.text;
    for (char *line; (line = strsep(&text, "\n"));) {
        struct fields fields = {"records", "", {{"players", .number = answer.player_count}}};
        if (answer.path[0])
            fields.of[0] = (struct field){"file", .text = answer.path};
        bool has_values = answer.done && *line != ' ' && (next < answer.player_count || answer.player_count == 0);
        if (has_values && next < answer.player_count)
            fields = records_text_fields(&answer.players[next++], key);
        if (*line)
            caller->answer(caller->context, line, has_values ? &fields : NULL);
    }
    return answer.done ? ANSWER_DONE : ANSWER_FAILED;
}

static command_outcome *const OUTCOMES[COMMAND_SUBJECTS] = {
    [COMMAND_ASKS_RECORDS] = answer_from_records,  [COMMAND_BEGINS_MATCH] = command_began,
    [COMMAND_BEGINS_RECORDING] = command_recorded, [COMMAND_ENDS_RECORDING] = command_recorded,
    [COMMAND_RESTARTS] = command_restarted,        [COMMAND_CHANGES_OPTIONS] = command_changed,
    [COMMAND_CHANGES_BANS] = command_saved,
};

enum answer_outcome command_question_answer(const struct admin_state *admin, struct command_question question,
                                            const struct command_caller *caller)
{
    return OUTCOMES[question.subject](admin, question, caller);
}

bool command_run(struct admin_state *admin, const struct command_caller *caller, const char *line)
{
    size_t length = strcspn(line, " ");
    struct command_call call = {
        .admin = admin, .caller = caller, .argument = line + length + strspn(line + length, " ")};
    const struct row *row = find(line, length);
    bool done = execute(&call, row);
    if (!caller->is_admin || !row || row->right != RIGHT_ADMIN || call.only_reads)
        return done;
    // into the audit log with the answer to its question, unless too many wait, or only one can read that answer
    struct pending_audit *audit = admin->audits, *end = audit + PENDING_AUDIT_CAPACITY;
    while (audit < end && audit->question.subject)
        audit++;
    if (!call.question.subject || call.question.subject == COMMAND_ASKS_RECORDS || audit == end) {
        admin_state_audit(admin, caller->name, line, done, call.last_answer);
        return done;
    }
    audit->question = call.question;
    snprintf(audit->who, sizeof audit->who, "%s", caller->name);
    snprintf(audit->line, sizeof audit->line, "%s", line);
    return done;
}

// A player in the match who typed a command into the chat.
struct chat_caller {
    struct admin_state *admin;
    uint32_t peer;
};

static void answer_in_chat(void *context, const char *line, const struct fields *fields)
{
    (void)fields;
    const struct chat_caller *caller = context;
    chat_send_system(caller->admin->match, caller->peer, line);
}

static bool keep_question(void *context, struct command_question question)
{
    const struct chat_caller *caller = context;
    return command_question_keep(caller->admin, caller->peer, question);
}

static void execute_chat_line(void *context, uint32_t peer, uint32_t slot, const char *line)
{
    struct admin_state *admin = context;
    const struct net_client *client = &admin->match->peers[peer].client;
    struct chat_caller player = {admin, peer};
    char fingerprint[FINGERPRINT_TEXT_BYTES];
    identity_fingerprint(client->identity, fingerprint);
    struct command_caller caller = {.peer = peer,
                                    .slot = slot,
                                    .is_admin = admin_state_is_admin(admin, client),
                                    .name = fingerprint,
                                    .answer = answer_in_chat,
                                    .wait = keep_question,
                                    .context = &player};
    command_run(admin, &caller, line);
}

struct command_listener command_listener_of(struct admin_state *admin)
{
    return (struct command_listener){execute_chat_line, admin};
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

static void answer_asker(void *context, const char *line, const struct fields *fields)
{
    (void)fields;
    const struct asker *asker = context;
    const struct pending_question *question = asker->question;
    const struct peer *peer = &asker->match->peers[question->peer];
    if (peer_has_seat(peer) && memcmp(peer->client.identity, question->identity, sizeof question->identity) == 0)
        chat_send_system(asker->match, question->peer, line);
}

static void keep_answer(void *context, const char *line, const struct fields *fields)
{
    (void)fields;
    snprintf(context, COMMAND_ANSWER_BYTES_MAX, "%s", line);
}

void command_question_send_answers(struct admin_state *admin)
{
    enum answer_outcome outcome;
    for (uint32_t i = 0; i < PENDING_AUDIT_CAPACITY; i++) {
        struct pending_audit *audit = &admin->audits[i];
        char answer[COMMAND_ANSWER_BYTES_MAX] = "";
        struct command_caller caller = {.peer = COMMAND_CALLER_OUTSIDE, .answer = keep_answer, .context = answer};
        if (!audit->question.subject ||
            (outcome = command_question_answer(admin, audit->question, &caller)) == ANSWER_OPEN)
            continue;
        admin_state_audit(admin, audit->who, audit->line, outcome == ANSWER_DONE, answer);
        audit->question.subject = COMMAND_ASKS_NOTHING;
    }
    for (uint32_t i = 0; i < PENDING_QUESTION_CAPACITY; i++) {
        struct pending_question *question = &admin->questions[i];
        struct asker asker = {admin->match, question};
        struct command_caller caller = {.peer = question->peer, .answer = answer_asker, .context = &asker};
        if (question->question.subject && command_question_answer(admin, question->question, &caller) != ANSWER_OPEN)
            question->question.subject = COMMAND_ASKS_NOTHING;
    }
}
