// SPDX-License-Identifier: MIT
//
// What the parts of the Tiled reader share: where they are in which file, checked access to JSON values, and the one
// way to fail. Used by tiled*.c alone. Every function that can fail returns false after it has set the error.
#ifndef MAP_TILED_TILED_READER_H
#define MAP_TILED_TILED_READER_H

#include <jansson.h>

#include "base/error.h"
#include "map/map.h"
#include "tiled_fault.h"

/// A polyline that movers follow, once its points are in the map.
struct tiled_path {
    json_int_t object; ///< id of the polyline
    int32_t first, count;
};

/// One reading.
struct tiled_reader {
    const char *path; ///< of the file being read
    char where[96];   ///< place in it, as it stands in sentences; empty: the file as a whole
    struct map *map;
    struct error *error;
    const json_t *layers;               ///< of the map
    uint8_t tiles[TILED_TILE_CAPACITY]; ///< by global id: enum df_tile, or one of the two below
    struct tiled_path paths[MAP_SOLID_CAPACITY];
    int32_t path_count;
};

/// In `tiles`: no tileset has this global id.
#define TILED_TILE_UNKNOWN 255
/// In `tiles`: the tile has no type.
#define TILED_TILE_UNTYPED 254

/// Sets the error: file, place, then the words. Always false, so that callers can return it.
bool tiled_fail(struct tiled_reader *reader, enum tiled_fault fault, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Names the place that the next sentences speak of.
void tiled_at(struct tiled_reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Reads a whole regular file; the caller frees `text`.
bool tiled_load(struct tiled_reader *reader, const char *path, char **text, size_t *bytes);

/// Parses a JSON object; the caller calls json_decref on it.
bool tiled_parse(struct tiled_reader *reader, const char *text, size_t bytes, json_t **root);

/// A whole number from minimum to maximum under a key that must be there.
bool tiled_int(struct tiled_reader *reader, const json_t *object, const char *key, int32_t minimum, int32_t maximum,
               int32_t *value);

/// The array under a key; null if there is none. False if it is something else.
bool tiled_array(struct tiled_reader *reader, const json_t *object, const char *key, const json_t **array);

/// The text under a key, "" if there is none or it is no text.
const char *tiled_text(const json_t *object, const char *key);

/// `type` (Tiled 1.8, and 1.10 on), else `class` (1.9).
const char *tiled_type(const json_t *object);

/// False if the object has a property that is not among `names` (ended by null).
bool tiled_properties_known(struct tiled_reader *reader, const json_t *object, const char *const *names);

/// A property's value, null if there is none.
const json_t *tiled_property(const json_t *object, const char *name);

/// A whole-number property; without it `value` stays as it is.
bool tiled_property_int(struct tiled_reader *reader, const json_t *object, const char *name, int32_t minimum,
                        int32_t maximum, int32_t *value);

/// A property that is one of `words` (ended by null): its index. Without it `index` stays as it is.
bool tiled_property_word(struct tiled_reader *reader, const json_t *object, const char *name, const char *const *words,
                         uint32_t *index);

/// Reads all tilesets into reader->tiles (tiled_tiles.c).
bool tiled_tilesets(struct tiled_reader *reader, const json_t *root);

/// Lays a tile layer over the map's tiles (tiled_tiles.c).
bool tiled_tile_layer(struct tiled_reader *reader, const json_t *layer);

/// Adds all objects of all layers; the tiles are there already (tiled_objects.c).
bool tiled_objects(struct tiled_reader *reader);

/// An object's (or point's) x and y in whole px (tiled_objects.c).
bool tiled_place(struct tiled_reader *reader, const json_t *object, int32_t *x, int32_t *y);

/// A rectangle's place, width and height.
bool tiled_box(struct tiled_reader *reader, const json_t *object, struct df_box *box);

/// False if there are `capacity` of `what` already.
bool tiled_room(struct tiled_reader *reader, const char *what, int32_t count, int32_t capacity);

/// The property 'channel', which must be there.
bool tiled_channel(struct tiled_reader *reader, const json_t *object, uint32_t *channel);

/// Each adds one solid of its kind (tiled_solids.c).
bool tiled_mover(struct tiled_reader *reader, const json_t *object);
bool tiled_crusher(struct tiled_reader *reader, const json_t *object);
bool tiled_door(struct tiled_reader *reader, const json_t *object);
bool tiled_lift(struct tiled_reader *reader, const json_t *object);
bool tiled_conveyor(struct tiled_reader *reader, const json_t *object);

#endif
