// SPDX-License-Identifier: MIT
#include "map_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/platform/disk.h"
#include "game/map/map_blob.h"
#include "tiled_json.h"

static const char MAGIC[] = "DFM";

bool map_file_find(const char *name, char *path, size_t path_bytes)
{
    bool file = strchr(name, '/') || strchr(name, '.');
    size_t length = strlen(name);
    if (file && length < path_bytes) {
        memcpy(path, name, length + 1);
        return true;
    }
    path[0] = 0;
    if (file)
        return false;
    char beside[FILE_PATH_BYTES], above[FILE_PATH_BYTES];
    const char *folders[] = {
        getenv("DEADFALL_MAP_DIR"),
        file_near_program(beside, false, "/maps") ? beside : NULL,
        file_near_program(above, true, "/share/deadfall/maps") ? above : NULL,
        DEADFALL_MAPS_INSTALLED,
    };
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        int written = folders[i] ? snprintf(path, path_bytes, "%s/%s.tmj", folders[i], name) : -1;
        if (written >= 0 && (size_t)written < path_bytes && disk_is_readable(path) && disk_is_within(folders[i], path))
            return true;
    }
    path[0] = 0;
    return false;
}

// --- a map made in Tiled

static bool read_name(struct tiled_reader *reader)
{
    const char *slash = strrchr(reader->path, '/');
    const char *name = slash ? slash + 1 : reader->path;
    size_t length = strlen(name);
    if (length < 5 || strcmp(name + length - 4, ".tmj") != 0)
        return tiled_fail(reader, TILED_VALUE, "is not the name of a map; call the file NAME.tmj");
    length -= 4;
    if (length >= MAP_NAME_CAPACITY || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") < length)
        return tiled_fail(reader, TILED_VALUE, "a map's name has 1 to %d letters a-z, 0-9, _ or -; rename the file",
                          MAP_NAME_CAPACITY - 1);
    memcpy(reader->map->name, name, length);
    return true;
}

static bool read_form(struct tiled_reader *reader, const json_t *root)
{
    if (strcmp(tiled_text(root, "type"), "map") != 0)
        return tiled_fail(reader, TILED_VALUE, "is not a Tiled map; save it from Tiled as \"JSON map files\"");
    if (strcmp(tiled_text(root, "orientation"), "orthogonal") != 0)
        return tiled_fail(reader, TILED_FEATURE,
                          "orientation is '%.20s'; set Orientation to Orthogonal (Map > Map Properties)",
                          tiled_text(root, "orientation"));
    if (json_is_true(json_object_get(root, "infinite")))
        return tiled_fail(reader, TILED_FEATURE, "the map is infinite; clear Infinite (Map > Map Properties)");
    int32_t edge_px;
    struct map *map = reader->map;
    return tiled_int(reader, root, "width", 4, MAP_SIDE_CAPACITY, &map->columns) &&
           tiled_int(reader, root, "height", 4, MAP_SIDE_CAPACITY, &map->rows) &&
           tiled_int(reader, root, "tilewidth", MAP_EDGE_PX, MAP_EDGE_PX, &edge_px) &&
           tiled_int(reader, root, "tileheight", MAP_EDGE_PX, MAP_EDGE_PX, &edge_px);
}

static bool read_properties(struct tiled_reader *reader, const json_t *root)
{
    static const char *const THEMES[MAP_THEMES] = {
        [MAP_THEME_FOUNDRY] = "foundry",   [MAP_THEME_CLOCKWORK] = "clockwork", [MAP_THEME_SKYLINE] = "skyline",
        [MAP_THEME_BREAKOUT] = "breakout", [MAP_THEME_SNOW] = "snow",           [MAP_THEME_DESERT] = "desert",
    };
    static const char *const OUTSIDES[] = {
        [DF_OUTSIDE_SOLID] = "solid", [DF_OUTSIDE_EMPTY] = "empty", [DF_OUTSIDE_WRAP] = "wrap"};
    static const struct tiled_field THEME = {"theme", TILED_WORD, offsetof(struct map, theme), .words = THEMES,
                                             .most = MAP_THEMES - 1},
                                    OUTSIDE = {"outside", TILED_WORD, offsetof(struct map, outside), .words = OUTSIDES,
                                               .most = DF_OUTSIDE_WRAP},
                                    BLOCK_RETURN = {"block_return_ticks", TILED_NUMBER,
                                                    offsetof(struct map, block_return_ticks), .most = MAP_TICKS_MAX};
    static const struct tiled_field *const FIELDS[] = {&THEME, &OUTSIDE, &BLOCK_RETURN, NULL};
    return tiled_fields_read(reader, root, FIELDS, reader->map);
}

static bool read_layer(struct tiled_reader *reader, const json_t *layer, const struct tiled_tiles *tiles)
{
    const char *type = tiled_text(layer, "type");
    tiled_at(reader, "layer '%.40s'", tiled_text(layer, "name"));
    if (!strcmp(type, "imagelayer"))
        return true;
    if (!strcmp(type, "group"))
        return tiled_fail(reader, TILED_FEATURE, "group layers are not read; choose Layer > Ungroup Layers");
    if (json_number_value(json_object_get(layer, "offsetx")) != 0 ||
        json_number_value(json_object_get(layer, "offsety")) != 0)
        return tiled_fail(reader, TILED_FEATURE, "the layer is shifted; set Horizontal and Vertical Offset to 0");
    if (!strcmp(type, "tilelayer"))
        return tiled_tiles_read_layer(reader, layer, tiles);
    return !strcmp(type, "objectgroup") ||
           tiled_fail(reader, TILED_VALUE, "type is '%.20s'; it must be a tile layer or an object layer", type);
}

bool map_file_read_text(const char *text, size_t bytes, const char *path, struct map *map, struct error *error)
{
    struct tiled_reader reader = {.path = path, .map = map, .error = error};
    struct tiled_tiles tiles;
    const json_t *layers = NULL, *layer;
    json_t *root;
    size_t index;
    memset(map, 0, sizeof *map);
    if (!read_name(&reader) || !tiled_parse(&reader, text, bytes, &root))
        return false;
    bool good = read_form(&reader, root) && read_properties(&reader, root) &&
                tiled_tiles_read_sets(&reader, root, &tiles) && tiled_array(&reader, root, "layers", &layers);
    if (good)
        json_array_foreach(layers, index, layer)
        {
            good = good && read_layer(&reader, layer, &tiles);
        }
    good = good && tiled_objects_read(&reader, layers);
    json_decref(root);
    return good;
}

// A file that cannot be read is left to tiled_load(), which says why.
bool map_file_read(const char *path, struct map *map, struct error *error)
{
    uint8_t blob[MAP_BLOB_BYTES_MAX];
    size_t count;
    bool whole = file_read_regular(path, blob, sizeof blob, &count);
    if (count < strlen(MAGIC) || memcmp(blob, MAGIC, strlen(MAGIC)) != 0) {
        struct tiled_reader reader = {.path = path, .error = error};
        size_t bytes;
        char *text = tiled_load(&reader, &bytes);
        bool good = text && map_file_read_text(text, bytes, path, map, error);
        free(text);
        return good;
    }
    if (whole && map_blob_decode(map, blob, count))
        return true;
    return error_set_code(error, TILED_VALUE,
                          "%.300s: is a damaged compiled map, or one of another version; compile it again", path);
}
