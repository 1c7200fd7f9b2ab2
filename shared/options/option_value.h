// SPDX-License-Identifier: MIT
//
// The value of one option: read from text, compared, copied. The command line, the environment and the config file all
// set values through here, so a wrong value is the same error wherever it stands.
#ifndef OPTIONS_OPTION_VALUE_H
#define OPTIONS_OPTION_VALUE_H

#include "base/error.h"
#include "option.h"

/// One reading of options: the table, the struct that it fills, and where an error goes.
struct option_reading {
    const struct program *program;
    void *settings;
    struct error *error;
};

/// Returns the row of this name, or null. `name` need not end with a zero.
const struct option *option_value_find(const struct program *program, const char *name, size_t length);

/// Sets the option from text; a list gets the values added. False with an error.
bool option_value_set(const struct option_reading *reading, const struct option *option, const char *text);

/// Marks that a source names the option. A list is emptied the first time, so that only the values of one source add
/// up. `begun` has a flag for each row of the table.
void option_value_begin(const struct option_reading *reading, bool *begun, const struct option *option);

/// Returns whether two settings have the same value of this option.
bool option_value_same(const struct option *option, const void *settings, const void *others);

/// Copies the value of this option from other settings.
void option_value_copy(const struct option *option, void *settings, const void *others);

/// Reads "500ms", "20s", "3m", "1h" or a bare number of seconds, as ms. False for anything else.
bool option_value_duration(const char *text, int64_t *value_ms);

#endif
