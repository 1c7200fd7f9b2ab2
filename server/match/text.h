// SPDX-License-Identifier: MIT
//
// Text from anyone, made fit to be shown to everyone: names and lines of talk. Pure.
#ifndef MATCH_TEXT_H
#define MATCH_TEXT_H

#include <stddef.h>

/// Writes the clean form of `dirty` (up to its end or its first zero) and a final zero; `clean` has room for
/// dirty_bytes + 1 and may be the same place. What is left is whole, printable UTF-8 without control, direction or
/// invisible characters, without blanks at its ends or in a row. Returns its bytes; 0: nothing is left.
size_t text_clean(char *clean, const char *dirty, size_t dirty_bytes);

#endif
