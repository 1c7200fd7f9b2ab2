// SPDX-License-Identifier: MIT
//
// Gives a file to the person where the program's own files are not in a folder that they can open: a page has the
// browser download it. Elsewhere the files are there already.
#ifndef APP_WEB_SAVE_FILE_H
#define APP_WEB_SAVE_FILE_H

#include <stdbool.h>
#include <stddef.h>

/// Returns whether save_file() does something here.
bool save_file_is_possible(void);
/// Gives the person a file of this name, without a folder. The browser may ask them first.
void save_file(const char *name, const void *bytes, size_t byte_count);

#endif
