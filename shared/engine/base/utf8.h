// SPDX-License-Identifier: MIT
//
// UTF-8: decode a character, step over one, cut a text between two, clean a stranger's text for display. Every function
// takes any bytes; each malformed byte counts as a character. Which characters a stranger may show is decided here,
// once for names, chat, votes, server lists, errors and logs.
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Decodes the character that `text` begins with, out of at most `byte_count` bytes: valid, in its shortest form, no
/// surrogate. Returns its bytes, 1 to 4; 0, and `*character` as it was, if there is none.
size_t utf8_decode(const char *text, size_t byte_count, uint32_t *character);

/// Returns the bytes of the character that `text` begins with: 1 for a malformed byte, 0 at the end.
size_t utf8_next(const char *text);

/// Returns where the character before byte `at` begins; 0 at the beginning.
size_t utf8_previous(const char *text, size_t at);

/// Returns the bytes of the longest beginning of `text` that has at most `byte_count_max` bytes and ends with a whole
/// character.
size_t utf8_fit(const char *text, size_t byte_count_max);

/// Copies the whole characters of `text` for which there is room, and a final zero; returns the bytes without it.
/// `target_bytes` is at least 1; the two may be the same memory.
size_t utf8_copy(char *target, size_t target_bytes, const char *text);

/// Returns the number of characters of a text: its columns in a terminal, except for wide and combining characters.
size_t utf8_length(const char *text);

/// Returns whether a text is whole characters that a person sees: valid UTF-8 without a zero and without control,
/// direction or invisible characters, blanks aside. Decoders refuse a stranger's text that is not.
bool utf8_is_clean(const char *text, size_t byte_count);

/// Writes the clean form of `dirty` (up to its end or its first zero) and a final zero, at most `clean_bytes` with it;
/// the two may be the same memory. The clean form is_clean, without blanks at its ends or in a row. A longer one is cut
/// between two characters. Returns its bytes; 0 if nothing is left.
size_t utf8_clean(char *clean, size_t clean_bytes, const char *dirty, size_t dirty_bytes);

/// Writes `text` as a terminal or a log may have it, and a final zero, at most `target_bytes` with it. What
/// utf8_clean() would remove becomes an escape: \x1b for a byte, \u{202e} for a character. Returns its bytes.
size_t utf8_escape(char *target, size_t target_bytes, const char *text);

#endif
