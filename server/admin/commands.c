// SPDX-License-Identifier: MIT
#include "commands.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "admin_commands.h"
#include "match_commands.h"
#include "records_commands.h"

static bool help(struct call *call);
static bool team(struct call *call);
static bool spectate(struct call *call);
static bool play(struct call *call);

static const struct command_row ROWS[] = {
    {"help", "", "lists the commands", COMMAND_RIGHT_ANYONE, help},
    {"top", "[N]", "lists the best players here, by rating", COMMAND_RIGHT_ANYONE, top_command},
    {"team", "blue|orange|auto", "changes sides; auto takes the smaller one", COMMAND_RIGHT_PLAYER, team},
    {"spectate", "", "leaves the arena and watches", COMMAND_RIGHT_PLAYER, spectate},
    {"play", "", "comes back to play", COMMAND_RIGHT_PLAYER, play},
    {"vote", "map NAME|mode NAME|restart|kick NAME|NUMBER", "asks for a vote, or chooses in the open one",
     COMMAND_RIGHT_PLAYER, vote_command},
    {"yes", "", "is for it, or for the first choice", COMMAND_RIGHT_PLAYER, yes_command},
    {"no", "", "is against it, or for the second choice", COMMAND_RIGHT_PLAYER, no_command},
    {"map", "NAME|FILE", "begins a match on another map", COMMAND_RIGHT_ADMIN, map_command},
    {"mode", "ffa|lms|teams|breakout [MAP]", "begins a match of another mode, or of another map as well",
     COMMAND_RIGHT_ADMIN, mode_command},
    {"restart", "", "begins the match anew", COMMAND_RIGHT_ADMIN, restart_command},
    {"pause", "", "holds the match still", COMMAND_RIGHT_ADMIN, pause_command},
    {"resume", "", "lets it go on", COMMAND_RIGHT_ADMIN, resume_command},
    {"status", "", "tells how the server does and who is here", COMMAND_RIGHT_ADMIN, admin_status},
    {"say", "TEXT", "tells everybody something", COMMAND_RIGHT_ADMIN, admin_say},
    {"kick", "PLAYER [REASON]", "sends a player away; he may come back", COMMAND_RIGHT_ADMIN, admin_kick},
    {"ban", "PLAYER|KEY|ADDRESS[/BITS] [TIME] [REASON]", "keeps somebody out, for 30m, 12h, 7d, 2w or forever",
     COMMAND_RIGHT_ADMIN, admin_ban},
    {"unban", "KEY|ADDRESS[/BITS]", "lets somebody in again", COMMAND_RIGHT_ADMIN, admin_unban},
    {"bans", "", "lists who is kept out", COMMAND_RIGHT_ADMIN, admin_bans},
    {"bots", "N", "fills up to N players with bots", COMMAND_RIGHT_ADMIN, admin_bots},
    {"set", "KEY VALUE", "sets an option that may change while the server runs; \"\" is an empty value",
     COMMAND_RIGHT_ADMIN, admin_set},
    {"records", "player NAME|KEY|export", "tells what a player has done here, or writes all players into a CSV file",
     COMMAND_RIGHT_ADMIN, records_command},
    {"record", "on|off", "begins or ends a replay of the match", COMMAND_RIGHT_ADMIN, admin_record},
    {"reload", "", "reads the options again, as SIGHUP does", COMMAND_RIGHT_ADMIN, admin_reload},
    {"shutdown", "", "ends the server; the match can go on in the next", COMMAND_RIGHT_ADMIN, admin_shutdown},
};
#define ROW_COUNT (sizeof ROWS / sizeof *ROWS)

static void tell(struct call *call, const char *format, va_list arguments)
{
    vsnprintf(call->answered, sizeof call->answered, format, arguments);
    call->caller->answer(call->caller->context, call->answered);
}

void call_answer(struct call *call, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell(call, format, arguments);
    va_end(arguments);
}

bool call_refuse(struct call *call, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell(call, format, arguments);
    va_end(arguments);
    return false;
}

static bool is_inside(const struct caller *caller)
{
    return caller->peer != CALLER_OUTSIDE;
}

static bool may(const struct caller *caller, const struct command_row *row)
{
    switch (row->right) {
    case COMMAND_RIGHT_PLAYER:
        return is_inside(caller);
    case COMMAND_RIGHT_ANYONE:
        return true;
    case COMMAND_RIGHT_ADMIN:
        return caller->admin;
    }
    return false;
}

static bool help(struct call *call)
{
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (may(call->caller, &ROWS[i]))
            call_answer(call, "%s%s%s%s: %s", is_inside(call->caller) ? "/" : "", ROWS[i].name,
                        *ROWS[i].arguments ? " " : "", ROWS[i].arguments, ROWS[i].help);
    return true;
}

static bool wish(struct call *call, enum team_wish side)
{
    const struct peer *peer = &call->desk->match->peers[call->caller->peer];
    const struct command command = {.kind = COMMAND_TEAM, .slot = peer->slot, .team = side};
    if (peer->state != PEER_PLAYING)
        return call_refuse(call, "You are not in the match yet. Try again in a second.");
    if (!match_enqueue_command(call->desk->match, &command))
        return call_refuse(call, "Too many ask at once. Try again.");
    return true;
}

static bool team(struct call *call)
{
    static const struct {
        const char *name;
        enum team_wish side;
    } sides[] = {{"auto", TEAM_AUTO}, {"blue", TEAM_ONE}, {"orange", TEAM_TWO}, {"red", TEAM_TWO}};
    uint32_t mode = call->desk->match->world.rules.mode;
    bool has_teams = mode == MODE_TEAMS || mode == MODE_BREAKOUT;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        if (strcmp(call->argument, sides[i].name) != 0)
            continue;
        if (!has_teams && sides[i].side != TEAM_AUTO)
            return call_refuse(call, "There are no teams in this mode.");
        return wish(call, sides[i].side);
    }
    return call_refuse(call, "Which side? Say /team blue, /team orange or /team auto.");
}

static bool spectate(struct call *call)
{
    return wish(call, TEAM_SPECTATE);
}

static bool play(struct call *call)
{
    return wish(call, TEAM_AUTO);
}

static const struct command_row *find(const char *name, size_t length)
{
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (strlen(ROWS[i].name) == length && memcmp(ROWS[i].name, name, length) == 0)
            return &ROWS[i];
    return NULL;
}

// What it takes and does not take is said with the slash that the caller has to type.
static bool run(struct call *call, const struct command_row *row)
{
    const char *slash = is_inside(call->caller) ? "/" : "";
    if (!row)
        return call_refuse(call, "There is no such command. %shelp lists them.", slash);
    if (!may(call->caller, row))
        return call_refuse(call, row->right == COMMAND_RIGHT_ADMIN ? "Only admins may do that."
                                                                   : "Only somebody in the match can do that.");
    if (!*row->arguments && *call->argument)
        return call_refuse(call, "That command takes no argument. %shelp lists the commands.", slash);
    return row->run(call);
}

bool commands_run(struct admin_state *desk, const struct caller *caller, const char *line)
{
    size_t length = strcspn(line, " ");
    struct call call = {desk, caller, line + length + strspn(line + length, " "), ""};
    const struct command_row *row = find(line, length);
    bool done = run(&call, row);
    if (caller->admin && row && row->right == COMMAND_RIGHT_ADMIN)
        admin_state_audit(desk, caller->name, line, done, call.answered);
    return done;
}

struct inside {
    struct admin_state *desk;
    uint32_t peer;
};

static void tell_player(void *context, const char *line)
{
    const struct inside *inside = context;
    chat_send_system(inside->desk->match, inside->peer, line);
}

static bool wait_inside(void *context, uint64_t question)
{
    const struct inside *inside = context;
    return records_commands_wait(inside->desk, inside->peer, question);
}

static void take(void *context, uint32_t peer, const char *line)
{
    struct admin_state *desk = context;
    const struct net_client *guest = &desk->match->peers[peer].client;
    struct inside inside = {desk, peer};
    char fingerprint[FINGERPRINT_TEXT_BYTES];
    identity_fingerprint(guest->identity, fingerprint);
    commands_run(
        desk, &(struct caller){peer, admin_state_is_admin(desk, guest), fingerprint, tell_player, wait_inside, &inside},
        line);
}

struct command_listener commands_listener(struct admin_state *desk)
{
    return (struct command_listener){take, desk};
}
