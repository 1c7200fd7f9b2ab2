// SPDX-License-Identifier: MIT
//
// What the parts of the reader of Tiled's maps share: which place of which file they read, checked access to JSON, the
// one way to fail, tables of properties, and the parts themselves. Private to this room; map_file.h is its door. Every
// function that can fail returns false after it has set the error.
#ifndef MAP_TILED_TILED_JSON_H
#define MAP_TILED_TILED_JSON_H

#include <jansson.h>

#include "base/error.h"
#include "game/map/map.h"
#include "tiled.h"

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

// --- tables of properties: which ones an object of a Tiled map may have, what their values may be, and where they go.
// A property that no row names is an error, so that a typo is found.

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

// --- tiled_tiles.c
//
// The tilesets and tile layers of a Tiled map. A tileset says what type each of its tiles has; a
// layer names tiles by their global id, which counts through all tilesets.

/// All tilesets of a map.
struct tiled_tiles {
    uint8_t kinds[TILED_TILE_CAPACITY]; ///< by global id: enum df_tile, or a mark of tiled_tiles.c
};

/// Reads all tilesets of a map, embedded or in files beside it.
bool tiled_tiles_read_sets(struct tiled_reader *reader, const json_t *root, struct tiled_tiles *tiles);

/// Lays a tile layer over the tiles of reader->map.
bool tiled_tiles_read_layer(struct tiled_reader *reader, const json_t *layer, const struct tiled_tiles *tiles);

// --- tiled_objects.c
//
// The objects of a Tiled map, one table row for each type: how it is drawn, which properties it has, and to which list
// of the map it belongs.

/// Adds the objects of all layers to reader->map. The tiles must be there already, so that a crusher finds its floor.
bool tiled_objects_read(struct tiled_reader *reader, const json_t *layers);

#endif
