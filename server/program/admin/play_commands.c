// SPDX-License-Identifier: MIT
//
// The commands about what is played, and who plays: team, spectate, play, w, vote, yes, no, map, mode, variants,
// restart, pause, resume.
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
    return command_call_enqueue(call,
                                &(struct command){.kind = COMMAND_TEAM, .slot = call->caller->slot, .team = team});
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
    const struct seat *seat = &match->roster.seats[call->caller->slot];
    if (!bracket_may_play(&call->admin->bracket, seat->has_key ? &seat->key : NULL))
        return command_call_refuse(call, "Two players of the tournament play now. /bracket shows who is next.");
    return change_team(call, TEAM_AUTO);
}

bool command_w(struct command_call *call)
{
    const struct match *match = call->admin->match;
    size_t length = 0;
    uint32_t addressee = ROSTER_FULL; // the longest name with which the argument begins, since names have blanks
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY; slot++) {
        char name[PLAYER_NAME_BYTES + 1];
        player_name_to_text(match->roster.seats[slot].name, name);
        size_t bytes = strlen(name);
        if (match->roster.seats[slot].kind != SEAT_PLAYER || bytes <= length ||
            strncmp(call->argument, name, bytes) != 0 || (call->argument[bytes] != ' ' && call->argument[bytes]))
            continue;
        addressee = slot;
        length = bytes;
    }
    const char *text = call->argument + length + strspn(call->argument + length, " ");
    if (addressee == ROSTER_FULL || !*text)
        return command_call_refuse(call, "To whisper, say /w, the name of a player who is here, and your line.");
    return chat_whisper(call->admin->match, call->caller->slot, addressee, text) ||
           command_call_refuse(call, "They are not here at the moment.");
}

static bool cast(struct command_call *call, uint32_t choice)
{
    struct match *match = call->admin->match;
    if (match->vote.message.choice_count == 0)
        return command_call_refuse(call, "No vote is open.");
    if (match->vote.is_restricted && !vote_has_seniority(match, call->caller->slot))
        return command_call_refuse(call, "You can vote on this once you have played for a minute.");
    if (vote_site_is_full(match, call->caller->slot))
        return command_call_refuse(call, "Enough households of your network vote already.");
    return vote_cast(match, call->caller->slot, choice) || command_call_refuse(call, "The vote has no such choice.");
}

// "/vote 2" chooses in the open vote; anything else starts one.
bool command_vote(struct command_call *call)
{
    struct error error = {0};
    char *end;
    unsigned long number = strtoul(call->argument, &end, 10);
    if (*call->argument >= '1' && *call->argument <= '9' && *end == '\0')
        return cast(call, number <= VOTE_CHOICE_CAPACITY ? (uint32_t)number - 1 : VOTE_NONE);
    return rotation_vote(call->admin->rotation, call->admin->match, call->caller->slot, call->argument, &error) ||
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

bool command_restart(struct command_call *call)
{
    struct admin_state *admin = call->admin;
    if (strcmp(call->argument, "server") == 0) {
        if (!command_call_wait(call, COMMAND_RESTARTS, answers_ask(&admin->restarts)))
            command_call_report(
                call,
                &(struct fields){"restart", "The server restarts if its program and its options are good.", {{0}}});
        return true;
    }
    if (*call->argument && strcmp(call->argument, "match") != 0)
        return command_call_refuse(call, "Restart what? Say restart match or restart server.");
    return wait_for_match(call, rotation_restart(admin->rotation, admin->match));
}

enum answer_outcome command_began(const struct admin_state *admin, struct command_question question,
                                  const struct command_caller *caller)
{
    char text[ERROR_TEXT_BYTES + 40] = "The next match begins.";
    const struct match *match = admin->match;
    const struct answer *answer = answers_look(&admin->rotation->commands, question.number);
    bool is_replaced = answer->outcome == ANSWER_REPLACED || answer->outcome == ANSWER_FORGOTTEN;
    if (answer->outcome == ANSWER_OPEN)
        return ANSWER_OPEN;
    bool done = answer->outcome == ANSWER_DONE;
    if (is_replaced && caller->peer != COMMAND_CALLER_OUTSIDE)
        return ANSWER_FAILED; // a player sees what begins instead
    if (is_replaced)
        snprintf(text, sizeof text, "A newer command decides what is played.");
    else if (!done)
        snprintf(text, sizeof text, "The match goes on as it is: %s.", answer->text);
    caller->answer(caller->context, text,
                   &(struct fields){"match",
                                    "",
                                    {{"mode", .text = mode_name((enum mode)match->world.rules.mode)},
                                     {"map", .text = match->map.name},
                                     {"begins", .number = done, .is_flag = true}}});
    return done ? ANSWER_DONE : ANSWER_FAILED;
}

enum answer_outcome command_restarted(const struct admin_state *admin, struct command_question question,
                                      const struct command_caller *caller)
{
    char text[ERROR_TEXT_BYTES + 40] = "The server restarts. Its players stay.";
    const struct answer *answer = answers_look(&admin->restarts, question.number);
    if (answer->outcome == ANSWER_OPEN)
        return ANSWER_OPEN;
    bool done = answer->outcome == ANSWER_DONE;
    if (answer->outcome == ANSWER_FORGOTTEN)
        snprintf(text, sizeof text, "A newer command decides whether the server restarts.");
    else if (!done)
        snprintf(text, sizeof text, "The server goes on: %s.", answer->text);
    caller->answer(caller->context, text,
                   &(struct fields){"restart", "", {{"restarts", .number = done, .is_flag = true}}});
    return done ? ANSWER_DONE : ANSWER_FAILED;
}

static bool enqueue_pause(struct command_call *call, bool pauses)
{
    return command_call_enqueue(
        call, &(struct command){.kind = COMMAND_PAUSE, .paused = pauses ? PAUSE_ORDERED : PAUSE_NONE});
}

static bool set_pause(struct command_call *call, bool pauses, const char *notice, const char *answer)
{
    if (!enqueue_pause(call, pauses))
        return false;
    match_end_lone_pause(call->admin->match);
    chat_broadcast_system(call->admin->match, notice);
    command_call_report(call, &(struct fields){"pause", answer, {{"paused", .number = pauses, .is_flag = true}}});
    return true;
}

bool command_pause(struct command_call *call)
{
    uint32_t paused = call->admin->match->world.round.paused;
    if (paused == PAUSE_STALLED)
        return command_call_refuse(call, "The match waits for its players after a restart. Try again in a second.");
    if (paused)
        return command_call_refuse(call, "The match is already paused.");
    if (strcmp(call->argument, "alone") == 0) { // who is alone sees that the match is paused, so no line says it
        if (!match_may_pause_alone(call->admin->match, call->caller->peer))
            return command_call_refuse(call, "Others are connected, so the match goes on.");
        if (!enqueue_pause(call, true))
            return false;
        match_pause_alone(call->admin->match, call->caller->peer);
        return true;
    }
    if (*call->argument)
        return command_call_refuse(call, "That command takes no argument but alone.");
    return set_pause(call, true, "The match is paused.", "The match is paused until resume.");
}

bool command_resume(struct command_call *call)
{
    struct match *match = call->admin->match;
    if (match->world.round.paused != PAUSE_ORDERED)
        return command_call_refuse(call, "The match is not paused.");
    if (match->paused_alone && call->caller->peer != COMMAND_CALLER_OUTSIDE) {
        if (!enqueue_pause(call, false))
            return false;
        match_end_lone_pause(match);
        return true;
    }
    return set_pause(call, false, "The match goes on.", "The match goes on.");
}
