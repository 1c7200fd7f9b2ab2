// SPDX-License-Identifier: MIT
//
// A config file: lines of "key = value". A comment begins with a '#' at the beginning of a word. A value that begins
// with a quotation mark ends at the next one; inside, two quotation marks stand for one.
#ifndef OPTIONS_CONFIG_FILE_H
#define OPTIONS_CONFIG_FILE_H

#include "option.h"

/// Bytes of a config file at most.
#define CONFIG_FILE_BYTES_MAX 65536

/// Sets the options that a file names. Returns false with an error that names file and line.
bool config_file_read(const struct option_reading *reading, const char *path);

/// Writes a config file that gives these settings (--print-config).
void config_file_write(const struct program *program, const void *settings, FILE *out);

#endif
