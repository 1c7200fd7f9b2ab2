// SPDX-License-Identifier: MIT
//
// UTF-8: take a character, cut a text without halving one, step over one, make a stranger's text fit to be shown. Every
// function takes any bytes; malformed ones count as characters of one byte each.
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/// Decodes the character that `text` begins with, out of at most `byte_count` bytes: valid, in its shortest form, no
/// surrogate. Returns its bytes, 1 to 4; 0, and `*character` as it was, if there is none.
size_t utf8_decode(const char *text, size_t byte_count, uint32_t *character);

/// Bytes of the character that `text` begins with, as it is stepped over: 1 for malformed bytes, 0 at the end.
size_t utf8_next(const char *text);

/// Where the character before byte `at` begins, to erase or to shorten by one; 0 at the beginning.
size_t utf8_previous(const char *text, size_t at);

/// Bytes of the longest beginning of `text` that has at most `byte_count_max` bytes and halves no character.
size_t utf8_fit(const char *text, size_t byte_count_max);

/// Copies as much of `text` as has room, whole characters and a final zero; returns the bytes without it.
/// `target_bytes` is at least 1; the two may be the same place.
size_t utf8_copy(char *target, size_t target_bytes, const char *text);

/// Characters of a text. What a terminal shows in columns, but for wide and combining characters.
size_t utf8_length(const char *text);

/// Writes the clean form of `dirty` (up to its end or its first zero) and a final zero; `clean` has room for
/// dirty_bytes + 1 and may be the same place. What is left is whole, printable UTF-8 without control, direction or
/// invisible characters, without blanks at its ends or in a row. Returns its bytes; 0: nothing is left.
size_t utf8_clean(char *clean, const char *dirty, size_t dirty_bytes);

#endif
