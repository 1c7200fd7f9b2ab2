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
    if (question == 0 || !command_call_wait(call, question))
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
    call->only_reads = true;
    if (strncmp(call->argument, player, strlen(player)) == 0 && *name)
        return ask(call, records_player(call->admin->records, name));
    return command_call_refuse(call, "Say records player and a name or key, or records export.");
}
