// SPDX-License-Identifier: MIT
//
// A file in which the window keeps what an option table describes: settings, statistics. Writing replaces the whole
// file or leaves it as it was. A bad file gives an error and the defaults.
#ifndef APP_CONFIG_KEPT_FILE_H
#define APP_CONFIG_KEPT_FILE_H

#include "base/error.h"
#include "options/options.h"

/// Reads `values`, the struct of the table, of so many bytes. A file that is not there (or an empty path) gives the
/// defaults. Returns false with an error and the defaults if it is wrong or cannot be read.
bool kept_file_read(const struct program *program, void *values, size_t value_bytes, const char *path,
                    struct error *error);

/// Writes them; an empty path: nowhere. Returns false with errno set.
bool kept_file_write(const struct program *program, const void *values, const char *path);

#endif
