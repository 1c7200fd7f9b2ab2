// SPDX-License-Identifier: MIT
//
// What the readers of the command line, the environment and the config file share (private to this room): a row of the
// table is found by its name and takes a value from text. Whatever is wrong becomes one sentence.
#ifndef OPTIONS_OPTION_READING_H
#define OPTIONS_OPTION_READING_H

#include "options.h"

/// One reading of options: into which settings, and where its sentence goes.
struct option_reading {
    const struct program *program;
    void *settings;
    struct error *error;
};

/// Writes the sentence. Always false, so that a check can return it.
bool option_wrong(const struct option_reading *reading, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// The row of this name, or null.
const struct option *option_find(const struct program *program, const char *name, size_t length);

/// Takes a value, a list's is added. False with a sentence.
bool option_set(const struct option_reading *reading, const struct option *option, const char *text);

/// A source that names a list begins it anew; only its own values add up. `begun` has a flag for each row.
void option_begin(const struct option_reading *reading, bool *begun, const struct option *option);

/// Reads a config file: lines of "key = value", comments from a '#' at the begin of a word on. A value that begins with
/// a quotation mark ends with the next; two of them stand for one. False with a sentence that tells file and line.
bool option_read_file(const struct option_reading *reading, const char *path);

/// True if a value must be in quotation marks to be read back as it is.
bool option_wants_quotes(const char *text);

#endif
