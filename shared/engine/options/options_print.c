// SPDX-License-Identifier: MIT
//
// Prints what a table of options says: --help, the rows of a man page (mdoc) and a completion for bash. All come from
// the same rows, so none can contradict the program.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

#include "base/platform/disk.h"

#define HELP_COLUMNS 26
#define MAN_COLUMNS  76

// What every program has beside its table.
static const struct option CONFIG_OPTIONS[] = {
    {"config", OPTION_TEXT, .value = "FILE", .fallback = "$DEADFALL_CONFIG",
     .help = "read options from a file, one per line: key = value"},
    {"print-config", OPTION_FLAG, .help = "print all options as such a file and exit"},
    {"check-config", OPTION_FLAG, .help = "check all options and exit"},
};
static const struct option COMMON_OPTIONS[] = {
    {"help", OPTION_FLAG, .help = "print a summary of the options and exit"},
    {"version", OPTION_FLAG, .help = "print the version and exit"},
};

// Calls a printer for every option of a program.
static void print_each(const struct program *program, FILE *out, void (*print)(FILE *out, const struct option *option))
{
    for (size_t i = 0; i < program->option_count; i++)
        print(out, &program->options[i]);
    for (size_t i = 0; program->configurable && i < sizeof CONFIG_OPTIONS / sizeof *CONFIG_OPTIONS; i++)
        print(out, &CONFIG_OPTIONS[i]);
    for (size_t i = 0; i < sizeof COMMON_OPTIONS / sizeof *COMMON_OPTIONS; i++)
        print(out, &COMMON_OPTIONS[i]);
}

static void print_help_row(FILE *out, const struct option *option)
{
    char head[120];
    int used = snprintf(head, sizeof head, "--%s%s%s", option->name, option->value ? " " : "",
                        option->value ? option->value : "");
    for (uint32_t i = 0; option->choices && option->choices[i] && (size_t)used < sizeof head; i++)
        used += snprintf(head + used, sizeof head - (size_t)used, "%s%s", i ? "|" : " ", option->choices[i]);
    if (used > HELP_COLUMNS)
        fprintf(out, "  %s\n  %*s %s", head, HELP_COLUMNS, "", option->help);
    else
        fprintf(out, "  %-*s %s", HELP_COLUMNS, head, option->help);
    if (option->fallback && *option->fallback)
        fprintf(out, " (%s)", option->fallback);
    fputc('\n', out);
}

void options_print_help(const struct program *program, FILE *out)
{
    fprintf(out, "Usage: %s [OPTION]...%s%s\n%s\n\n", program->name, program->operands ? " " : "",
            program->operands ? program->operands : "", program->summary);
    print_each(program, out, print_help_row);
    if (program->configurable)
        fputs("\nEach option is also a key of the config file and an environment variable: --max-players,\n"
              "max-players = 16, DEADFALL_MAX_PLAYERS. The command line overrides the environment, the\n"
              "environment overrides the file, and the file overrides the default.\n",
              out);
    if (program->help_more)
        program->help_more(out);
}

// Prints text for mdoc: backslashes are escaped, no line begins with a dot, each sentence begins a line, and no line is
// long.
static void print_text(FILE *out, const char *text)
{
    size_t column = 0;
    for (const char *at = text; *at; at++) {
        bool ends = *at == ' ' && at > text && strchr(".!?", at[-1]);
        if (*at == '\n' || ends || (*at == ' ' && column + strcspn(at + 1, " \n") >= MAN_COLUMNS)) {
            fputc('\n', out);
            column = 0;
            continue;
        }
        if (column == 0 && (*at == '.' || *at == '\''))
            fputs("\\&", out);
        fputs(*at == '\\' ? "\\e" : (char[]){*at, '\0'}, out);
        column++;
    }
    fputc('\n', out);
}

// Prints a word of a macro's line, quoted, so that mdoc does not take "No" or "|" for a macro.
static void print_word(FILE *out, const char *macro, const char *word)
{
    fprintf(out, " %s \"\\&", macro);
    for (; *word; word++)
        fputs(*word == '"' ? "\\(dq" : *word == '\\' ? "\\e" : (char[]){*word, '\0'}, out);
    fputc('"', out);
}

static void print_man_row(FILE *out, const struct option *option)
{
    fprintf(out, ".It Fl -%s", option->name);
    for (uint32_t i = 0; option->choices && option->choices[i]; i++) {
        fputs(i ? " |" : "", out);
        print_word(out, "Cm", option->choices[i]);
    }
    if (option->value)
        print_word(out, "Ar", option->value);
    fputc('\n', out);
    print_text(out, option->help);
    if (option->fallback && *option->fallback) {
        fputs(".Pq default :", out);
        print_word(out, "Cm", option->fallback);
        fputc('\n', out);
    }
}

// Prints the end of --help, unchanged.
static void print_more(const struct program *program, FILE *out)
{
    struct disk_memory memory;
    size_t text_bytes;
    if (!disk_memory_open(&memory))
        return;
    program->help_more(memory.out);
    char *text = disk_memory_close(&memory, &text_bytes);
    if (text) {
        fputs(".Bd -literal\n", out);
        for (char *line = text + strspn(text, "\n"); *line;) {
            char *end = line + strcspn(line, "\n");
            fprintf(out, "%s", *line == '.' || *line == '\'' ? "\\&" : "");
            for (; line < end; line++)
                fputs(*line == '\\' ? "\\e" : (char[]){*line, '\0'}, out);
            fputc('\n', out);
            line = *end ? end + 1 : end;
        }
        fputs(".Ed\n", out);
    }
    free(text);
}

void options_print_man(const struct program *program, FILE *out)
{
    fputs(".Bl -tag -width Ds\n", out);
    print_each(program, out, print_man_row);
    fputs(".El\n", out);
    if (program->help_more)
        print_more(program, out);
    if (program->configurable)
        fputs(".Pp\nEach option is also a key of the config file and an environment variable:\n"
              ".Fl -max-players ,\n.Li max-players = 16 ,\n.Ev DEADFALL_MAX_PLAYERS .\n"
              "The command line overrides the environment,\nthe environment overrides the file, "
              "and the file overrides the default.\n",
              out);
}

// Prints a case of bash that completes the value of an option. An option without one, a flag, has no case.
static void print_value_case(FILE *out, const struct option *option)
{
    const char *value = option->value ? option->value : "";
    if (option->kind == OPTION_FLAG)
        return;
    fprintf(out, "  --%s)", option->name);
    if (option->choices) {
        fputs(" _deadfall_words '", out);
        for (uint32_t i = 0; option->choices[i]; i++)
            fprintf(out, "%s%s", i ? " " : "", option->choices[i]);
        fputc('\'', out);
    } else if (strstr(value, "FILE")) {
        fputs(" _deadfall_files -f", out);
    } else if (strstr(value, "DIR") || strstr(value, "PATH")) {
        fputs(strstr(value, "DIR") ? " _deadfall_files -d" : " _deadfall_files -f", out);
    }
    fputs(" ;;\n", out);
}

static void print_name(FILE *out, const struct option *option)
{
    fprintf(out, "--%s ", option->name);
}

void options_print_completion(const struct program *program, FILE *out)
{
    char function[80];
    snprintf(function, sizeof function, "_%s", program->name);
    for (char *at = function; *at; at++)
        *at = *at == '-' ? '_' : *at;
    // To bash, an "=" between option and value is a word.
    fprintf(
        out,
        "# bash completion of %s\n"
        "%s() {\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
        "  _deadfall_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$word\"); }\n"
        "  _deadfall_files() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen \"$1\" -- "
        "\"$word\"); }\n"
        "  COMPREPLY=()\n"
        "  if [ \"$word\" = = ]; then word=''; elif [ \"$before\" = = ]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
        "  case $before in\n",
        program->name, function);
    print_each(program, out, print_value_case);
    fputs("  *) case $word in\n    -*) _deadfall_words '", out);
    print_each(program, out, print_name);
    fputs("' ;;\n", out);
    if (program->commands) {
        fprintf(out, "    *) if [ \"$COMP_CWORD\" = %u ]; then _deadfall_words '", program->commands_after + 1);
        for (size_t i = 0; program->commands[i]; i++)
            fprintf(out, "%s%s", i ? " " : "", program->commands[i]);
        fputs("'; else _deadfall_files -f; fi ;;\n", out);
    } else if (program->operands) {
        fputs("    *) _deadfall_files -f ;;\n", out);
    }
    fprintf(out, "    esac ;;\n  esac\n}\ncomplete -F %s %s\n", function, program->name);
}
