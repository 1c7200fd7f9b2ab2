// SPDX-License-Identifier: MIT
//
// What the table gives besides --help: the options as rows of a man page (mdoc) and as a completion for bash, so that
// neither can say another thing than the program does.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"

#define TEXT_COLUMNS 76

// Text as mdoc reads it: a backslash is none of its own, no line begins with a dot, each sentence begins one, and none
// is long.
static void print_text(FILE *out, const char *text)
{
    size_t column = 0;
    for (const char *at = text; *at; at++) {
        bool ends = *at == ' ' && at > text && strchr(".!?", at[-1]);
        if (*at == '\n' || ends || (*at == ' ' && column + strcspn(at + 1, " \n") >= TEXT_COLUMNS)) {
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

// A word of a macro's line: quoted, so that "No" and "|" are words and not macros.
static void print_word(FILE *out, const char *macro, const char *word)
{
    fprintf(out, " %s \"\\&", macro);
    for (; *word; word++)
        fputs(*word == '"' ? "\\(dq" : *word == '\\' ? "\\e" : (char[]){*word, '\0'}, out);
    fputc('"', out);
}

static void print_row(FILE *out, const struct option *option)
{
    fprintf(out, ".It Fl -%s", option->name);
    if (option->kind == OPTION_CHOICE)
        for (uint32_t i = 0; option->choices[i]; i++) {
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

// What --help says at its end, as it stands there.
static void print_more(const struct program *program, FILE *out)
{
    char *text = NULL;
    size_t text_bytes = 0;
    FILE *memory = open_memstream(&text, &text_bytes);
    if (!memory)
        return;
    program->help_more(memory);
    if (fclose(memory) == 0) {
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
    static const struct option CONFIG[] = {
        {"config", OPTION_TEXT, .value = "FILE", .help = "read options from a file, a line each: key = value"},
        {"print-config", OPTION_FLAG, .help = "print all options as such a file and end"},
        {"check-config", OPTION_FLAG, .help = "check all options and end"},
    };
    static const struct option ALWAYS[] = {
        {"help", OPTION_FLAG, .help = "print a summary and end"},
        {"version", OPTION_FLAG, .help = "print the version and end"},
    };
    fputs(".Bl -tag -width Ds\n", out);
    for (size_t i = 0; i < program->option_count; i++)
        print_row(out, &program->options[i]);
    for (size_t i = 0; program->configurable && i < sizeof CONFIG / sizeof *CONFIG; i++)
        print_row(out, &CONFIG[i]);
    for (size_t i = 0; i < sizeof ALWAYS / sizeof *ALWAYS; i++)
        print_row(out, &ALWAYS[i]);
    fputs(".El\n", out);
    if (program->help_more)
        print_more(program, out);
    if (program->configurable)
        fputs(".Pp\nEach option is also a key of the config file and an environment variable:\n"
              ".Fl -max-players ,\n.Li max-players = 16 ,\n.Ev DEADFALL_MAX_PLAYERS .\n"
              "The command line overrules the environment,\nthe environment the file, the file the default.\n",
              out);
}

// The words that may follow an option, as a command of bash that fills COMPREPLY.
static void print_values(FILE *out, const struct option *option)
{
    const char *value = option->value ? option->value : "";
    if (option->kind == OPTION_FLAG)
        return;
    fprintf(out, "  --%s)", option->name);
    if (option->kind == OPTION_CHOICE) {
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

void options_print_completion(const struct program *program, FILE *out)
{
    char function[80];
    snprintf(function, sizeof function, "_%s", program->name);
    for (char *at = function; *at; at++)
        *at = *at == '-' ? '_' : *at;
    // An "=" between option and value is a word of its own.
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
    for (size_t i = 0; i < program->option_count; i++)
        print_values(out, &program->options[i]);
    fprintf(out, "%s  *) case $word in\n    -*) _deadfall_words '",
            program->configurable ? "  --config) _deadfall_files -f ;;\n" : "");
    for (size_t i = 0; i < program->option_count; i++)
        fprintf(out, "--%s ", program->options[i].name);
    fprintf(out, "%s--help --version' ;;\n", program->configurable ? "--config --print-config --check-config " : "");
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
