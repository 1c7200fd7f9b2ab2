// SPDX-License-Identifier: MIT
//
// The one way to fail: a sentence for a person that says what happened, where, and what to do. The function that fails
// fills it once and returns false; everything above passes it on; a main.c prints it once. So
//
//     return error_set(error, "the key %s cannot be used: %s", path, strerror(errno));
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>

/// Largest sentence, bytes with the final zero. A longer one is cut at a whole character.
#define ERROR_TEXT_BYTES 1024

/// Why something failed. Valid only after a function has failed with it.
struct error {
    char text[ERROR_TEXT_BYTES]; ///< clean UTF-8
    int code; ///< its kind, as the function that fails documents it: an enum, or a code of sysexits.h; 0: none
};

/// Fills the error, without a kind; what a terminal must not have becomes an escape. The arguments may point into the
/// error's own text, so that a caller can add words to it. `error` may be null. Always returns false.
bool error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// The same with a kind.
bool error_set_code(struct error *error, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/// The same for functions that have variable arguments themselves.
bool error_set_list(struct error *error, int code, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));

/// Takes away the second of two periods where a sentence that has its own stands at the end of another: "There is no
/// vote: one is open.." Paths such as "../maps", and an ellipsis of three, stay.
void error_join_periods(char *text);

#endif
