// SPDX-License-Identifier: MIT
#include "records_commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "records/records_text.h"

// One line of chat for each player; more than ten would scroll away.
bool records_commands_top(struct command_call *call)
{
    enum { USUAL = 5, MOST = 10 };
    struct records_player players[MOST];
    char *end;
    long count = *call->argument ? strtol(call->argument, &end, 10) : USUAL;
    if (*call->argument && (*end || count < 1 || count > MOST))
        return command_call_refuse(call, "How many? Say /top, or /top and a number from 1 to 10.");
    uint32_t found = records_top(call->admin->records, (uint32_t)count, players);
    for (uint32_t i = 0; i < found; i++) {
        char line[RECORDS_LINE_BYTES], key[FINGERPRINT_TEXT_BYTES];
        struct fields fields = records_text_fields(&players[i], key);
        records_text_top(&players[i], line);
        command_call_report_text(call, line, &fields);
    }
    if (found == 0)
        command_call_report(call, &(struct fields){"top",
                                                   call->admin->records ? "Nobody has finished a match here yet."
                                                                        : "This server keeps no records.",
                                                   {{"players", .number = 0}}});
    return true;
}

static bool ask(struct command_call *call, uint64_t question)
{
    if (!call->admin->records)
        return command_call_refuse(call, "This server keeps no records.");
    if (question == 0 || !command_call_wait(call, COMMAND_ASKS_RECORDS, question))
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
