// SPDX-License-Identifier: MIT
#include "command_call.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"

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
    fields_text(fields, call->last_answer, sizeof call->last_answer);
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
