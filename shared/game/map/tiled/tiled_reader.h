// SPDX-License-Identifier: MIT
//
// What the parts of the Tiled reader share: which place of which file they read, checked access to JSON, and the one
// way to fail. Private to tiled*.c. Every function that can fail returns false after it has set the error.
#ifndef MAP_TILED_TILED_READER_H
#define MAP_TILED_TILED_READER_H

#include <jansson.h>

#include "base/error.h"
#include "game/map/map.h"
#include "tiled_fault.h"

/// One reading of a map.
struct tiled_reader {
    const char *path; ///< of the file being read
    char where[96];   ///< the place in it, for errors; empty: the file as a whole
    struct map *map;
    struct error *error;
};

/// Sets the error: file, place, then the words. Always false, so that callers can return it.
bool tiled_fail(struct tiled_reader *reader, enum tiled_fault fault, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Sets the place that errors name from now on.
void tiled_at(struct tiled_reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Reads the regular file at reader->path; the caller frees it. Null after an error.
char *tiled_load(struct tiled_reader *reader, size_t *bytes);

/// Parses a JSON object; the caller calls json_decref on it.
bool tiled_parse(struct tiled_reader *reader, const char *text, size_t bytes, json_t **root);

/// Checks that a value is a whole number from `least` to `most`. `name` is for errors; null `json`: it is missing.
bool tiled_number(struct tiled_reader *reader, const json_t *json, const char *name, int32_t least, int32_t most,
                  int32_t *value);

/// Reads a whole number under a key that must be there.
bool tiled_int(struct tiled_reader *reader, const json_t *object, const char *key, int32_t least, int32_t most,
               int32_t *value);

/// Finds the array under a key; null if there is none. Fails if the value is something else.
bool tiled_array(struct tiled_reader *reader, const json_t *object, const char *key, const json_t **array);

/// Returns the text under a key, "" if there is none.
const char *tiled_text(const json_t *object, const char *key);

/// Returns `type` (Tiled 1.8, and from 1.10 on), else `class` (1.9), else "".
const char *tiled_type(const json_t *object);

#endif
