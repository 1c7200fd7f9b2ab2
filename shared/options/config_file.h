// SPDX-License-Identifier: MIT
//
// A config file: lines of "key = value". A comment begins with a '#' at the beginning of a word. A value that begins
// with a quotation mark ends with the next one; two of them stand for one.
#ifndef OPTIONS_CONFIG_FILE_H
#define OPTIONS_CONFIG_FILE_H

#include "option_value.h"

/// Sets the options that a file of at most CONFIG_BYTES_MAX bytes names. False with an error that says file and line.
bool config_file_read(const struct option_reading *reading, const char *path);

/// Returns whether a value needs quotation marks to be read back as it is.
bool config_file_wants_quotes(const char *text);

#endif
