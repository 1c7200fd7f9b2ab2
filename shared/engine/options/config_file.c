// SPDX-License-Identifier: MIT
#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/file.h"

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    for (size_t length = strlen(text); length > 0 && isspace((unsigned char)text[length - 1]);)
        text[--length] = '\0';
    return text;
}

// A comment begins with a '#' at the beginning of a word.
static void cut_comment(char *line)
{
    char *at = line;
    while (*at && (*at != '#' || (at > line && !isspace((unsigned char)at[-1]))))
        at++;
    *at = '\0';
}

// Removes the quotation marks, in place. Returns null unless there is one at the end, with nothing but a comment
// behind it.
static char *unquote(char *text)
{
    char *to = text, *at = text + 1;
    for (; *at && (*at != '"' || at[1] == '"'); at++) {
        at += *at == '"';
        *to++ = *at;
    }
    if (*at != '"')
        return NULL;
    cut_comment(at + 1);
    char *rest = trim(at + 1);
    *to = '\0';
    return *rest ? NULL : text;
}

// "key = value", a comment after '#', or nothing.
static bool read_line(const struct option_reading *reading, bool *begun, char *line)
{
    size_t length = strcspn(line, "=#");
    if (line[length] != '=') {
        cut_comment(line);
        line = trim(line);
        return !*line || error_set(reading->error, "\"%.100s\" is not \"key = value\"", line);
    }
    line[length] = '\0';
    const char *key = trim(line);
    const struct option *option = option_value_find(reading->program, key, strlen(key));
    if (!option)
        return error_set(reading->error, "there is no option \"%.100s\"; --help lists them", key);
    if (option->kind != OPTION_LIST && begun[option - reading->program->options])
        return error_set(reading->error, "%s is set twice", option->name);
    option_value_begin(reading, begun, option);
    char *value = trim(line + length + 1);
    if (*value == '"') {
        value = unquote(value);
    } else {
        cut_comment(value);
        value = trim(value);
    }
    return value ? option_value_set(reading, option, value)
                 : error_set(reading->error, "%s has no closing quotation mark, or more text behind it", option->name);
}

static bool read_lines(const struct option_reading *reading, const char *path, char *text)
{
    bool begun[OPTION_CAPACITY] = {0};
    struct error why;
    struct option_reading inner = {reading->program, reading->settings, &why};
    int number = 1;
    for (char *line = text; line; number++) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        if (!read_line(&inner, begun, line))
            return error_set(reading->error, "%.200s:%d: %.400s", path, number, why.text);
        line = end ? end + 1 : NULL;
    }
    return true;
}

bool config_file_read(const struct option_reading *reading, const char *path)
{
    char text[CONFIG_FILE_BYTES_MAX + 1];
    size_t length;
    if (!file_read(path, text, CONFIG_FILE_BYTES_MAX, &length))
        return errno == EFBIG
                   ? error_set(reading->error, "the config file %.300s has more than %d bytes", path,
                               CONFIG_FILE_BYTES_MAX)
                   : error_set(reading->error, "cannot read the config file %.300s: %s", path, strerror(errno));
    if (memchr(text, '\0', length))
        return error_set(reading->error, "the config file %.300s is not text: it has a zero byte", path);
    text[length] = '\0';
    return read_lines(reading, path, text);
}

void config_file_write(const struct program *program, const void *settings, FILE *out)
{
    for (size_t i = 0; i < program->option_count; i++) {
        const struct option *option = &program->options[i];
        char text[OPTION_VALUE_BYTES];
        fprintf(out, "# %s", option->help);
        for (uint32_t k = 0; option->choices && option->choices[k]; k++)
            fprintf(out, "%s%s", k ? "|" : ": ", option->choices[k]);
        fprintf(out, "\n%s = ", option->name);
        option_value_print(option, settings, text);
        size_t length = strlen(text);
        bool quoted = length > 0 && (strchr(text, '#') || text[0] == '"' || isspace((unsigned char)text[0]) ||
                                     isspace((unsigned char)text[length - 1]));
        fputs(quoted ? "\"" : "", out);
        for (const char *at = text; *at; at++) // a quotation mark within quotes is doubled
            fprintf(out, quoted && *at == '"' ? "\"\"" : "%c", *at);
        fputs(quoted ? "\"\n" : "\n", out);
    }
}
