// SPDX-License-Identifier: MIT
//
// A line for people with the values in it for programs: written once, as text with {name} where a value belongs, and
// read in both forms. The log and the answers of the admin socket are made of such lines.
#ifndef BASE_FIELDS_H
#define BASE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Values of a line at most.
#define FIELD_CAPACITY 18

/// A value: a text; without one a number, or with `is_flag` true or false.
struct field {
    const char *name; ///< null: there are no more
    const char *text; ///< any bytes
    int64_t number;
    bool is_flag;
};

/// A line and its values. Values that the line does not name are for programs only.
struct fields {
    const char *event; ///< what happened, or what the line is about; always the same word for the same thing
    const char *line;  ///< as "{name} joins at slot {slot}"
    struct field of[FIELD_CAPACITY];
};

/// Writes the line for people and a final zero, cut to `text_bytes`. Returns its bytes.
size_t fields_text(const struct fields *fields, char *text, size_t text_bytes);

/// Writes the values as members of a JSON object, each after a comma (,"name":"Ann","slot":3), and a final zero; only
/// whole members. Returns the bytes.
size_t fields_json(const struct fields *fields, char *json, size_t json_bytes);

/// Writes a text as a string of JSON and a final zero; characters that a terminal must not have as utf8_escape() does.
/// Returns its bytes; 0 and an empty string if it does not fit.
size_t fields_quote(const char *text, char *json, size_t json_bytes);

#endif
