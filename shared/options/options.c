// SPDX-License-Identifier: MIT
#include "options.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

// One reading: where its sentence goes.
struct reading {
    const struct program *program;
    void *settings;
    char *sentence;
    size_t sentence_bytes;
};

static bool wrong(const struct reading *reading, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool wrong(const struct reading *reading, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reading->sentence, reading->sentence_bytes, format, arguments);
    va_end(arguments);
    return false;
}

static const struct option *find(const struct program *program, const char *name, size_t length)
{
    for (size_t i = 0; i < program->option_count; i++)
        if (strlen(program->options[i].name) == length && strncmp(program->options[i].name, name, length) == 0)
            return &program->options[i];
    return NULL;
}

static void *field(const struct reading *reading, const struct option *option)
{
    return (char *)reading->settings + option->offset;
}

// Digits alone, no sign but a minus: a strtol that takes no white space, no plus, no base and no rest.
static const char *read_number(const char *at, int64_t *value)
{
    bool negative = *at == '-';
    const char *digits = at + negative;
    *value = 0;
    for (at = digits; *at >= '0' && *at <= '9'; at++) {
        if (at - digits == 17)
            return NULL;
        *value = *value * 10 + (*at - '0');
    }
    *value = negative ? -*value : *value;
    return at > digits ? at : NULL;
}

bool options_duration(const char *text, int64_t *value_ms)
{
    static const struct {
        const char *name;
        int64_t ms;
    } units[] = {{"", 1000}, {"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}};
    int64_t value;
    const char *end = read_number(text, &value);
    for (size_t i = 0; end && i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].name) == 0)
            return !__builtin_mul_overflow(value, units[i].ms, value_ms);
    return false;
}

static bool set_flag(const struct reading *reading, const struct option *option, const char *text)
{
    static const char *const words[] = {"off", "on", "false", "true", "no", "yes", "0", "1"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(text, words[i]) == 0) {
            *(bool *)field(reading, option) = i % 2 == 1;
            return true;
        }
    }
    return wrong(reading, "%s is on or off, not \"%.100s\"", option->name, text);
}

static bool set_number(const struct reading *reading, const struct option *option, const char *text)
{
    int64_t value;
    const char *end = read_number(text, &value);
    if (!end || *end || value < option->least || value > option->most)
        return wrong(reading, "%s is a number from %lld to %lld, not \"%.100s\"", option->name,
                     (long long)option->least, (long long)option->most, text);
    *(int64_t *)field(reading, option) = value;
    return true;
}

static bool set_duration(const struct reading *reading, const struct option *option, const char *text)
{
    int64_t value_ms;
    if (!options_duration(text, &value_ms) || value_ms < option->least || value_ms > option->most)
        return wrong(reading, "%s is a time like 20s, 500ms or 3m from %lld to %lld ms, not \"%.100s\"", option->name,
                     (long long)option->least, (long long)option->most, text);
    *(int64_t *)field(reading, option) = value_ms;
    return true;
}

static bool set_choice(const struct reading *reading, const struct option *option, const char *text)
{
    char words[200] = "";
    for (uint32_t i = 0; option->choices[i]; i++) {
        if (strcmp(text, option->choices[i]) == 0) {
            *(uint32_t *)field(reading, option) = i;
            return true;
        }
        size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, "%s%s", i ? ", " : "", option->choices[i]);
    }
    return wrong(reading, "%s is one of %s, not \"%.100s\"", option->name, words, text);
}

static bool copy_text(const struct reading *reading, const struct option *option, char *target, const char *text,
                      size_t length)
{
    if (length >= OPTION_TEXT_BYTES)
        return wrong(reading, "%s is longer than %d bytes", option->name, OPTION_TEXT_BYTES - 1);
    if (length < (size_t)option->least)
        return wrong(reading, "%s must not be empty", option->name);
    memcpy(target, text, length);
    target[length] = '\0';
    return true;
}

static bool add_values(const struct reading *reading, const struct option *option, const char *text)
{
    struct option_list *list = field(reading, option);
    for (const char *at = text; *at;) {
        at += strspn(at, ", \t");
        size_t length = strcspn(at, ",");
        const char *next = at + length;
        while (length > 0 && isspace((unsigned char)at[length - 1]))
            length--;
        if (length > 0 && list->count == OPTION_LIST_CAPACITY)
            return wrong(reading, "%s has more than %d values", option->name, OPTION_LIST_CAPACITY);
        if (length > 0 && !copy_text(reading, option, list->values[list->count], at, length))
            return false;
        list->count += length > 0;
        at = next;
    }
    return true;
}

static bool set(const struct reading *reading, const struct option *option, const char *text)
{
    switch (option->kind) {
    case OPTION_FLAG:
        return set_flag(reading, option, text);
    case OPTION_NUMBER:
        return set_number(reading, option, text);
    case OPTION_DURATION:
        return set_duration(reading, option, text);
    case OPTION_CHOICE:
        return set_choice(reading, option, text);
    case OPTION_TEXT:
        return copy_text(reading, option, field(reading, option), text, strlen(text));
    case OPTION_LIST:
        return add_values(reading, option, text);
    }
    return false;
}

static bool set_fallbacks(const struct reading *reading)
{
    for (size_t i = 0; i < reading->program->option_count; i++) {
        const struct option *option = &reading->program->options[i];
        if (option->fallback && !set(reading, option, option->fallback))
            return false;
    }
    return true;
}

// A source that names a list begins it anew; only its own values add up.
static void begin_source(const struct reading *reading, bool *begun, const struct option *option)
{
    size_t row = (size_t)(option - reading->program->options);
    if (option->kind == OPTION_LIST && !begun[row])
        ((struct option_list *)field(reading, option))->count = 0;
    begun[row] = true;
}

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    for (size_t length = strlen(text); length > 0 && isspace((unsigned char)text[length - 1]);)
        text[--length] = '\0';
    return text;
}

// A '#' within a word begins none.
static void cut_comment(char *line)
{
    char *at = line;
    while (*at && (*at != '#' || (at > line && !isspace((unsigned char)at[-1]))))
        at++;
    *at = '\0';
}

// "key = value", a comment after '#', or nothing.
static bool read_line(const struct reading *reading, bool *begun, char *line)
{
    cut_comment(line);
    char *key = trim(line);
    if (!*key)
        return true;
    char *equals = strchr(key, '=');
    if (!equals)
        return wrong(reading, "\"%.100s\" is not \"key = value\"", key);
    *equals = '\0';
    key = trim(key);
    const struct option *option = find(reading->program, key, strlen(key));
    if (!option)
        return wrong(reading, "there is no option \"%.100s\"; --help lists them", key);
    if (option->kind != OPTION_LIST && begun[option - reading->program->options])
        return wrong(reading, "%s is there twice", option->name);
    begin_source(reading, begun, option);
    cut_comment(equals + 1);
    return set(reading, option, trim(equals + 1));
}

static bool read_lines(const struct reading *reading, const char *path, char *text)
{
    bool begun[OPTION_CAPACITY] = {0};
    char why[512];
    const struct reading inner = {reading->program, reading->settings, why, sizeof why};
    int number = 1;
    for (char *line = text; line; number++) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        if (!read_line(&inner, begun, line))
            return wrong(reading, "%.200s:%d: %.400s", path, number, why);
        line = end ? end + 1 : NULL;
    }
    return true;
}

static bool read_file(const struct reading *reading, const char *path)
{
    char text[CONFIG_BYTES_MAX + 2];
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, CONFIG_BYTES_MAX + 1, file) : 0;
    bool good = file && !ferror(file);
    int reason = errno;
    if (file)
        fclose(file);
    if (!good)
        return wrong(reading, "cannot read the config file %.300s: %s", path, strerror(reason));
    if (length > CONFIG_BYTES_MAX)
        return wrong(reading, "the config file %.300s has more than %d bytes", path, CONFIG_BYTES_MAX);
    if (memchr(text, '\0', length))
        return wrong(reading, "the config file %.300s is no text: it holds a zero byte", path);
    text[length] = '\0';
    return read_lines(reading, path, text);
}

static void environment_name(const char *name, char *text, size_t text_bytes)
{
    snprintf(text, text_bytes, "DEADFALL_%s", name);
    for (char *at = text; *at; at++)
        *at = *at == '-' ? '_' : (char)toupper((unsigned char)*at);
}

static bool read_environment(const struct reading *reading, char *(*environment)(const char *))
{
    for (size_t i = 0; i < reading->program->option_count; i++) {
        char name[80], why[512];
        const struct reading inner = {reading->program, reading->settings, why, sizeof why};
        const struct option *option = &reading->program->options[i];
        bool begun[OPTION_CAPACITY] = {0};
        environment_name(option->name, name, sizeof name);
        const char *value = environment(name);
        if (!value)
            continue;
        begin_source(reading, begun, option);
        if (!set(&inner, option, value))
            return wrong(reading, "%s: %s", name, why);
    }
    return true;
}

// What the command line says besides the table.
struct asked {
    bool help, version, man, completion, print_config, check_config;
    const char *config;
};

enum taken { TAKEN, TAKEN_WITH_VALUE, TAKEN_NOT, TAKEN_WRONG };

static enum taken take_standard(const struct reading *reading, struct asked *asked, const char *name, size_t length,
                                const char *value)
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
        return wrong(reading, "--config needs a FILE"), TAKEN_WRONG;
    asked->config = value;
    return name[length] ? TAKEN : TAKEN_WITH_VALUE;
}

static enum taken take_option(const struct reading *reading, bool *begun, const char *name, size_t length,
                              const char *next)
{
    const struct option *option = find(reading->program, name, length);
    const char *value = name[length] == '=' ? name + length + 1 : next;
    if (!option)
        return wrong(reading, "there is no option --%.*s; --help lists them", (int)(length > 100 ? 100 : length), name),
               TAKEN_WRONG;
    if (option->kind == OPTION_FLAG && name[length] != '=')
        value = "on";
    if (!value)
        return wrong(reading, "--%s needs a value", option->name), TAKEN_WRONG;
    begin_source(reading, begun, option);
    if (!set(reading, option, value))
        return TAKEN_WRONG;
    return option->kind == OPTION_FLAG || name[length] == '=' ? TAKEN : TAKEN_WITH_VALUE;
}

// Goes through the command line. `asked`: only the standard options count; else only the table's.
static bool read_arguments(const struct reading *reading, int argc, char **argv, struct asked *asked,
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
            return wrong(reading, "there is no option %.100s; --help lists them", argument);
        const char *name = argument + 2;
        size_t length = strcspn(name, "=");
        const char *value = name[length] == '=' ? name + length + 1 : next;
        enum taken taken = take_standard(reading, asked ? asked : &ignored, name, length, value);
        if (taken == TAKEN_NOT && !asked)
            taken = take_option(reading, begun, name, length, next);
        else if (taken == TAKEN_NOT) {
            const struct option *option = find(reading->program, name, length);
            taken = option && option->kind != OPTION_FLAG && name[length] != '=' ? TAKEN_WITH_VALUE : TAKEN;
        }
        if (taken == TAKEN_WRONG)
            return false;
        i += taken == TAKEN_WITH_VALUE;
    }
    if (asked)
        return true;
    for (size_t row = 0; row < reading->program->option_count; row++)
        result->given |= (uint64_t)begun[row] << row;
    if ((size_t)operand_count > reading->program->operand_capacity)
        return wrong(reading, "\"%.100s\" is one argument too many; --help shows the usage",
                     argv[reading->program->operand_capacity]);
    result->operands = (const char *const *)argv;
    result->operand_count = (size_t)operand_count;
    return true;
}

// An answer that nobody got is none.
static enum options_outcome answered(struct options_result *result, FILE *out)
{
    if (fflush(out) == 0 && !ferror(out))
        return OPTIONS_DONE;
    snprintf(result->sentence, sizeof result->sentence, "cannot write the answer: %s", strerror(errno));
    result->code = EXIT_IO;
    return OPTIONS_WRONG;
}

static enum options_outcome refuse(struct options_result *result, int code)
{
    result->code = code;
    return OPTIONS_WRONG;
}

// --help and its kin, which need no settings.
static bool answer(const struct program *program, const struct asked *asked, FILE *out)
{
    if (asked->help)
        options_print_help(program, out);
    else if (asked->man)
        options_print_man(program, out);
    else if (asked->completion)
        options_print_completion(program, out);
    else if (asked->version)
        fprintf(out, "%s " DEADFALL_VERSION "\n", program->name);
    return asked->help || asked->man || asked->completion || asked->version;
}

enum options_outcome options_read(const struct program *program, void *settings, int argc, char **argv,
                                  char *(*environment)(const char *name), FILE *out, struct options_result *result)
{
    assert(program->option_count <= OPTION_CAPACITY);
    *result = (struct options_result){0};
    const struct reading reading = {program, settings, result->sentence, sizeof result->sentence};
    struct asked asked = {0};
    if (!read_arguments(&reading, argc, argv, &asked, result) || !set_fallbacks(&reading))
        return refuse(result, EXIT_USAGE);
    if (answer(program, &asked, out))
        return answered(result, out);
    if (program->configurable && !asked.config)
        asked.config = environment("DEADFALL_CONFIG");
    if (asked.config && !read_file(&reading, asked.config))
        return refuse(result, EXIT_CONFIG);
    if (!read_environment(&reading, environment))
        return refuse(result, EXIT_CONFIG);
    if (!read_arguments(&reading, argc, argv, NULL, result))
        return refuse(result, EXIT_USAGE);
    if (asked.print_config)
        options_print_config(program, settings, out);
    result->check_config = asked.check_config;
    return asked.print_config || asked.check_config ? answered(result, out) : OPTIONS_RUN;
}

bool options_given(const struct program *program, const struct options_result *result, const char *name)
{
    const struct option *option = find(program, name, strlen(name));
    return option && result->given >> (option - program->options) & 1;
}

bool options_same(const struct option *option, const void *settings, const void *others)
{
    const void *one = (const char *)settings + option->offset, *other = (const char *)others + option->offset;
    const struct option_list *list = one, *other_list = other;
    switch (option->kind) {
    case OPTION_FLAG:
        return *(const bool *)one == *(const bool *)other;
    case OPTION_NUMBER:
    case OPTION_DURATION:
        return *(const int64_t *)one == *(const int64_t *)other;
    case OPTION_CHOICE:
        return *(const uint32_t *)one == *(const uint32_t *)other;
    case OPTION_TEXT:
        return strcmp(one, other) == 0;
    case OPTION_LIST:
        for (uint32_t i = 0; i < list->count && list->count == other_list->count; i++)
            if (strcmp(list->values[i], other_list->values[i]) != 0)
                return false;
        return list->count == other_list->count;
    }
    return false;
}

void options_copy(const struct option *option, void *settings, const void *others)
{
    static const size_t bytes[] = {[OPTION_FLAG] = sizeof(bool),        [OPTION_NUMBER] = sizeof(int64_t),
                                   [OPTION_DURATION] = sizeof(int64_t), [OPTION_CHOICE] = sizeof(uint32_t),
                                   [OPTION_TEXT] = OPTION_TEXT_BYTES,   [OPTION_LIST] = sizeof(struct option_list)};
    memcpy((char *)settings + option->offset, (const char *)others + option->offset, bytes[option->kind]);
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

bool options_set(const struct program *program, void *settings, const char *name, const char *value, char *sentence,
                 size_t sentence_bytes)
{
    const struct reading reading = {program, settings, sentence, sentence_bytes};
    const struct option *option = find(program, name, strlen(name));
    return option ? set(&reading, option, value) : wrong(&reading, "there is no option \"%.100s\"", name);
}
