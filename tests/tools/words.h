// SPDX-License-Identifier: MIT
//
// Reads a text line by line and a line word by word, and says where something is wrong: what the scenario parser is
// made of. Words are separated by blanks; `#` begins a comment. Lines and columns count from 1. Every function that
// returns a bool returns false after writing the error.
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Most words in one line.
#define WORDS_CAPACITY 12

/// Where and why a text is wrong.
struct words_error {
    int32_t line, column;
    char message[200];
};

/// A piece of one line; not ended by a 0.
struct word {
    const char *text;
    size_t bytes;
    int32_t column;
};

/// A word as it may be shown: printable, not too long.
struct shown {
    char text[28];
};

/// A text that is being read.
struct words {
    const char *at, *end;             ///< what was not read yet
    int32_t line;                     ///< the present line
    struct word list[WORDS_CAPACITY]; ///< its words
    int32_t count, next;              ///< how many it has; the next to be taken
    int32_t end_column;               ///< just behind its last word
    struct words_error *error;
};

/// Writes an error at a column of the present line; always false.
bool words_fail(struct words *words, int32_t column, const char *format, ...) __attribute__((format(printf, 3, 4)));
/// The word with everything unprintable replaced.
struct shown words_show(struct word word);
/// True if the word is this text.
bool word_is(struct word word, const char *text);

/// Takes the next line, without outer blanks, comment and all; false (without an error) at the end of the text.
bool words_next_line(struct words *words, struct word *line);
/// Splits a line into words, none of them taken yet.
bool words_split(struct words *words, struct word line);
/// Takes the next word; `what` names it where it is missing.
bool words_take(struct words *words, const char *what, struct word *word);
/// Fails if a word is left.
bool words_take_end(struct words *words);
/// Reads a whole number in [low, high].
bool words_number(struct words *words, struct word word, const char *what, int32_t low, int32_t high, int32_t *value);
/// Takes one.
bool words_take_number(struct words *words, const char *what, int32_t low, int32_t high, int32_t *value);
/// Reads two numbers with a comma between.
bool words_pair(struct words *words, struct word word, const char *what, int32_t low, int32_t high, int32_t *a,
                int32_t *b);
/// Takes the next word if it begins with `key`; `value` is the rest of it. False (without an error) if not.
bool words_take_option(struct words *words, const char *key, struct word *value);
/// Which of `names` (ended by null) the word is.
bool words_choice(struct words *words, struct word word, const char *what, const char *const *names, int32_t *chosen);

#endif
