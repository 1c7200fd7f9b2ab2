// SPDX-License-Identifier: MIT
#include "match_commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lifecycle/rotation.h"

#define SENTENCE_BYTES 600
#define WORD_BYTES     64

static bool cast(struct call *call, uint32_t choice)
{
    struct match *match = call->desk->match;
    if (match->vote.message.choice_count == 0)
        return call_refuse(call, "No vote is open.");
    return vote_cast(match, call->caller->peer, choice) || call_refuse(call, "The vote has no such choice.");
}

// "/vote 2" chooses in the open vote; all else asks for one.
bool vote_command(struct call *call)
{
    struct error error = {0};
    char *end;
    unsigned long number = strtoul(call->argument, &end, 10);
    if (*call->argument >= '1' && *call->argument <= '9' && *end == '\0')
        return cast(call, number <= VOTE_CHOICE_CAPACITY ? (uint32_t)number - 1 : VOTE_NONE);
    return rotation_vote(call->desk->rotation, call->desk->match, call->caller->peer, call->argument, &error) ||
           call_refuse(call, "No vote: %s.", error.text);
}

bool yes_command(struct call *call)
{
    return cast(call, 0);
}

bool no_command(struct call *call)
{
    return cast(call, 1);
}

static bool told(struct call *call, bool done, const char *sentence)
{
    if (!done)
        return call_refuse(call, "The match stays: %s.", sentence);
    call_answer(call, "The next match begins.");
    return true;
}

bool map_command(struct call *call)
{
    struct error error;
    return told(call, rotation_map(call->desk->rotation, call->desk->match, call->argument, &error), error.text);
}

bool mode_command(struct call *call)
{
    struct error error;
    char mode[WORD_BYTES];
    size_t length = strcspn(call->argument, " ");
    const char *map = call->argument + length + strspn(call->argument + length, " ");
    snprintf(mode, sizeof mode, "%.*s", (int)length, call->argument);
    return told(call, rotation_mode(call->desk->rotation, call->desk->match, mode, *map ? map : NULL, &error),
                error.text);
}

bool restart_command(struct call *call)
{
    struct error error;
    return told(call, rotation_restart(call->desk->rotation, call->desk->match, &error), error.text);
}

static bool hold(struct call *call, uint32_t paused)
{
    struct match *match = call->desk->match;
    if (match->world.round.paused == paused)
        return call_refuse(call, paused ? "It is paused already." : "It is not paused.");
    if (!match_enqueue_command(match, &(struct command){.kind = COMMAND_PAUSE, .paused = paused}))
        return call_refuse(call, "Too many ask at once. Try again.");
    chat_broadcast_system(match, paused ? "The match is paused." : "The match goes on.");
    call_answer(call, paused ? "The match stands still until resume." : "The match goes on.");
    return true;
}

bool pause_command(struct call *call)
{
    return hold(call, 1);
}

bool resume_command(struct call *call)
{
    return hold(call, 0);
}
