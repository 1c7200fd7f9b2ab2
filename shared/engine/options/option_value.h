// SPDX-License-Identifier: MIT
//
// The value of one option: set from text, printed as text, compared, copied; one table row for each kind of value. The
// command line, the environment and the config file all set values here, so a wrong value gives the same error
// everywhere.
#ifndef OPTIONS_OPTION_VALUE_H
#define OPTIONS_OPTION_VALUE_H

#include "base/error.h"
#include "option.h"

/// Bytes of the longest value as text, with its final zero: a list.
#define OPTION_VALUE_BYTES (OPTION_LIST_CAPACITY * (OPTION_TEXT_BYTES + 2))

/// One reading of options: the table, the struct that it fills, and where an error goes.
struct option_reading {
    const struct program *program;
    void *settings;
    struct error *error;
};

/// Returns the row of this name, or null. `name` need not end with a zero.
const struct option *option_value_find(const struct program *program, const char *name, size_t length);

/// Sets the option from text; adds the values to a list. Returns false with an error.
bool option_value_set(const struct option_reading *reading, const struct option *option, const char *text);

/// Prints the value as text that option_value_set reads.
void option_value_print(const struct option *option, const void *settings, char text[OPTION_VALUE_BYTES]);

/// Marks that a source names the option. Empties a list the first time, so that only the values of one source add up.
/// `begun` has a flag for each row of the table.
void option_value_begin(const struct option_reading *reading, bool *begun, const struct option *option);

/// Returns true if two settings have the same value of this option.
bool option_value_same(const struct option *option, const void *settings, const void *others);

/// Copies the value of this option from other settings.
void option_value_copy(const struct option *option, void *settings, const void *others);

/// Reads "500ms", "20s", "3m", "1h" or a bare number of seconds, as ms. Returns false for anything else.
bool option_value_duration(const char *text, int64_t *value_ms);

#endif
