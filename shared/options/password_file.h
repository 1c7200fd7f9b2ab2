// SPDX-License-Identifier: MIT
//
// A password from a file, so that it stands neither on a command line, which others can see, nor in a config file that
// is passed around. Read once at start.
#ifndef OPTIONS_PASSWORD_FILE_H
#define OPTIONS_PASSWORD_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/// Letters of a password and its end.
#define PASSWORD_TEXT_BYTES 65

/// Reads the first line of a file, 1 to 64 bytes; an empty path gives "". False with a sentence when it cannot be read,
/// holds no such line, or is open to others: everybody may read it, or somebody but its owner may write it.
bool password_file_read(const char *path, char password[PASSWORD_TEXT_BYTES], struct error *error);

#endif
