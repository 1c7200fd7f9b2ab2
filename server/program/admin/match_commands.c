// SPDX-License-Identifier: MIT
#include "commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/rules/mode.h"
#include "lifecycle/rotation.h"
#include "match/match.h"
#include "sync/player_name.h"

#define WORD_BYTES 64

static bool change_team(struct command_call *call, uint32_t team)
{
    const struct peer *peer = &call->admin->match->peers[call->caller->peer];
    if (peer->state != PEER_PLAYING)
        return command_call_refuse(call, "You are not in the match yet. Try again in a second.");
    return command_call_enqueue(call, &(struct command){.kind = COMMAND_TEAM, .slot = peer->slot, .team = team});
}

bool command_team(struct command_call *call)
{
    static const struct {
        const char *name;
        uint32_t team;
    } teams[] = {{"auto", TEAM_AUTO}, {"blue", TEAM_ONE}, {"orange", TEAM_TWO}, {"red", TEAM_TWO}};
    for (size_t i = 0; i < sizeof teams / sizeof *teams; i++) {
        if (strcmp(call->argument, teams[i].name) != 0)
            continue;
        if (!mode_of(&call->admin->match->world)->teams && teams[i].team != TEAM_AUTO)
            return command_call_refuse(call, "There are no teams in this mode.");
        return change_team(call, teams[i].team);
    }
    return command_call_refuse(call, "Which team? Say /team blue, /team orange or /team auto.");
}

bool command_spectate(struct command_call *call)
{
    return change_team(call, TEAM_SPECTATE);
}

bool command_play(struct command_call *call)
{
    const struct match *match = call->admin->match;
    const struct seat *seat = &match->roster.seats[match->peers[call->caller->peer].slot];
    if (!bracket_may_play(&call->admin->bracket, seat->has_key ? &seat->key : NULL))
        return command_call_refuse(call, "Two players of the tournament play now. /bracket shows who is next.");
    return change_team(call, TEAM_AUTO);
}

// Finds the player with the longest name that the argument begins with, since names have blanks. ROSTER_FULL: nobody.
static uint32_t addressee(const struct match *match, const char *argument, size_t *length)
{
    uint32_t found = ROSTER_FULL;
    *length = 0;
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++) {
        char name[PLAYER_NAME_BYTES + 1];
        player_name_to_text(match->roster.seats[slot].name, name);
        size_t bytes = strlen(name);
        if (match->roster.seats[slot].kind != SEAT_PLAYER || bytes <= *length || strncmp(argument, name, bytes) != 0 ||
            (argument[bytes] != ' ' && argument[bytes]))
            continue;
        found = slot;
        *length = bytes;
    }
    return found;
}

bool command_w(struct command_call *call)
{
    size_t length;
    uint32_t slot = addressee(call->admin->match, call->argument, &length);
    const char *text = call->argument + length + strspn(call->argument + length, " ");
    if (slot == ROSTER_FULL || !*text)
        return command_call_refuse(call, "To whisper, say /w, the name of a player who is here, and your line.");
    return chat_whisper(call->admin->match, call->caller->peer, slot, text) ||
           command_call_refuse(call, "They are not here at the moment.");
}

static bool cast(struct command_call *call, uint32_t choice)
{
    struct match *match = call->admin->match;
    if (match->vote.message.choice_count == 0)
        return command_call_refuse(call, "No vote is open.");
    if (match->vote.is_restricted && !vote_has_seniority(match, call->caller->peer))
        return command_call_refuse(call, "You can vote on this once you have played for a minute.");
    if (vote_site_is_full(match, call->caller->peer))
        return command_call_refuse(call, "Enough households of your network vote already.");
    return vote_cast(match, call->caller->peer, choice) || command_call_refuse(call, "The vote has no such choice.");
}

// "/vote 2" chooses in the open vote; anything else starts one.
bool command_vote(struct command_call *call)
{
    struct error error = {0};
    char *end;
    unsigned long number = strtoul(call->argument, &end, 10);
    if (*call->argument >= '1' && *call->argument <= '9' && *end == '\0')
        return cast(call, number <= VOTE_CHOICE_CAPACITY ? (uint32_t)number - 1 : VOTE_NONE);
    return rotation_vote(call->admin->rotation, call->admin->match, call->caller->peer, call->argument, &error) ||
           command_call_refuse(call, "There is no vote: %s.", error.text);
}

bool command_yes(struct command_call *call)
{
    return cast(call, 0);
}

bool command_no(struct command_call *call)
{
    return cast(call, 1);
}

// The answer comes when the map of the next match is ready.
static bool wait_for_match(struct command_call *call, uint64_t command)
{
    if (!command_call_wait(call, COMMAND_BEGINS_MATCH, command))
        command_call_answer(call, "The next match is being prepared.");
    return true;
}

bool command_map(struct command_call *call)
{
    struct admin_state *admin = call->admin;
    return wait_for_match(call, rotation_map(admin->rotation, admin->match, call->argument));
}

bool command_mode(struct command_call *call)
{
    struct error error;
    char mode[WORD_BYTES];
    size_t length = strcspn(call->argument, " ");
    const char *map = call->argument + length + strspn(call->argument + length, " ");
    snprintf(mode, sizeof mode, "%.*s", (int)length, call->argument);
    uint64_t command = rotation_mode(call->admin->rotation, mode, *map ? map : NULL, &error);
    return command ? wait_for_match(call, command)
                   : command_call_refuse(call, "The match goes on as it is: %s.", error.text);
}

bool command_variants(struct command_call *call)
{
    struct error error;
    struct admin_state *admin = call->admin;
    uint64_t command = rotation_variants(admin->rotation, admin->match, call->argument, &error);
    return command ? wait_for_match(call, command)
                   : command_call_refuse(call, "The match goes on as it is: %s.", error.text);
}

static bool restart_server(struct command_call *call)
{
    if (!command_call_wait(call, COMMAND_RESTARTS, answers_ask(&call->admin->restarts)))
        command_call_report(
            call, &(struct fields){"restart", "The server restarts if its program and its options are good.", {{0}}});
    return true;
}

bool command_restart(struct command_call *call)
{
    struct admin_state *admin = call->admin;
    if (strcmp(call->argument, "server") == 0)
        return restart_server(call);
    if (*call->argument && strcmp(call->argument, "match") != 0)
        return command_call_refuse(call, "Restart what? Say restart match or restart server.");
    return wait_for_match(call, rotation_restart(admin->rotation, admin->match));
}

bool command_began(const struct admin_state *admin, struct command_question question,
                   const struct command_caller *caller, bool *done)
{
    char text[ERROR_TEXT_BYTES + 40] = "The next match begins.";
    const struct match *match = admin->match;
    const struct answer *answer = answers_look(&admin->rotation->commands, question.number);
    bool is_replaced = answer->outcome == ANSWER_REPLACED || answer->outcome == ANSWER_FORGOTTEN;
    if (answer->outcome == ANSWER_OPEN)
        return false;
    *done = answer->outcome == ANSWER_DONE;
    if (is_replaced && caller->peer != COMMAND_CALLER_OUTSIDE)
        return true; // a player sees what begins instead
    if (is_replaced)
        snprintf(text, sizeof text, "A newer command decides what is played.");
    else if (!*done)
        snprintf(text, sizeof text, "The match goes on as it is: %s.", answer->text);
    caller->answer(caller->context, text,
                   &(struct fields){"match",
                                    "",
                                    {{"mode", .text = mode_name((enum mode)match->world.rules.mode)},
                                     {"map", .text = match->map.name},
                                     {"begins", .number = *done, .is_flag = true}}});
    return true;
}

bool command_restarted(const struct admin_state *admin, struct command_question question,
                       const struct command_caller *caller, bool *done)
{
    char text[ERROR_TEXT_BYTES + 40] = "The server restarts. Its players stay.";
    const struct answer *answer = answers_look(&admin->restarts, question.number);
    if (answer->outcome == ANSWER_OPEN)
        return false;
    *done = answer->outcome == ANSWER_DONE;
    if (answer->outcome == ANSWER_FORGOTTEN)
        snprintf(text, sizeof text, "A newer command decides whether the server restarts.");
    else if (!*done)
        snprintf(text, sizeof text, "The server goes on: %s.", answer->text);
    caller->answer(caller->context, text,
                   &(struct fields){"restart", "", {{"restarts", .number = *done, .is_flag = true}}});
    return true;
}

static bool set_pause(struct command_call *call, bool pauses, const char *notice, const char *answer)
{
    uint32_t paused = pauses ? PAUSE_ORDERED : PAUSE_NONE;
    if (!command_call_enqueue(call, &(struct command){.kind = COMMAND_PAUSE, .paused = paused}))
        return false;
    match_end_lone_pause(call->admin->match);
    chat_broadcast_system(call->admin->match, notice);
    command_call_report(call, &(struct fields){"pause", answer, {{"paused", .number = pauses, .is_flag = true}}});
    return true;
}

// A player who is alone sees that the match is paused, so no line says it.
static bool set_lone_pause(struct command_call *call, bool pauses)
{
    struct match *match = call->admin->match;
    struct command command = {.kind = COMMAND_PAUSE, .paused = pauses ? PAUSE_ORDERED : PAUSE_NONE};
    if (pauses && !match_may_pause_alone(match, call->caller->peer))
        return command_call_refuse(call, "Others are connected, so the match goes on.");
    if (!command_call_enqueue(call, &command))
        return false;
    if (pauses)
        match_pause_alone(match, call->caller->peer);
    else
        match_end_lone_pause(match);
    return true;
}

bool command_pause(struct command_call *call)
{
    uint32_t paused = call->admin->match->world.round.paused;
    if (paused == PAUSE_STALLED)
        return command_call_refuse(call, "The match waits for its players after a restart. Try again in a second.");
    if (paused)
        return command_call_refuse(call, "The match is already paused.");
    if (strcmp(call->argument, "alone") == 0)
        return set_lone_pause(call, true);
    if (*call->argument)
        return command_call_refuse(call, "That command takes no argument but alone.");
    return set_pause(call, true, "The match is paused.", "The match is paused until resume.");
}

bool command_resume(struct command_call *call)
{
    const struct match *match = call->admin->match;
    if (match->world.round.paused != PAUSE_ORDERED)
        return command_call_refuse(call, "The match is not paused.");
    if (match->paused_alone && call->caller->peer != COMMAND_CALLER_OUTSIDE)
        return set_lone_pause(call, false);
    return set_pause(call, false, "The match goes on.", "The match goes on.");
}
