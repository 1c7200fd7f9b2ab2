// SPDX-License-Identifier: MIT
//
// What every command needs: how it answers, and which players its words name.
#include "commands.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sync/player_name.h"

static void answer_list(struct command_call *call, const char *format, va_list arguments)
{
    vsnprintf(call->last_answer, sizeof call->last_answer, format, arguments);
    error_join_periods(call->last_answer);
    call->caller->answer(call->caller->context, call->last_answer, NULL);
}

void command_call_answer(struct command_call *call, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    answer_list(call, format, arguments);
    va_end(arguments);
}

void command_call_report(struct command_call *call, const struct fields *fields)
{
    log_fields_text(fields, call->last_answer, sizeof call->last_answer);
    call->caller->answer(call->caller->context, call->last_answer, fields);
}

void command_call_report_text(struct command_call *call, const char *text, const struct fields *fields)
{
    snprintf(call->last_answer, sizeof call->last_answer, "%s", text);
    call->caller->answer(call->caller->context, call->last_answer, fields);
}

bool command_call_refuse(struct command_call *call, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    answer_list(call, format, arguments);
    va_end(arguments);
    return false;
}

bool command_call_wait(struct command_call *call, enum command_subject subject, uint64_t number)
{
    struct command_question question = {subject, number};
    if (!call->caller->wait || !call->caller->wait(call->caller->context, question))
        return false;
    call->question = question;
    return true;
}

bool command_call_enqueue(struct command_call *call, const struct command *command)
{
    return match_enqueue_command(call->admin->match, command) ||
           command_call_refuse(call, "Too many commands at once. Try again.");
}

const char *command_call_word(const char *line, char word[COMMAND_WORD_BYTES])
{
    line += strspn(line, " ");
    bool quoted = *line == '"';
    line += quoted;
    size_t length = strcspn(line, quoted ? "\"" : " ");
    snprintf(word, COMMAND_WORD_BYTES, "%.*s", length < COMMAND_WORD_BYTES ? (int)length : 0, line);
    line += length + (quoted && line[length] == '"');
    return line + strspn(line, " ");
}

void command_call_name(const struct match *match, uint32_t slot, char name[PLAYER_NAME_BYTES + 1])
{
    player_name_to_text(match->roster.seats[slot].name, name);
}

// #SLOT, a name in any case, or a key. Two names may differ in case alone, so the exact one wins.
uint32_t command_call_player(const struct match *match, const char *word)
{
    uint32_t found = PLAYER_CAPACITY;
    for (uint32_t slot = 0; slot < PLAYER_CAPACITY && *word; slot++) {
        uint32_t peer = peer_at_slot(match, slot);
        char name[PLAYER_NAME_BYTES + 1], fingerprint[FINGERPRINT_TEXT_BYTES], number[12];
        if (peer == MATCH_PEER_CAPACITY)
            continue;
        command_call_name(match, slot, name);
        if (strcmp(name, word) == 0)
            return slot;
        identity_fingerprint(match->peers[peer].client.identity, fingerprint);
        snprintf(number, sizeof number, "#%u", slot);
        if (strcmp(word, number) == 0 || strcasecmp(word, name) == 0 || strcmp(word, fingerprint) == 0)
            found = slot;
    }
    return found;
}

bool command_call_refuse_word(struct command_call *call, const char *word)
{
    if (!*word)
        return command_call_refuse(call, "Who? Give a name (in \"quotes\" if it has blanks), #SLOT, or a key.");
    return command_call_refuse(call, "There is no player \"%s\". status lists the players.", word);
}
