// SPDX-License-Identifier: MIT
#include "records_commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A line of chat for each; more than ten would only scroll away.
bool top_command(struct call *call)
{
    enum { USUAL = 5, MOST = 10 };
    char text[MOST * RECORDS_LINE_BYTES], *end;
    long count = *call->argument ? strtol(call->argument, &end, 10) : USUAL;
    if (*call->argument && (*end || count < 1 || count > MOST))
        return call_refuse(call, "How many? Say /top, or /top and a number from 1 to 10.");
    records_top(call->desk->records, (uint32_t)count, text, sizeof text);
    for (char *line = text; *line; line = end + 1) {
        end = strchr(line, '\n');
        *end = '\0';
        call_answer(call, "%s", line);
    }
    return true;
}

static bool ask(struct call *call, uint64_t question)
{
    if (!call->desk->records)
        return call_refuse(call, "This server keeps no records.");
    if (question == 0 || !call->caller->wait || !call->caller->wait(call->caller->context, question))
        return call_refuse(call, "Too many ask at once. Try again.");
    return true;
}

// A name of its own for each, so that nothing is written over.
static bool export(struct call *call)
{
    char name[64], path[ADMIN_STATE_PATH_BYTES];
    snprintf(name, sizeof name, "players-%" PRId64 ".csv", call->desk->unix_time());
    if (!admin_state_find(call->desk, name, path))
        return call_refuse(call, "There is no folder for it: give the server a --state-dir.");
    return ask(call, records_export_csv(call->desk->records, path));
}

bool records_command(struct call *call)
{
    static const char player[] = "player ";
    const char *name = call->argument + strlen(player);
    if (strcmp(call->argument, "export") == 0)
        return export(call);
    if (strncmp(call->argument, player, strlen(player)) == 0 && *name)
        return ask(call, records_player(call->desk->records, name));
    return call_refuse(call, "Say records player and a name or key, or records export.");
}

bool records_commands_wait(struct admin_state *desk, uint32_t peer, uint64_t question)
{
    for (uint32_t i = 0; i < PENDING_QUESTION_CAPACITY; i++) {
        struct pending_question *free_one = &desk->questions[i];
        if (free_one->number != 0)
            continue;
        *free_one = (struct pending_question){.number = question, .peer = peer};
        memcpy(free_one->identity, desk->match->peers[peer].client.identity, sizeof free_one->identity);
        return true;
    }
    return false;
}

static void tell(struct admin_state *desk, const struct pending_question *question, char *text)
{
    const struct peer *peer = &desk->match->peers[question->peer];
    bool here =
        peer_has_seat(peer) && memcmp(peer->client.identity, question->identity, sizeof question->identity) == 0;
    for (char *line; here && (line = strsep(&text, "\n"));)
        if (*line)
            chat_send_system(desk->match, question->peer, line);
}

void records_commands_tell(struct admin_state *desk)
{
    char text[RECORDS_ANSWER_BYTES];
    for (uint32_t i = 0; i < PENDING_QUESTION_CAPACITY; i++) {
        struct pending_question *question = &desk->questions[i];
        if (question->number == 0 || !records_answer(desk->records, question->number, text))
            continue;
        tell(desk, question, text);
        question->number = 0;
    }
}
