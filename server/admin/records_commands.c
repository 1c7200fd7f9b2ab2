// SPDX-License-Identifier: MIT
#include "records_commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One line of chat for each player; more than ten would scroll away.
bool records_commands_top(struct command_call *call)
{
    enum { USUAL = 5, MOST = 10 };
    char text[MOST * RECORDS_LINE_BYTES], *end;
    long count = *call->argument ? strtol(call->argument, &end, 10) : USUAL;
    if (*call->argument && (*end || count < 1 || count > MOST))
        return command_call_refuse(call, "How many? Say /top, or /top and a number from 1 to 10.");
    records_top(call->admin->records, (uint32_t)count, text, sizeof text);
    for (char *line = text; *line; line = end + 1) {
        end = strchr(line, '\n');
        *end = '\0';
        command_call_answer(call, "%s", line);
    }
    return true;
}

static bool ask(struct command_call *call, uint64_t question)
{
    if (!call->admin->records)
        return command_call_refuse(call, "This server keeps no records.");
    if (question == 0 || !call->caller->wait || !call->caller->wait(call->caller->context, question))
        return command_call_refuse(call, "Too many questions at once. Try again.");
    return true;
}

// Every file has its own name, so that none is overwritten.
static bool export(struct command_call *call)
{
    char name[64], path[ADMIN_STATE_PATH_BYTES];
    snprintf(name, sizeof name, "players-%" PRId64 ".csv", call->admin->unix_time());
    if (!admin_state_find(call->admin, name, path))
        return command_call_refuse(call, "There is no folder for the file. Start the server with --state-dir.");
    return ask(call, records_export_csv(call->admin->records, path));
}

bool records_commands_records(struct command_call *call)
{
    static const char player[] = "player ";
    const char *name = call->argument + strlen(player);
    if (strcmp(call->argument, "export") == 0)
        return export(call);
    if (strncmp(call->argument, player, strlen(player)) == 0 && *name)
        return ask(call, records_player(call->admin->records, name));
    return command_call_refuse(call, "Say records player and a name or key, or records export.");
}

bool records_commands_keep_question(struct admin_state *admin, uint32_t peer, uint64_t question)
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

void records_commands_send_answers(struct admin_state *admin)
{
    char text[RECORDS_ANSWER_BYTES];
    for (uint32_t i = 0; i < PENDING_QUESTION_CAPACITY; i++) {
        struct pending_question *question = &admin->questions[i];
        if (question->number == 0 || !records_answer(admin->records, question->number, text))
            continue;
        send_answer(admin, question, text);
        question->number = 0;
    }
}
