// SPDX-License-Identifier: MIT
#include "words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- errors ----------------------------------------------------------------------------------------------------

bool words_fail(struct words *words, int32_t column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words->error->message, sizeof words->error->message, format, arguments);
    va_end(arguments);
    words->error->line = words->line;
    words->error->column = column;
    return false;
}

struct shown words_show(struct word word)
{
    struct shown shown = {{0}};
    size_t bytes = word.bytes < sizeof shown.text - 4 ? word.bytes : sizeof shown.text - 4;
    for (size_t i = 0; i < bytes; i++)
        shown.text[i] = word.text[i] >= ' ' && word.text[i] <= '~' ? word.text[i] : '?';
    if (bytes < word.bytes)
        memcpy(shown.text + bytes, "...", 4);
    return shown;
}

// ---- words -----------------------------------------------------------------------------------------------------

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool word_is(struct word word, const char *text)
{
    return word.bytes == strlen(text) && memcmp(word.text, text, word.bytes) == 0;
}

bool words_next_line(struct words *words, struct word *line)
{
    if (words->at == words->end)
        return false;
    const char *newline = memchr(words->at, '\n', (size_t)(words->end - words->at));
    const char *stop = newline != NULL ? newline : words->end;
    const char *start = words->at;
    words->at = newline != NULL ? newline + 1 : words->end;
    words->line++;
    int32_t column = 1;
    while (start < stop && is_blank(*start)) {
        start++;
        column++;
    }
    while (start < stop && is_blank(stop[-1]))
        stop--;
    *line = (struct word){start, (size_t)(stop - start), column};
    return true;
}

bool words_split(struct words *words, struct word line)
{
    const char *comment = memchr(line.text, '#', line.bytes);
    const char *stop = comment != NULL ? comment : line.text + line.bytes;
    words->count = 0;
    words->next = 0;
    words->end_column = line.column;
    for (const char *c = line.text; c < stop;) {
        if (is_blank(*c)) {
            c++;
            continue;
        }
        struct word word = {c, 0, line.column + (int32_t)(c - line.text)};
        for (; c < stop && !is_blank(*c); c++)
            word.bytes++;
        words->end_column = word.column + (int32_t)word.bytes;
        if (words->count == WORDS_CAPACITY)
            return words_fail(words, word.column, "more than %d words in one statement", WORDS_CAPACITY);
        words->list[words->count++] = word;
    }
    return true;
}

bool words_take(struct words *words, const char *what, struct word *word)
{
    if (words->next == words->count)
        return words_fail(words, words->end_column, "%s is missing here", what);
    *word = words->list[words->next++];
    return true;
}

bool words_take_end(struct words *words)
{
    if (words->next < words->count) {
        struct word word = words->list[words->next];
        return words_fail(words, word.column, "\"%s\" is not expected here", words_show(word).text);
    }
    return true;
}

bool words_number(struct words *words, struct word word, const char *what, int32_t low, int32_t high, int32_t *value)
{
    size_t i = word.bytes > 0 && word.text[0] == '-' ? 1 : 0;
    int64_t sum = 0;
    bool is_number = i < word.bytes;
    for (; i < word.bytes && is_number; i++) {
        is_number = word.text[i] >= '0' && word.text[i] <= '9';
        sum = sum < INT32_MAX ? sum * 10 + (word.text[i] - '0') : sum; // far beyond every limit is enough
    }
    if (!is_number)
        return words_fail(words, word.column, "%s must be a whole number, not \"%s\"", what, words_show(word).text);
    sum = word.text[0] == '-' ? -sum : sum;
    if (sum < low || sum > high)
        return words_fail(words, word.column, "%s must be from %d to %d, not %s", what, low, high,
                          words_show(word).text);
    *value = (int32_t)sum;
    return true;
}

bool words_take_number(struct words *words, const char *what, int32_t low, int32_t high, int32_t *value)
{
    struct word word = {0};
    return words_take(words, what, &word) && words_number(words, word, what, low, high, value);
}

bool words_pair(struct words *words, struct word word, const char *what, int32_t low, int32_t high, int32_t *a,
                int32_t *b)
{
    const char *comma = memchr(word.text, ',', word.bytes);
    if (comma == NULL)
        return words_fail(words, word.column, "%s must be two numbers with a comma between, not \"%s\"", what,
                          words_show(word).text);
    size_t bytes = (size_t)(comma - word.text);
    struct word first = {word.text, bytes, word.column};
    struct word second = {comma + 1, word.bytes - bytes - 1, word.column + (int32_t)bytes + 1};
    return words_number(words, first, what, low, high, a) && words_number(words, second, what, low, high, b);
}

// ---- options and choices ----------------------------------------------------------------------------------------

bool words_take_option(struct words *words, const char *key, struct word *value)
{
    size_t bytes = strlen(key);
    if (words->next == words->count)
        return false;
    struct word word = words->list[words->next];
    if (word.bytes < bytes || memcmp(word.text, key, bytes) != 0)
        return false;
    *value = (struct word){word.text + bytes, word.bytes - bytes, word.column + (int32_t)bytes};
    words->next++;
    return true;
}

bool words_choice(struct words *words, struct word word, const char *what, const char *const *names, int32_t *chosen)
{
    char list[120] = "";
    for (int32_t i = 0; names[i] != NULL; i++) {
        if (word_is(word, names[i])) {
            *chosen = i;
            return true;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    return words_fail(words, word.column, "%s must be one of %s, not \"%s\"", what, list, words_show(word).text);
}
