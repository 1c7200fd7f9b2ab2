// SPDX-License-Identifier: MIT
//
// Tables of properties: which properties an object of a Tiled map may have, what their values may be, and where they
// go. Private to tiled*.c. A property that no row names is an error, so that a typo is found.
#ifndef MAP_TILED_TILED_FIELDS_H
#define MAP_TILED_TILED_FIELDS_H

#include "tiled_reader.h"

/// What a property's value must be. Each fills 32 bits.
enum tiled_field_type {
    TILED_NUMBER, ///< a whole number from `least` to `most`
    TILED_FLAG,   ///< a bool; false is stored as `least` and true as `most`
    TILED_WORD,   ///< one of `words`, by its index, `most` at most
    TILED_WORDS,  ///< some of `words`, 0 to `most`, with commas between them, or "any": bits by index
    TILED_OBJECT, ///< the id of another object
};

/// One row: a property.
struct tiled_field {
    const char *name;
    enum tiled_field_type type;
    size_t offset; ///< of the 32 bits in the target
    int32_t least, most;
    const char *const *words; ///< the first of them
    size_t row_bytes;         ///< from one of the words to the next, if they stand in rows; 0: they stand side by side
    int32_t usual;            ///< stored if the property is missing
    const char *need;         ///< what to give, if it must not be missing; else null
};

/// Reads the properties of a JSON object into `target`. `fields` ends with null.
bool tiled_fields_read(struct tiled_reader *reader, const json_t *object, const struct tiled_field *const *fields,
                       void *target);

#endif
