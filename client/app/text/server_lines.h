// SPDX-License-Identifier: MIT
//
// What a server says reaches the window in English, with names and numbers in it. Lines of a known form are taken apart
// here and said again in the language in use; others, such as an operator's own words, stay as they are.
// rules.sentences checks that a server says each form.
#ifndef APP_TEXT_SERVER_LINES_H
#define APP_TEXT_SERVER_LINES_H

#include "text.h"

/// Writes what a server said, in the language in use.
void server_lines_translate(const char *said, char text[TEXT_BYTES]);

#endif
