// SPDX-License-Identifier: MIT
#include "command_table.h"

#include <stdio.h>
#include <string.h>

#include "admin_commands.h"
#include "ban_commands.h"
#include "command_question.h"
#include "match_commands.h"
#include "records_commands.h"
#include "tournament_commands.h"

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

static bool help(struct command_call *call);

static const struct row ROWS[] = {
    {"help", "[COMMAND]", "lists the commands, or explains one", RIGHT_ANYONE, help},
    {"top", "[N]", "lists the best players by rating", RIGHT_ANYONE, records_commands_top},
    {"team", "blue|orange|auto", "changes your team; auto picks the smaller one", RIGHT_PLAYER, match_commands_team},
    {"spectate", "", "leaves the match to watch it", RIGHT_PLAYER, match_commands_spectate},
    {"play", "", "returns to the match", RIGHT_PLAYER, match_commands_play},
    {"w", "NAME TEXT", "whispers: only that player reads it", RIGHT_PLAYER, match_commands_whisper},
    {"vote", "map NAME|mode NAME|variants NAME|restart|kick NAME|NUMBER", "starts a vote, or votes in the open one",
     RIGHT_PLAYER, match_commands_vote},
    {"yes", "", "votes yes, or for the first choice", RIGHT_PLAYER, match_commands_yes},
    {"no", "", "votes no, or for the second choice", RIGHT_PLAYER, match_commands_no},
    {"map", "NAME|FILE", "starts a match on another map", RIGHT_ADMIN, match_commands_map},
    {"mode", "ffa|lms|teams|breakout [MAP]", "starts a match in another mode, and on another map if one is given",
     RIGHT_ADMIN, match_commands_mode},
    {"variants", "NAME|-NAME|none ...", "starts the match again, with variants added or removed", RIGHT_ADMIN,
     match_commands_variants},
    {"bracket", "", "shows the pairs of the tournament", RIGHT_ANYONE, tournament_commands_bracket},
    {"tournament", "start PLAYER PLAYER ...|win PLAYER|end",
     "lets players, the best first, meet in pairs until one is left; decides the present match; ends it", RIGHT_ADMIN,
     tournament_commands_tournament},
    {"restart", "[match|server]", "starts the match again, or the server, with the program and options as they are now",
     RIGHT_ADMIN, match_commands_restart},
    {"pause", "[alone]", "pauses the match; alone: until somebody else is there", RIGHT_ADMIN, match_commands_pause},
    {"resume", "", "resumes the match", RIGHT_ADMIN, match_commands_resume},
    {"status", "", "shows the state of the server and its players", RIGHT_ADMIN, admin_commands_status},
    {"say", "TEXT", "sends a message to everyone", RIGHT_ADMIN, admin_commands_say},
    {"kick", "PLAYER [REASON]", "disconnects a player, who may come back", RIGHT_ADMIN, ban_commands_kick},
    {"ban", "PLAYER|KEY|ADDRESS[/BITS] [TIME] [REASON]", "bans a player for 30m, 12h, 7d, 2w or forever", RIGHT_ADMIN,
     ban_commands_ban},
    {"unban", "KEY|ADDRESS[/BITS]", "lifts a ban", RIGHT_ADMIN, ban_commands_unban},
    {"bans", "", "lists the bans", RIGHT_ADMIN, ban_commands_bans},
    {"bots", "N", "fills up to N players with bots", RIGHT_ADMIN, admin_commands_bots},
    {"set", "KEY VALUE", "sets an option that may change while the server runs; \"\" is an empty value", RIGHT_ADMIN,
     admin_commands_set},
    {"records", "player NAME|KEY|export", "shows a player's record, or writes all players to a CSV file", RIGHT_ADMIN,
     records_commands_records},
    {"record", "on|off", "starts or ends a replay of the match", RIGHT_ADMIN, admin_commands_record},
    {"reload", "", "reads the options again, as SIGHUP does", RIGHT_ADMIN, admin_commands_reload},
    {"drain", "[TIME|off]", "lets nobody new join, and ends the server after the round, at most after TIME",
     RIGHT_ADMIN, admin_commands_drain},
    {"shutdown", "", "ends the server; the next one can continue the match", RIGHT_ADMIN, admin_commands_shutdown},
};
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

// Lists names alone, since the chat has few lines, and a player is in the midst of a match.
static void list_names(struct command_call *call)
{
    char line[CHAT_LINE_BYTES_MAX + 1] = "";
    size_t used = 0;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (!may(call->caller, &ROWS[i]))
            continue;
        if (used + strlen(" /") + strlen(ROWS[i].name) > CHAT_LINE_BYTES_MAX) {
            command_call_answer(call, "%s", line);
            used = 0;
        }
        used += (size_t)snprintf(line + used, sizeof line - used, used > 0 ? " /%s" : "/%s", ROWS[i].name);
    }
    command_call_answer(call, "%s", line);
    command_call_answer(call, "/help COMMAND says what it does, such as /help vote.");
}

static bool help(struct command_call *call)
{
    const char *name = call->argument + (*call->argument == '/');
    const struct row *row = find(name, strlen(name));
    if (*name && (!row || !may(call->caller, row)))
        return command_call_refuse(call, "There is no such command. %shelp lists them.", slash_of(call->caller));
    if (*name)
        explain(call, row);
    else if (is_inside(call->caller))
        list_names(call);
    else
        for (size_t i = 0; i < ROW_COUNT; i++)
            if (may(call->caller, &ROWS[i]))
                explain(call, &ROWS[i]);
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

bool command_table_run(struct admin_state *admin, const struct command_caller *caller, const char *line)
{
    size_t length = strcspn(line, " ");
    struct command_call call = {
        .admin = admin, .caller = caller, .argument = line + length + strspn(line + length, " ")};
    const struct row *row = find(line, length);
    bool done = execute(&call, row);
    if (caller->is_admin && row && row->right == RIGHT_ADMIN && !call.only_reads &&
        !command_question_audit(admin, call.question, caller->name, line))
        admin_state_audit(admin, caller->name, line, done, call.last_answer);
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

static void execute_chat_line(void *context, uint32_t peer, const char *line)
{
    struct admin_state *admin = context;
    const struct net_client *client = &admin->match->peers[peer].client;
    struct chat_caller player = {admin, peer};
    char fingerprint[FINGERPRINT_TEXT_BYTES];
    identity_fingerprint(client->identity, fingerprint);
    struct command_caller caller = {.peer = peer,
                                    .is_admin = admin_state_is_admin(admin, client),
                                    .name = fingerprint,
                                    .answer = answer_in_chat,
                                    .wait = keep_question,
                                    .context = &player};
    command_table_run(admin, &caller, line);
}

struct command_listener command_table_listener(struct admin_state *admin)
{
    return (struct command_listener){execute_chat_line, admin};
}
