// SPDX-License-Identifier: MIT
#include "tiled_json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform/disk.h"

// The upper bits of a global id say how the tile is turned.
#define GID_MASK 0x0FFFFFFFu

#define NO_TILE 255 // no tileset has this global id
#define NO_TYPE 254 // the tile has no type

static bool read_tile_type(struct tiled_reader *reader, const json_t *tile, int32_t id, uint8_t *kind)
{
    static const char *const TYPES[DF_TILE_KINDS] = {
        [DF_TILE_SOLID] = "solid", [DF_TILE_ONEWAY] = "oneway", [DF_TILE_BLOCK] = "block", [DF_TILE_HAZARD] = "hazard"};
    const char *type = tiled_type(tile);
    if (!type[0])
        return true;
    for (uint8_t i = DF_TILE_SOLID; i < DF_TILE_KINDS; i++) {
        if (!strcmp(type, TYPES[i])) {
            *kind = i;
            return true;
        }
    }
    return tiled_fail(reader, TILED_VALUE, "tile %d has type '%.40s'; give solid, oneway, block or hazard", id, type);
}

static bool read_tileset(struct tiled_reader *reader, const json_t *tileset, int32_t first, struct tiled_tiles *tiles)
{
    int32_t count;
    const json_t *rows;
    if (!tiled_int(reader, tileset, "tilecount", 1, TILED_TILE_CAPACITY - first, &count) ||
        !tiled_array(reader, tileset, "tiles", &rows))
        return false;
    memset(tiles->kinds + first, NO_TYPE, (size_t)count);
    size_t index;
    const json_t *tile;
    json_array_foreach(rows, index, tile)
    {
        int32_t id;
        if (!tiled_int(reader, tile, "id", 0, count - 1, &id) ||
            !read_tile_type(reader, tile, id, &tiles->kinds[first + id]))
            return false;
    }
    return true;
}

static bool read_external(struct tiled_reader *reader, const char *source, int32_t first, struct tiled_tiles *tiles)
{
    // A map from a stranger names files on this machine: only ones beside it or below are opened. On Windows a colon is
    // behind a drive, and two backslashes are before another machine, which would learn who has opened the map.
    size_t source_bytes = strlen(source);
    if (source_bytes <= 4 || strcmp(source + source_bytes - 4, ".tsj") != 0 || source[0] == '/' ||
        strstr(source, "..") || strpbrk(source, ":\\"))
        return tiled_fail(reader, TILED_FEATURE,
                          "'%.100s' is not a .tsj file beside the map or below; move it there or embed it "
                          "(Map > Embed Tilesets)",
                          source);
    const char *slash = strrchr(reader->path, '/');
    char path[1024], folder[1024];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash + 1 - reader->path) : 2, slash ? reader->path : "./");
    int length = snprintf(path, sizeof path, "%s%s", slash ? folder : "", source);
    if (length < 0 || (size_t)length >= sizeof path)
        return tiled_fail(reader, TILED_LIMIT, "the path of tileset '%.100s' is longer than %zu", source,
                          sizeof path - 1);
    if (!disk_is_readable(path))
        return tiled_fail(reader, TILED_FILE, "'%.100s' cannot be opened in the folder %s: %s; put it beside the map",
                          source, folder, strerror(errno));
    if (!disk_is_within(folder, path))
        return tiled_fail(reader, TILED_FEATURE,
                          "'%.100s' is a link that leads out of the folder of the map; put the file itself there",
                          source);
    const char *map_path = reader->path;
    json_t *root;
    size_t bytes;
    reader->path = path;
    reader->where[0] = 0;
    char *text = tiled_load(reader, &bytes);
    bool good = text && tiled_parse(reader, text, bytes, &root);
    free(text);
    if (good) {
        good = read_tileset(reader, root, first, tiles);
        json_decref(root);
    }
    reader->path = map_path;
    return good;
}

bool tiled_tiles_read_sets(struct tiled_reader *reader, const json_t *root, struct tiled_tiles *tiles)
{
    const json_t *tilesets;
    memset(tiles->kinds, NO_TILE, sizeof tiles->kinds);
    tiles->kinds[0] = DF_TILE_EMPTY;
    if (!tiled_array(reader, root, "tilesets", &tilesets))
        return false;
    if (json_array_size(tilesets) > TILED_TILESET_CAPACITY)
        return tiled_fail(reader, TILED_LIMIT, "has %zu tilesets; use at most %d", json_array_size(tilesets),
                          TILED_TILESET_CAPACITY);
    size_t index;
    const json_t *tileset;
    json_array_foreach(tilesets, index, tileset)
    {
        int32_t first;
        const char *source = tiled_text(tileset, "source");
        tiled_at(reader, "tileset %zu", index + 1);
        if (!tiled_int(reader, tileset, "firstgid", 1, TILED_TILE_CAPACITY - 1, &first) ||
            !(source[0] ? read_external(reader, source, first, tiles) : read_tileset(reader, tileset, first, tiles)))
            return false;
    }
    return true;
}

static bool put_tile(struct tiled_reader *reader, const struct tiled_tiles *tiles, int32_t place, json_int_t raw)
{
    int32_t column = place % reader->map->columns, row = place / reader->map->columns;
    uint32_t gid = (uint32_t)raw & GID_MASK;
    uint8_t kind = raw < 0 || raw > UINT32_MAX || gid >= TILED_TILE_CAPACITY ? NO_TILE : tiles->kinds[gid];
    if (kind == NO_TILE)
        return tiled_fail(reader, TILED_VALUE, "column %d, row %d: no tileset has tile %lld; paint the place again",
                          column, row, (long long)raw);
    if (kind == NO_TYPE)
        return tiled_fail(reader, TILED_VALUE,
                          "column %d, row %d: tile %u has no type; give it solid, oneway, block or hazard in the "
                          "tileset, or erase it",
                          column, row, gid);
    if (kind != DF_TILE_EMPTY)
        reader->map->tiles[place] = kind;
    return true;
}

static bool read_csv(struct tiled_reader *reader, const struct tiled_tiles *tiles, const json_t *data, size_t count)
{
    if (json_array_size(data) != count)
        return tiled_fail(reader, TILED_VALUE, "has %zu tiles for %zu places; save the map from Tiled again",
                          json_array_size(data), count);
    for (size_t i = 0; i < count; i++) {
        const json_t *tile = json_array_get(data, i);
        if (!put_tile(reader, tiles, (int32_t)i, json_is_integer(tile) ? json_integer_value(tile) : -1))
            return false;
    }
    return true;
}

static int32_t base64_digit(char letter)
{
    static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = letter ? strchr(DIGITS, letter) : NULL;
    return found ? (int32_t)(found - DIGITS) : -1;
}

static bool read_base64(struct tiled_reader *reader, const struct tiled_tiles *tiles, const json_t *data, size_t count)
{
    const char *digits = json_string_value(data);
    if (!digits || strlen(digits) != (count * 4 + 2) / 3 * 4)
        return tiled_fail(reader, TILED_VALUE, "base64 data is not that of %zu tiles; save the map from Tiled again",
                          count);
    for (size_t i = 0; i < count; i++) {
        uint32_t gid = 0;
        for (size_t k = 0; k < 4; k++) {
            // A byte is put together from two digits of 6 bits.
            size_t at = i * 4 + k;
            int32_t high = base64_digit(digits[at * 8 / 6]), low = base64_digit(digits[at * 8 / 6 + 1]);
            if (high < 0 || low < 0)
                return tiled_fail(reader, TILED_VALUE, "tile data is not base64; save the map from Tiled again");
            uint32_t byte = ((uint32_t)high << 6 | (uint32_t)low) >> (4 - at % 3 * 2) & 0xFF;
            gid |= byte << 8 * k;
        }
        if (!put_tile(reader, tiles, (int32_t)i, gid))
            return false;
    }
    return true;
}

bool tiled_tiles_read_layer(struct tiled_reader *reader, const json_t *layer, const struct tiled_tiles *tiles)
{
    const json_t *data = json_object_get(layer, "data");
    const struct map *map = reader->map;
    size_t count = (size_t)(map->columns * map->rows);
    int32_t columns, rows;
    if (!tiled_int(reader, layer, "width", map->columns, map->columns, &columns) ||
        !tiled_int(reader, layer, "height", map->rows, map->rows, &rows))
        return false;
    if (tiled_text(layer, "compression")[0])
        return tiled_fail(reader, TILED_FEATURE,
                          "tile data is compressed; set Tile Layer Format to CSV (Map > Map Properties)");
    if (!strcmp(tiled_text(layer, "encoding"), "base64"))
        return read_base64(reader, tiles, data, count);
    return read_csv(reader, tiles, data, count);
}
