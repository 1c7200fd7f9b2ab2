// SPDX-License-Identifier: MIT
//
// Reads a password from a file, which keeps it off the command line, where others can see it, and out of config files
// that are passed around. Called at the start, and when the settings are read again.
#ifndef OPTIONS_PASSWORD_FILE_H
#define OPTIONS_PASSWORD_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/// Bytes of a password with its final zero.
#define PASSWORD_TEXT_BYTES 65

/// Reads the first line of a file, 1 to 64 bytes; an empty path gives "". Returns false with an error if the file
/// cannot be read, has no such line, or is open to others: everybody can read it, or others than its owner can write
/// it.
bool password_file_read(const char *path, char password[PASSWORD_TEXT_BYTES], struct error *error);

#endif
