// SPDX-License-Identifier: MIT
#include "control.h"

#include <stdlib.h>
#include <string.h>

static bool read_count(struct control_command *command, const char *text, uint32_t most, struct error *error)
{
    char *rest;
    unsigned long count = strtoul(text, &rest, 10);
    command->count = (uint32_t)count;
    if (*text >= '0' && *text <= '9' && *rest == 0 && count <= most)
        return true;
    return error_set(error, "count: write a number from 0 to %u", most);
}

bool control_parse(struct control_command *command, const char *line, uint32_t most, struct error *error)
{
    static const char *const words[] = {"count", "behaviour", "mark", "stop"};
    size_t length = strcspn(line, " "), kind = 0;
    while (kind < sizeof words / sizeof *words &&
           (strlen(words[kind]) != length || strncmp(line, words[kind], length) != 0))
        kind++;
    const char *rest = line + length + strspn(line + length, " ");
    *command = (struct control_command){.kind = (enum control_kind)kind, .text = rest, .text_bytes = strlen(rest)};
    // deadfall-admin quotes a text with blanks that is one word of its command line.
    if (command->text_bytes >= 2 && rest[0] == '"' && rest[command->text_bytes - 1] == '"') {
        command->text++;
        command->text_bytes -= 2;
    }
    if (kind == CONTROL_COUNT)
        return read_count(command, rest, most, error);
    if (kind == CONTROL_BEHAVIOUR)
        return behaviour_mix_parse(&command->mix, rest, error);
    if (kind == CONTROL_MARK && *rest)
        return true;
    if (kind == CONTROL_STOP && !*rest)
        return true;
    return error_set(error, "write count N, behaviour MIX, mark TEXT or stop");
}
