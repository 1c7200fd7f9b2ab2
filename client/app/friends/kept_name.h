// SPDX-License-Identifier: MIT
//
// Names as the preferences keep them in lists, where an entry has no blanks and commas: all but letters and digits are
// written %20. Pure functions.
#ifndef APP_FRIENDS_KEPT_NAME_H
#define APP_FRIENDS_KEPT_NAME_H

#include <stddef.h>

/// Writes a name. `text` has room for three bytes for each of the name, and a zero.
void kept_name_write(const char *name, char *text);
/// Reads a name, cleaned and cut to `name_bytes` with its zero.
void kept_name_read(const char *text, char *name, size_t name_bytes);

#endif
