// SPDX-License-Identifier: MIT
//
// Inside the family of Windows only: its texts are UTF-16, and its paths have backslashes.
#ifndef PLATFORM_WINDOWS_TEXT_H
#define PLATFORM_WINDOWS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

/// UTF-16 units of a path with its final zero.
#define WINDOWS_PATH_UNITS 4096

/// Converts UTF-8. False with errno if it is none, or too long.
bool windows_text_wide(const char *text, wchar_t *wide, size_t unit_count);
/// Converts a path as this project has it into one that Windows takes, however long. False with errno.
bool windows_text_path(const char *path, wchar_t wide[WINDOWS_PATH_UNITS]);
/// The same for a program; its name here has no ending.
bool windows_text_program(const char *path, wchar_t wide[WINDOWS_PATH_UNITS]);
/// Converts UTF-16. False with errno if it does not fit.
bool windows_text_utf8(const wchar_t *wide, char *text, size_t text_bytes);

#endif
