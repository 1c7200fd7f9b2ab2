// SPDX-License-Identifier: MIT
#include "error.h"

#include <stdio.h>
#include <string.h>

#include "utf8.h"

void error_join_periods(char *text)
{
    size_t length = 0;
    for (const char *at = text; *at; at++) {
        // Behind these, two periods are a part of a path or of an ellipsis.
        bool second = length >= 2 && *at == '.' && text[length - 1] == '.' && !strchr("./\\ (", text[length - 2]);
        if (!second || (at[1] && at[1] != ' '))
            text[length++] = *at;
    }
    text[length] = 0;
}

bool error_set_list(struct error *error, int code, const char *format, va_list arguments)
{
    char text[ERROR_TEXT_BYTES + 4]; // room for the rest of a character, so that a cut at the end is no escape
    if (!error)
        return false;
    vsnprintf(text, sizeof text, format, arguments);
    utf8_escape(error->text, sizeof error->text, text);
    error_join_periods(error->text);
    error->code = code;
    return false;
}

bool error_set(struct error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error_set_list(error, 0, format, arguments);
    va_end(arguments);
    return false;
}

bool error_set_code(struct error *error, int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error_set_list(error, code, format, arguments);
    va_end(arguments);
    return false;
}
