// SPDX-License-Identifier: MIT
#include "input_script.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "options/options.h"

#define BLANKS     " \t\r"
#define TICK_MAX   100000000u
#define WORD_BYTES 32

static const struct {
    const char *word;
    uint32_t button;
} WORDS[] = {
    {"left", BUTTON_LEFT},   {"right", BUTTON_RIGHT}, {"up", BUTTON_UP},
    {"down", BUTTON_DOWN},   {"jump", BUTTON_JUMP},   {"dash", BUTTON_DASH},
    {"shoot", BUTTON_SHOOT}, {"grab", BUTTON_GRAB},   {"-", 0},
};

#define WORD_COUNT (sizeof WORDS / sizeof *WORDS)

// A line that is being read: the rest of it, and what is wrong with it.
struct reader {
    const char *rest;
    const char *end;
    const char *fault;        ///< null: nothing
    char culprit[WORD_BYTES]; ///< the word that is wrong
};

static size_t next_word(struct reader *reader, const char **word)
{
    while (reader->rest < reader->end && strchr(BLANKS, *reader->rest))
        reader->rest++;
    *word = reader->rest;
    while (reader->rest < reader->end && !strchr(BLANKS, *reader->rest))
        reader->rest++;
    return (size_t)(reader->rest - *word);
}

static bool fail(struct reader *reader, const char *word, size_t length, const char *fault)
{
    snprintf(reader->culprit, sizeof reader->culprit, "%.*s", (int)length, word);
    reader->fault = fault;
    return false;
}

static bool read_tick(struct reader *reader, uint32_t *value, const char *word, size_t length)
{
    *value = 0;
    for (size_t i = 0; i < length; i++) {
        if (word[i] < '0' || word[i] > '9' || *value > TICK_MAX)
            return fail(reader, word, length, "a line begins with a tick, 0 to 100000000");
        *value = *value * 10 + (uint32_t)(word[i] - '0');
    }
    return true;
}

static bool read_screenshot(struct reader *reader, struct input_script_line *line)
{
    const char *word, *more;
    size_t length = next_word(reader, &word);
    if (!length || length >= sizeof line->screenshot)
        return fail(reader, word, length, "screenshot needs a file, of at most 127 bytes without blanks");
    memcpy(line->screenshot, word, length);
    line->screenshot[length] = 0;
    length = next_word(reader, &more);
    return !length || fail(reader, more, length, "nothing comes after the file of a screenshot");
}

static bool is_word(const char *word, size_t length, const char *wanted)
{
    return length == strlen(wanted) && !memcmp(word, wanted, length);
}

static bool read_fingers(struct reader *reader, struct input_script_fingers *fingers)
{
    const char *word;
    uint32_t places[2 * INPUT_SCRIPT_FINGERS], count = 0;
    for (size_t length = next_word(reader, &word); length; length = next_word(reader, &word)) {
        if (count == 2 * INPUT_SCRIPT_FINGERS)
            return fail(reader, word, length, "there are at most 4 fingers");
        if (!read_tick(reader, &places[count], word, length) || places[count] > 1000)
            return fail(reader, word, length, "a finger is at X Y, each 0 to 1000");
        count++;
    }
    if (count % 2)
        return fail(reader, "touch", strlen("touch"), "a finger is at X Y, each 0 to 1000");
    fingers->count = count / 2;
    for (uint32_t i = 0; i < count; i++)
        *(i % 2 ? &fingers->of[i / 2].y : &fingers->of[i / 2].x) = (int32_t)places[i];
    return true;
}

static bool read_line(struct reader *reader, struct input_script *script)
{
    const char *word;
    size_t length = next_word(reader, &word);
    struct input_script_line *line = &script->lines[script->count];
    const struct input_script_line *before = script->count ? line - 1 : 0;
    if (!length || *word == '#')
        return true;
    if (script->count == INPUT_SCRIPT_LINE_CAPACITY)
        return fail(reader, word, length, "a script has at most 512 lines");
    *line = (struct input_script_line){0};
    if (!read_tick(reader, &line->tick, word, length))
        return false;
    if (before && line->tick < before->tick)
        return fail(reader, word, length, "ticks never decrease");
    length = next_word(reader, &word);
    if (!length)
        return fail(reader, word, length, "after the tick comes what is held, - for nothing");
    script->count++;
    bool shoots = is_word(word, length, "screenshot"), touches = is_word(word, length, "touch");
    line->buttons = before && (shoots || touches) ? before->buttons : 0;
    line->fingers = before ? before->fingers : line->fingers;
    if (shoots)
        return read_screenshot(reader, line);
    if (touches)
        return read_fingers(reader, &line->fingers);
    for (; length; length = next_word(reader, &word)) {
        size_t i = 0;
        while (i < WORD_COUNT && !is_word(word, length, WORDS[i].word))
            i++;
        if (i == WORD_COUNT)
            return fail(reader, word, length,
                        "the words are left right up down jump dash shoot grab, -, screenshot FILE and touch X Y");
        line->buttons |= WORDS[i].button;
    }
    return true;
}

bool input_script_load(struct input_script *script, const char *path, struct error *error)
{
    static char text[INPUT_SCRIPT_BYTES_MAX + 1];
    size_t byte_count;
    if (!file_read(path, text, INPUT_SCRIPT_BYTES_MAX, &byte_count))
        return error_set_code(error, EXIT_IO, "The input script %s cannot be read: %s.", path,
                              errno == EFBIG ? "it is larger than 32 KiB" : strerror(errno));
    text[byte_count] = 0;
    return input_script_read(script, path, text, error);
}

bool input_script_read(struct input_script *script, const char *name, const char *text, struct error *error)
{
    script->count = 0;
    for (uint32_t number = 1; *text; number++) {
        size_t length = strcspn(text, "\n");
        struct reader reader = {.rest = text, .end = text + length};
        if (!read_line(&reader, script))
            return error_set_code(error, EXIT_DATA, "%s:%u: \"%s\": %s.", name, number, reader.culprit, reader.fault);
        text += length + (text[length] == '\n');
    }
    return true;
}

tick input_script_origin(const struct world *world, uint32_t slot)
{
    uint32_t number = world->players[slot].generation - 1;
    const struct event *join = &world->events[number % EVENT_CAPACITY];
    bool remembered = world->event_count - number <= EVENT_CAPACITY;
    return remembered && join->kind == EVENT_JOIN && join->subject == slot ? join->tick : world->tick;
}

uint32_t input_script_buttons(const struct input_script *script, uint32_t moment)
{
    uint32_t buttons = 0;
    for (uint32_t i = 0; i < script->count && script->lines[i].tick <= moment; i++)
        buttons = script->lines[i].buttons;
    return buttons;
}

const struct input_script_fingers *input_script_fingers(const struct input_script *script, uint32_t moment)
{
    const struct input_script_fingers *fingers = NULL;
    for (uint32_t i = 0; i < script->count && script->lines[i].tick <= moment; i++)
        if (fingers || script->lines[i].fingers.count)
            fingers = &script->lines[i].fingers;
    return fingers;
}

const char *input_script_screenshot(const struct input_script *script, uint32_t after, uint32_t moment)
{
    const char *file = 0;
    for (uint32_t i = 0; i < script->count; i++)
        if (script->lines[i].tick > after && script->lines[i].tick <= moment && script->lines[i].screenshot[0])
            file = script->lines[i].screenshot;
    return file;
}
