// SPDX-License-Identifier: MIT
#include "screen_script.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define FRAMES_MAX 100000
#define TIMES_MAX  64
#define PADS_MAX   4

// What follows a verb.
enum shape {
    NOTHING,
    WORDS,   ///< any, to the end of the line
    KEYS,    ///< names with commas between, each perhaps with a number of times
    ONE_KEY, ///< a name
    TEXT,    ///< one
    TEXTS,   ///< a path and one or more
    NOTE,    ///< a name and one
    COUNT,   ///< of frames
    PLUG,    ///< perhaps the family of a pad
    BUTTONS, ///< of a pad, with commas between
    AXIS,    ///< of a pad, and where it is pushed
};

static const struct verb {
    const char *name;
    enum screen_verb verb;
    enum shape shape;
    bool is_of_director, waits;
} VERBS[] = {
    {"window", SCREEN_WINDOW, WORDS, true, false},
    {"server", SCREEN_SERVER, WORDS, true, false},
    {"liar", SCREEN_LIAR, TEXT, true, false},
    {"stop", SCREEN_STOP, NOTHING, true, false},
    {"ends", SCREEN_ENDS, NOTHING, true, true},
    {"file", SCREEN_FILE, TEXTS, true, false},
    {"kept", SCREEN_KEPT, TEXTS, true, true},
    {"press", SCREEN_PRESS, KEYS, false, false},
    {"hold", SCREEN_HOLD, ONE_KEY, false, false},
    {"release", SCREEN_RELEASE, ONE_KEY, false, false},
    {"type", SCREEN_TYPE, TEXT, false, false},
    {"choose", SCREEN_CHOOSE, TEXT, false, false},
    {"point", SCREEN_POINT, TEXT, false, true},
    {"click", SCREEN_CLICK, TEXT, false, true},
    {"tap", SCREEN_TAP, TEXT, false, true},
    {"blur", SCREEN_BLUR, NOTHING, false, false},
    {"focus", SCREEN_FOCUS, NOTHING, false, false},
    {"close", SCREEN_CLOSE, NOTHING, false, false},
    {"see", SCREEN_SEE, TEXT, false, true},
    {"gone", SCREEN_GONE, TEXT, false, true},
    {"at", SCREEN_AT, TEXT, false, true},
    {"log", SCREEN_LOG, TEXT, false, true},
    {"unlogged", SCREEN_UNLOGGED, TEXT, false, false},
    {"note", SCREEN_NOTE, NOTE, false, true},
    {"frames", SCREEN_FRAMES, COUNT, false, false},
    {"still", SCREEN_STILL, COUNT, false, false},
    {"moves", SCREEN_MOVES, NOTHING, false, true},
};

// Those behind "pad N".
static const struct verb PAD_VERBS[] = {
    {"plug", SCREEN_PLUG, PLUG, false, false},          {"unplug", SCREEN_UNPLUG, NOTHING, false, false},
    {"press", SCREEN_PAD_PRESS, BUTTONS, false, false}, {"hold", SCREEN_PAD_HOLD, BUTTONS, false, false},
    {"axis", SCREEN_PAD_AXIS, AXIS, false, false},      {"release", SCREEN_PAD_RELEASE, BUTTONS, false, false},
};

// A line that is being read, word by word.
struct reader {
    struct screen_script *script;
    struct words *words;
    const char *at, *end, *begin; ///< of the line
    int32_t column;               ///< of its begin
    bool is_quoted;               ///< the word that was taken last
    struct word word;
};

static int32_t column_of(const struct reader *reader, const char *at)
{
    return reader->column + (int32_t)(at - reader->begin);
}

static void skip_blanks(struct reader *reader)
{
    while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\t'))
        reader->at++;
    if (reader->at < reader->end && *reader->at == '#')
        reader->at = reader->end;
}

static bool is_at_end(struct reader *reader)
{
    skip_blanks(reader);
    return reader->at == reader->end;
}

// Takes a word, or a text in quotes without them. A name of several words ends at a comma.
static bool take(struct reader *reader, const char *what, bool is_name)
{
    if (is_at_end(reader))
        return words_fail(reader->words, column_of(reader, reader->end), "%s is missing here", what);
    const char *begin = reader->at;
    reader->is_quoted = *begin == '"';
    if (reader->is_quoted) {
        const char *quote = memchr(begin + 1, '"', (size_t)(reader->end - begin - 1));
        if (!quote)
            return words_fail(reader->words, column_of(reader, begin), "the text has no quote at its end");
        reader->word = (struct word){begin + 1, (size_t)(quote - begin - 1), column_of(reader, begin)};
        reader->at = quote + 1;
        return reader->word.bytes > 0 || words_fail(reader->words, reader->word.column, "the text is empty");
    }
    const char *stops = is_name ? ",#" : " \t#";
    while (reader->at < reader->end && !strchr(stops, *reader->at))
        reader->at++;
    const char *end = reader->at;
    while (end > begin && isspace((unsigned char)end[-1]))
        end--;
    reader->word = (struct word){begin, (size_t)(end - begin), column_of(reader, begin)};
    return reader->word.bytes > 0 || words_fail(reader->words, reader->word.column, "%s is missing here", what);
}

static bool take_text(struct reader *reader, const char *what)
{
    return take(reader, what, false) &&
           (reader->is_quoted || words_fail(reader->words, reader->word.column, "%s must be in quotes", what));
}

// A line and its words are together less than twice as long as the line, with what ends each.
static const char *copy(struct screen_script *script, struct word word)
{
    char *text = script->texts + script->used;
    memcpy(text, word.text, word.bytes);
    text[word.bytes] = 0;
    script->used += (uint32_t)word.bytes + 1;
    return text;
}

// Keeps the word that was taken.
static bool keep(struct reader *reader, struct screen_step *step)
{
    if (step->count == SCREEN_SCRIPT_WORDS)
        return words_fail(reader->words, reader->word.column, "more than %d words in one step", SCREEN_SCRIPT_WORDS);
    step->times[step->count] = 1;
    step->words[step->count++] = copy(reader->script, reader->word);
    return true;
}

static bool expect_end(struct reader *reader)
{
    if (is_at_end(reader))
        return true;
    struct word rest = {reader->at, (size_t)(reader->end - reader->at), column_of(reader, reader->at)};
    return words_fail(reader->words, rest.column, "\"%s\" is not expected here", words_show(rest).text);
}

// "Down x3": cuts the number of times off the word that was taken.
static bool cut_times(struct reader *reader, int32_t *times)
{
    struct word *word = &reader->word;
    size_t digits = 0;
    *times = 1;
    while (digits < word->bytes && isdigit((unsigned char)word->text[word->bytes - 1 - digits]))
        digits++;
    if (!digits || word->bytes < digits + 3 || word->text[word->bytes - digits - 1] != 'x' ||
        word->text[word->bytes - digits - 2] != ' ')
        return true;
    struct word number = {word->text + word->bytes - digits, digits, word->column + (int32_t)(word->bytes - digits)};
    word->bytes -= digits + 2;
    return words_number(reader->words, number, "how often a key is pressed", 1, TIMES_MAX, times);
}

// A comma leads to another name.
static bool has_comma(struct reader *reader)
{
    skip_blanks(reader);
    bool has = reader->at < reader->end && *reader->at == ',';
    reader->at += has;
    return has;
}

static bool take_names(struct reader *reader, struct screen_step *step, const char *what,
                       bool (*knows)(const char *name), bool is_one)
{
    do {
        int32_t times;
        if (!take(reader, what, true) || !cut_times(reader, &times) || !keep(reader, step))
            return false;
        step->times[step->count - 1] = (uint32_t)times;
        if (!knows(step->words[step->count - 1]))
            return words_fail(reader->words, reader->word.column, "there is no %s called \"%s\"", what,
                              words_show(reader->word).text);
    } while (!is_one && has_comma(reader));
    return true;
}

static bool take_axis(struct reader *reader, struct screen_step *step)
{
    int32_t value;
    if (!take(reader, "axis", false) || !keep(reader, step))
        return false;
    if (!reader->script->is_pad_axis(step->words[0]))
        return words_fail(reader->words, reader->word.column, "there is no axis called \"%s\"", step->words[0]);
    return take(reader, "where it is pushed", false) &&
           words_number(reader->words, reader->word, "where it is pushed", -32768, 32767, &value) && keep(reader, step);
}

static bool take_plug(struct reader *reader, struct screen_step *step)
{
    static const char *const FAMILIES[] = {"Xbox", "PlayStation", "Switch", NULL};
    int32_t family;
    return is_at_end(reader) ||
           (take(reader, "family", false) &&
            words_choice(reader->words, reader->word, "the family of a pad", FAMILIES, &family) && keep(reader, step));
}

static bool take_count(struct reader *reader, struct screen_step *step)
{
    int32_t frames;
    if (!take(reader, "a number of frames", false) ||
        !words_number(reader->words, reader->word, "the number of frames", 1, FRAMES_MAX, &frames))
        return false;
    step->frames = (uint32_t)frames;
    return true;
}

static bool take_rest(struct reader *reader, struct screen_step *step, enum shape shape)
{
    const struct screen_script *script = reader->script;
    switch (shape) {
    case NOTHING:
        return true;
    case WORDS:
        while (!is_at_end(reader))
            if (!take(reader, "an option", false) || !keep(reader, step))
                return false;
        return true;
    case KEYS:
        return take_names(reader, step, "key", script->is_key, false);
    case ONE_KEY:
        return take_names(reader, step, "key", script->is_key, true);
    case TEXT:
        return take_text(reader, "the text") && keep(reader, step);
    case TEXTS:
        if (!take(reader, "a file", false) || !keep(reader, step))
            return false;
        do
            if (!take_text(reader, "the text") || !keep(reader, step))
                return false;
        while (!is_at_end(reader));
        return true;
    case NOTE:
        return take(reader, "a name", false) && keep(reader, step) && take_text(reader, "the text") &&
               keep(reader, step);
    case COUNT:
        return take_count(reader, step);
    case PLUG:
        return take_plug(reader, step);
    case BUTTONS:
        return take_names(reader, step, "button", script->is_pad_button, false);
    case AXIS:
        return take_axis(reader, step);
    }
    return false;
}

static const struct verb *find_verb(const struct verb *verbs, size_t count, struct word word)
{
    for (size_t i = 0; i < count; i++)
        if (word_is(word, verbs[i].name))
            return &verbs[i];
    return NULL;
}

// Takes "pad N" and what stands behind it.
static const struct verb *take_pad(struct reader *reader, struct screen_step *step)
{
    int32_t pad;
    if (!take(reader, "the number of the pad", false) ||
        !words_number(reader->words, reader->word, "the number of the pad", 1, PADS_MAX, &pad) ||
        !take(reader, "what the pad does", false))
        return NULL;
    step->pad = (uint32_t)pad - 1;
    return find_verb(PAD_VERBS, sizeof PAD_VERBS / sizeof *PAD_VERBS, reader->word);
}

static uint32_t find_window(const struct screen_script *script, struct word name)
{
    uint32_t i = 0;
    while (i < script->window_count && !word_is(name, script->windows[i]))
        i++;
    return i;
}

// "Ada: press Enter" is a step of Ada's window; without a name it is one of the window that was opened last.
static bool take_name(struct reader *reader, struct screen_step *step)
{
    struct screen_script *script = reader->script;
    struct word name = reader->word;
    step->window = script->opened;
    if (reader->is_quoted || !name.bytes || name.text[name.bytes - 1] != ':')
        return true;
    name.bytes--;
    step->window = find_window(script, name);
    return (step->window < script->window_count ||
            words_fail(reader->words, name.column, "no window is called \"%s\"", words_show(name).text)) &&
           take(reader, "a step", false);
}

static bool take_within(struct reader *reader, struct screen_step *step)
{
    step->frames = SCREEN_SCRIPT_FRAMES;
    step->is_within = word_is(reader->word, "within");
    return !step->is_within || (take_count(reader, step) && take(reader, "a step", false));
}

// The name of a window that is opened; one that has ended can be opened again.
static bool take_new_window(struct reader *reader, struct screen_step *step)
{
    struct screen_script *script = reader->script;
    if (!take(reader, "the name of the window", false))
        return false;
    step->window = script->opened = find_window(script, reader->word);
    if (step->window < script->window_count)
        return true;
    if (script->window_count == SCREEN_SCRIPT_WINDOWS || reader->word.bytes >= SCREEN_SCRIPT_NAME_BYTES)
        return words_fail(reader->words, reader->word.column, "at most %d windows, with names of at most %d letters",
                          SCREEN_SCRIPT_WINDOWS, SCREEN_SCRIPT_NAME_BYTES - 1);
    memcpy(script->windows[script->window_count++], reader->word.text, reader->word.bytes);
    return true;
}

static bool read_step(struct reader *reader)
{
    struct screen_script *script = reader->script;
    if (script->count == SCREEN_SCRIPT_STEPS)
        return words_fail(reader->words, reader->column, "more than %d steps", SCREEN_SCRIPT_STEPS);
    struct screen_step *step = &script->steps[script->count];
    struct word line = {reader->begin, (size_t)(reader->end - reader->begin), reader->column};
    *step = (struct screen_step){.line = reader->words->line, .source = copy(script, line)};
    if (!take(reader, "a step", false) || !take_name(reader, step) || !take_within(reader, step))
        return false;
    struct word first = reader->word;
    bool is_of_pad = word_is(first, "pad");
    const struct verb *verb =
        is_of_pad ? take_pad(reader, step) : find_verb(VERBS, sizeof VERBS / sizeof *VERBS, first);
    if (!verb) // which may have been reported
        return reader->words->error->line != reader->words->line &&
               words_fail(reader->words, reader->word.column, "there is no step \"%s\"", words_show(reader->word).text);
    if (step->is_within && !verb->waits)
        return words_fail(reader->words, first.column, "\"%s\" does not wait for anything", verb->name);
    step->verb = verb->verb;
    step->is_of_director = verb->is_of_director;
    if (verb->verb == SCREEN_WINDOW && !take_new_window(reader, step))
        return false;
    if (verb->verb == SCREEN_STOP && !is_at_end(reader)) {
        step->window = SCREEN_SCRIPT_WINDOWS;
        if (!take(reader, "server", false) || !word_is(reader->word, "server"))
            return words_fail(reader->words, reader->word.column, "only the server and windows can be stopped");
    }
    if (!verb->is_of_director && !script->window_count)
        return words_fail(reader->words, first.column, "no window is open for this step");
    script->count++;
    return take_rest(reader, step, verb->shape) && expect_end(reader);
}

bool screen_script_read(struct screen_script *script, const char *text, size_t bytes, struct words_error *error)
{
    struct words words = {.at = text, .end = text + bytes, .error = error};
    struct word line;
    bool has_head = false;
    *error = (struct words_error){0};
    if (bytes > SCREEN_SCRIPT_BYTES_MAX)
        return words_fail(&words, 1, "the script is larger than %d bytes", SCREEN_SCRIPT_BYTES_MAX);
    script->window_count = script->opened = script->count = script->used = 0;
    memset(script->windows, 0, sizeof script->windows);
    while (words_next_line(&words, &line)) {
        bool is_comment = line.bytes > 0 && line.text[0] == '#';
        has_head |= is_comment;
        if (!has_head)
            return words_fail(&words, 1, "a script begins with a comment that says what it asks");
        struct reader reader = {.script = script,
                                .words = &words,
                                .at = line.text,
                                .begin = line.text,
                                .end = line.text + line.bytes,
                                .column = line.column};
        if (line.bytes > 0 && !is_comment && !read_step(&reader))
            return false;
    }
    return script->count > 0 || words_fail(&words, 1, "the script has no steps");
}
