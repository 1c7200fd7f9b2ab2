// SPDX-License-Identifier: MIT
#include "option_value.h"

#include <ctype.h>
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
    memcpy(target, text, length);
    target[length] = '\0';
    return true;
}

static bool add_values(const struct option_reading *reading, const struct option *option, const char *text)
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

bool option_value_set(const struct option_reading *reading, const struct option *option, const char *text)
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
        return copy_text(reading, option, option_field(reading, option), text, strlen(text));
    case OPTION_LIST:
        return add_values(reading, option, text);
    }
    return false;
}

void option_value_begin(const struct option_reading *reading, bool *begun, const struct option *option)
{
    size_t row = (size_t)(option - reading->program->options);
    if (option->kind == OPTION_LIST && !begun[row])
        ((struct option_list *)option_field(reading, option))->count = 0;
    begun[row] = true;
}

bool option_value_same(const struct option *option, const void *settings, const void *others)
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

void option_value_copy(const struct option *option, void *settings, const void *others)
{
    static const size_t bytes[] = {[OPTION_FLAG] = sizeof(bool),        [OPTION_NUMBER] = sizeof(int64_t),
                                   [OPTION_DURATION] = sizeof(int64_t), [OPTION_CHOICE] = sizeof(uint32_t),
                                   [OPTION_TEXT] = OPTION_TEXT_BYTES,   [OPTION_LIST] = sizeof(struct option_list)};
    memcpy((char *)settings + option->offset, (const char *)others + option->offset, bytes[option->kind]);
}
