// SPDX-License-Identifier: MIT
#include <string.h>

#include "config_file.h"
#include "options.h"

#define HEAD_COLUMNS 26

static void print_choices(FILE *out, const struct option *option)
{
    for (uint32_t i = 0; option->choices[i]; i++)
        fprintf(out, "%s%s", i ? "|" : "", option->choices[i]);
}

static void print_row(FILE *out, const char *head, const char *help, const char *fallback)
{
    if (strlen(head) > HEAD_COLUMNS)
        fprintf(out, "  %s\n  %*s %s", head, HEAD_COLUMNS, "", help);
    else
        fprintf(out, "  %-*s %s", HEAD_COLUMNS, head, help);
    if (fallback && *fallback)
        fprintf(out, " (%s)", fallback);
    fputc('\n', out);
}

void options_print_help(const struct program *program, FILE *out)
{
    fprintf(out, "Usage: %s [OPTION]...%s%s\n%s\n\n", program->name, program->operands ? " " : "",
            program->operands ? program->operands : "", program->summary);
    for (size_t i = 0; i < program->option_count; i++) {
        const struct option *option = &program->options[i];
        char head[120];
        int used = snprintf(head, sizeof head, "--%s%s%s", option->name, option->value ? " " : "",
                            option->value ? option->value : "");
        if (option->kind == OPTION_CHOICE)
            for (uint32_t c = 0; option->choices[c] && used > 0 && (size_t)used < sizeof head; c++)
                used += snprintf(head + used, sizeof head - (size_t)used, "%s%s", c ? "|" : " ", option->choices[c]);
        print_row(out, head, option->help, option->fallback);
    }
    if (program->configurable) {
        print_row(out, "--config FILE", "read options from a file, a line each: key = value", "$DEADFALL_CONFIG");
        print_row(out, "--print-config", "print all options as such a file and end", NULL);
        print_row(out, "--check-config", "check all options and end", NULL);
    }
    print_row(out, "--help", "print this and end", NULL);
    print_row(out, "--version", "print the version and end", NULL);
    if (program->configurable)
        fputs("\nEach option is also a key of the file and an environment variable: --max-players,\nmax-players = 16, "
              "DEADFALL_MAX_PLAYERS. Command line over environment over file over default.\n",
              out);
    if (program->help_more)
        program->help_more(out);
}

static void print_doubling_quotes(const char *text, FILE *out)
{
    for (; *text; text++)
        fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
}

static void print_text(const char *text, FILE *out)
{
    if (!config_file_wants_quotes(text)) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    print_doubling_quotes(text, out);
    fputc('"', out);
}

static void print_list(const struct option_list *list, FILE *out)
{
    bool quoted = false;
    for (uint32_t i = 0; i < list->count; i++)
        quoted = quoted || config_file_wants_quotes(list->values[i]);
    fputs(quoted ? "\"" : "", out);
    for (uint32_t i = 0; i < list->count; i++) {
        fputs(i ? ", " : "", out);
        if (quoted)
            print_doubling_quotes(list->values[i], out);
        else
            fputs(list->values[i], out);
    }
    fputs(quoted ? "\"" : "", out);
}

static void print_value(const void *settings, const struct option *option, FILE *out)
{
    const void *value = (const char *)settings + option->offset;
    switch (option->kind) {
    case OPTION_FLAG:
        fputs(*(const bool *)value ? "on" : "off", out);
        break;
    case OPTION_NUMBER:
        fprintf(out, "%lld", (long long)*(const int64_t *)value);
        break;
    case OPTION_DURATION:
        fprintf(out, "%lldms", (long long)*(const int64_t *)value);
        break;
    case OPTION_CHOICE:
        fputs(option->choices[*(const uint32_t *)value], out);
        break;
    case OPTION_TEXT:
        print_text(value, out);
        break;
    case OPTION_LIST:
        print_list(value, out);
        break;
    }
}

void options_print_config(const struct program *program, const void *settings, FILE *out)
{
    for (size_t i = 0; i < program->option_count; i++) {
        const struct option *option = &program->options[i];
        fprintf(out, "# %s", option->help);
        if (option->kind == OPTION_CHOICE) {
            fputs(": ", out);
            print_choices(out, option);
        }
        fprintf(out, "\n%s = ", option->name);
        print_value(settings, option, out);
        fputs("\n", out);
    }
}
