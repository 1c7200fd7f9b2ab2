// SPDX-License-Identifier: MIT
#include "options.h"

#include "base/platform/disk.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const struct option *option_value_find(const struct program *program, const char *name, size_t length)
{
    for (size_t i = 0; i < program->option_count; i++)
        if (strlen(program->options[i].name) == length && strncmp(program->options[i].name, name, length) == 0)
            return &program->options[i];
    return NULL;
}

static void *option_field(const struct option_reading *reading, const struct option *option)
{
    return (char *)reading->settings + option->offset;
}

// Like strtol, but accepts only digits and a minus sign: no white space, no plus, no base. Returns the rest, or null.
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

bool option_value_duration(const char *text, int64_t *value_ms)
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

static bool set_flag(const struct option_reading *reading, const struct option *option, const char *text)
{
    static const char *const words[] = {"off", "on", "false", "true", "no", "yes", "0", "1"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcasecmp(text, words[i]) == 0) {
            *(bool *)option_field(reading, option) = i % 2 == 1;
            return true;
        }
    }
    return error_set(reading->error, "%s is on or off, not \"%.100s\"", option->name, text);
}

static bool set_number(const struct option_reading *reading, const struct option *option, const char *text)
{
    int64_t value;
    const char *end = read_number(text, &value);
    if (!end || *end || value < option->least || value > option->most)
        return error_set(reading->error, "%s is a number from %lld to %lld, not \"%.100s\"", option->name,
                         (long long)option->least, (long long)option->most, text);
    *(int64_t *)option_field(reading, option) = value;
    return true;
}

static bool set_duration(const struct option_reading *reading, const struct option *option, const char *text)
{
    int64_t value_ms;
    if (!option_value_duration(text, &value_ms) || value_ms < option->least || value_ms > option->most)
        return error_set(reading->error, "%s is a time like 20s, 500ms or 3m from %lld to %lld ms, not \"%.100s\"",
                         option->name, (long long)option->least, (long long)option->most, text);
    *(int64_t *)option_field(reading, option) = value_ms;
    return true;
}

static bool set_choice(const struct option_reading *reading, const struct option *option, const char *text)
{
    char words[200] = "";
    for (uint32_t i = 0; option->choices[i]; i++) {
        if (strcmp(text, option->choices[i]) == 0) {
            *(uint32_t *)option_field(reading, option) = i;
            return true;
        }
        size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, "%s%s", i ? ", " : "", option->choices[i]);
    }
    return error_set(reading->error, "%s is one of %s, not \"%.100s\"", option->name, words, text);
}

static bool copy_text(const struct option_reading *reading, const struct option *option, char *target, const char *text,
                      size_t length)
{
    if (length >= OPTION_TEXT_BYTES)
        return error_set(reading->error, "%s is longer than %d bytes", option->name, OPTION_TEXT_BYTES - 1);
    if (length < (size_t)option->least)
        return error_set(reading->error, "%s must not be empty", option->name);
    if (memchr(text, '\n', length))
        return error_set(reading->error, "%s must be one line", option->name);
    memset(target, 0, OPTION_TEXT_BYTES); // so that equal texts are equal bytes
    memcpy(target, text, length);
    return true;
}

static bool set_text(const struct option_reading *reading, const struct option *option, const char *text)
{
    return copy_text(reading, option, option_field(reading, option), text, strlen(text));
}

static bool add_to_list(const struct option_reading *reading, const struct option *option, const char *text)
{
    struct option_list *list = option_field(reading, option);
    for (const char *at = text; *at;) {
        while (*at == ',' || isspace((unsigned char)*at))
            at++;
        size_t length = strcspn(at, ",");
        const char *next = at + length;
        while (length > 0 && isspace((unsigned char)at[length - 1]))
            length--;
        if (length > 0 && list->count == OPTION_LIST_CAPACITY)
            return error_set(reading->error, "%s has more than %d values", option->name, OPTION_LIST_CAPACITY);
        if (length > 0 && !copy_text(reading, option, list->values[list->count], at, length))
            return false;
        list->count += length > 0;
        at = next;
    }
    return true;
}

static void print_flag(const struct option *option, const void *field, char *text)
{
    (void)option;
    strcpy(text, *(const bool *)field ? "on" : "off");
}

static void print_number(const struct option *option, const void *field, char *text)
{
    (void)option;
    sprintf(text, "%lld", (long long)*(const int64_t *)field);
}

static void print_duration(const struct option *option, const void *field, char *text)
{
    print_number(option, field, text);
    strcat(text, "ms");
}

static void print_choice(const struct option *option, const void *field, char *text)
{
    strcpy(text, option->choices[*(const uint32_t *)field]);
}

static void print_text(const struct option *option, const void *field, char *text)
{
    (void)option;
    strcpy(text, field);
}

static void print_list(const struct option *option, const void *field, char *text)
{
    (void)option;
    const struct option_list *list = field;
    text[0] = '\0';
    for (uint32_t i = 0; i < list->count; i++)
        text += sprintf(text, "%s%s", i ? ", " : "", list->values[i]);
}

// One row for each kind of value. The text of every value fits into OPTION_VALUE_BYTES.
static const struct {
    size_t bytes;
    bool (*set)(const struct option_reading *reading, const struct option *option, const char *text);
    void (*print)(const struct option *option, const void *field, char *text);
} KINDS[] = {
    [OPTION_FLAG] = {sizeof(bool), set_flag, print_flag},
    [OPTION_NUMBER] = {sizeof(int64_t), set_number, print_number},
    [OPTION_DURATION] = {sizeof(int64_t), set_duration, print_duration},
    [OPTION_CHOICE] = {sizeof(uint32_t), set_choice, print_choice},
    [OPTION_TEXT] = {OPTION_TEXT_BYTES, set_text, print_text},
    [OPTION_LIST] = {sizeof(struct option_list), add_to_list, print_list},
};

bool option_value_set(const struct option_reading *reading, const struct option *option, const char *text)
{
    return KINDS[option->kind].set(reading, option, text);
}

void option_value_print(const struct option *option, const void *settings, char text[OPTION_VALUE_BYTES])
{
    KINDS[option->kind].print(option, (const char *)settings + option->offset, text);
}

void option_value_begin(const struct option_reading *reading, bool *begun, const struct option *option)
{
    size_t row = (size_t)(option - reading->program->options);
    if (option->kind == OPTION_LIST && !begun[row])
        memset(option_field(reading, option), 0, sizeof(struct option_list));
    begun[row] = true;
}

bool option_value_same(const struct option *option, const void *settings, const void *others)
{
    return memcmp((const char *)settings + option->offset, (const char *)others + option->offset,
                  KINDS[option->kind].bytes) == 0;
}

void option_value_copy(const struct option *option, void *settings, const void *others)
{
    memcpy((char *)settings + option->offset, (const char *)others + option->offset, KINDS[option->kind].bytes);
}

#define PERMISSIONS_TOO_MANY 0026u

static bool read_line(FILE *file, char password[PASSWORD_TEXT_BYTES])
{
    char line[PASSWORD_TEXT_BYTES + 2] = "";
    if (!fgets(line, sizeof line, file))
        return false;
    size_t length = strcspn(line, "\r\n");
    if (length == 0 || length >= PASSWORD_TEXT_BYTES)
        return false;
    memcpy(password, line, length);
    password[length] = 0;
    return true;
}

bool option_read_password(const char *path, char password[PASSWORD_TEXT_BYTES], struct error *error)
{
    password[0] = 0;
    if (!*path)
        return true;
    FILE *file = fopen(path, "re");
    if (!file)
        return error_set(error, "the password file %s cannot be read: %s", path, strerror(errno));
    struct disk_facts facts;
    bool private = disk_look_at(fileno(file), &facts) && !(facts.permissions & PERMISSIONS_TOO_MANY);
    bool good = private && read_line(file, password);
    fclose(file);
    if (!private)
        error_set(error, "the password file %s is open to others; run chmod 600 %s", path, path);
    else if (!good)
        error_set(error, "the password file %s needs a first line of 1 to %d bytes", path, PASSWORD_TEXT_BYTES - 1);
    return good;
}
