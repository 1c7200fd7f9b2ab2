// SPDX-License-Identifier: MIT
#include "options.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <string.h>

static void environment_name(const char *name, char *text, size_t text_bytes)
{
    snprintf(text, text_bytes, "DEADFALL_%s", name);
    for (char *at = text; *at; at++)
        *at = *at == '-' ? '_' : (char)toupper((unsigned char)*at);
}

static bool read_environment(const struct option_reading *reading, char *(*environment)(const char *))
{
    for (size_t i = 0; i < reading->program->option_count; i++) {
        char name[80];
        struct error why;
        struct option_reading inner = {reading->program, reading->settings, &why};
        const struct option *option = &reading->program->options[i];
        bool begun[OPTION_CAPACITY] = {0};
        environment_name(option->name, name, sizeof name);
        const char *value = environment(name);
        if (!value)
            continue;
        option_value_begin(reading, begun, option);
        if (!option_value_set(&inner, option, value))
            return error_set(reading->error, "%s: %s", name, why.text);
    }
    return true;
}

// The standard options on the command line.
struct asked {
    bool help, version, man, completion, print_config, check_config;
    const char *config;
};

enum taken { TAKEN, TAKEN_WITH_VALUE, TAKEN_NOT, TAKEN_WRONG };

static enum taken take_standard(const struct option_reading *reading, struct asked *asked, const char *name,
                                size_t length, const char *value)
{
    const struct {
        const char *name;
        bool *flag;
        bool config;
    } rows[] = {{"help", &asked->help, false},
                {"version", &asked->version, false},
                {"help-man", &asked->man, false},
                {"help-bash", &asked->completion, false},
                {"print-config", &asked->print_config, true},
                {"check-config", &asked->check_config, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strlen(rows[i].name) == length && strncmp(rows[i].name, name, length) == 0 &&
            (!rows[i].config || reading->program->configurable) && name[length] == '\0') {
            *rows[i].flag = true;
            return TAKEN;
        }
    }
    if (!reading->program->configurable || length != 6 || strncmp(name, "config", 6) != 0)
        return TAKEN_NOT;
    if (!value)
        return error_set(reading->error, "--config needs a FILE"), TAKEN_WRONG;
    asked->config = value;
    return name[length] ? TAKEN : TAKEN_WITH_VALUE;
}

static enum taken take_option(const struct option_reading *reading, bool *begun, const char *name, size_t length,
                              const char *next)
{
    const struct option *option = option_value_find(reading->program, name, length);
    const char *value = name[length] == '=' ? name + length + 1 : next;
    if (!option)
        return error_set(reading->error, "there is no option --%.*s; --help lists them",
                         (int)(length > 100 ? 100 : length), name),
               TAKEN_WRONG;
    if (option->kind == OPTION_FLAG && name[length] != '=')
        value = "on";
    if (!value)
        return error_set(reading->error, "--%s needs a value", option->name), TAKEN_WRONG;
    option_value_begin(reading, begun, option);
    if (!option_value_set(reading, option, value))
        return TAKEN_WRONG;
    return option->kind == OPTION_FLAG || name[length] == '=' ? TAKEN : TAKEN_WITH_VALUE;
}

// Walks through the command line. With `asked`, only the standard options count; without, only those of the table.
static bool read_arguments(const struct option_reading *reading, int argc, char **argv, struct asked *asked,
                           struct options_result *result)
{
    bool begun[OPTION_CAPACITY] = {0}, only_operands = false;
    struct asked ignored = {0};
    int operand_count = 0;
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
        if (!only_operands && strcmp(argument, "--") == 0) {
            only_operands = true;
            continue;
        }
        if (only_operands || argument[0] != '-' || argument[1] == '\0') {
            if (!asked)
                argv[operand_count++] = argv[i];
            continue;
        }
        if (strcmp(argument, "-h") == 0)
            argument = "--help";
        if (strncmp(argument, "--", 2) != 0)
            return error_set(reading->error, "there is no option %.100s; --help lists them", argument);
        const char *name = argument + 2;
        size_t length = strcspn(name, "=");
        const char *value = name[length] == '=' ? name + length + 1 : next;
        enum taken taken = take_standard(reading, asked ? asked : &ignored, name, length, value);
        if (taken == TAKEN_NOT && !asked)
            taken = take_option(reading, begun, name, length, next);
        else if (taken == TAKEN_NOT) {
            const struct option *option = option_value_find(reading->program, name, length);
            taken = option && option->kind != OPTION_FLAG && name[length] != '=' ? TAKEN_WITH_VALUE : TAKEN;
        }
        if (taken == TAKEN_WRONG)
            return false;
        i += taken == TAKEN_WITH_VALUE;
    }
    if (asked)
        return true;
    for (size_t row = 0; row < reading->program->option_count; row++)
        result->given[row] = begun[row];
    if ((size_t)operand_count > reading->program->operand_capacity)
        return error_set(reading->error, "\"%.100s\" is one argument too many; --help shows the usage",
                         argv[reading->program->operand_capacity]);
    result->operands = (const char *const *)argv;
    result->operand_count = (size_t)operand_count;
    return true;
}

// An answer that could not be written is an error.
static enum options_outcome answered(struct options_result *result, FILE *out)
{
    if (fflush(out) == 0 && !ferror(out))
        return OPTIONS_DONE;
    error_set_code(&result->error, EXIT_IO, "cannot write the answer: %s", strerror(errno));
    return OPTIONS_WRONG;
}

static enum options_outcome refuse(struct options_result *result, int code)
{
    result->error.code = code;
    return OPTIONS_WRONG;
}

enum options_outcome options_read(const struct program *program, void *settings, int argc, char **argv,
                                  char *(*environment)(const char *name), FILE *out, struct options_result *result)
{
    assert(program->option_count <= OPTION_CAPACITY);
    *result = (struct options_result){0};
    struct option_reading reading = {program, settings, &result->error};
    struct asked asked = {0};
    bool good = read_arguments(&reading, argc, argv, &asked, result);
    for (size_t i = 0; good && i < program->option_count; i++) {
        const struct option *option = &program->options[i];
        good = !option->fallback || option_value_set(&reading, option, option->fallback);
    }
    if (!good)
        return refuse(result, EXIT_USAGE);
    if (asked.help)
        options_print_help(program, out);
    else if (asked.man)
        options_print_man(program, out);
    else if (asked.completion)
        options_print_completion(program, out);
    else if (asked.version)
        fprintf(out, "%s " DEADFALL_VERSION "\n", program->name);
    if (asked.help || asked.man || asked.completion || asked.version) // these need no settings
        return answered(result, out);
    if (program->configurable && !asked.config)
        asked.config = environment("DEADFALL_CONFIG");
    if (asked.config && !config_file_read(&reading, asked.config))
        return refuse(result, EXIT_CONFIG);
    if (!read_environment(&reading, environment))
        return refuse(result, EXIT_CONFIG);
    if (!read_arguments(&reading, argc, argv, NULL, result))
        return refuse(result, EXIT_USAGE);
    if (asked.print_config)
        config_file_write(program, settings, out);
    result->check_config = asked.check_config;
    return asked.print_config || asked.check_config ? answered(result, out) : OPTIONS_RUN;
}

bool options_set(const struct program *program, void *settings, const char *name, const char *value,
                 struct error *error)
{
    struct option_reading reading = {program, settings, error};
    bool begun[OPTION_CAPACITY] = {0};
    const struct option *option = option_value_find(program, name, strlen(name));
    if (!option)
        return error_set(error, "there is no option \"%.100s\"", name);
    option_value_begin(&reading, begun, option);
    return option_value_set(&reading, option, value);
}

bool options_given(const struct program *program, const struct options_result *result, const char *name)
{
    const struct option *option = option_value_find(program, name, strlen(name));
    return option && result->given[option - program->options];
}

static bool is_variable(const char *variable, const char *name)
{
    size_t length = strlen(name);
    return strncmp(variable, name, length) == 0 && variable[length] == '=';
}

char **options_find_stranger(const struct program *program, char **variables)
{
    for (; *variables; variables++) {
        bool known = strncmp(*variables, "DEADFALL_", 9) != 0 || is_variable(*variables, "DEADFALL_CONFIG") ||
                     is_variable(*variables, "DEADFALL_MAP_DIR");
        for (size_t i = 0; i < program->option_count && !known; i++) {
            char name[80];
            environment_name(program->options[i].name, name, sizeof name);
            known = is_variable(*variables, name);
        }
        if (!known)
            return variables;
    }
    return NULL;
}
