// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "tiled_reader.h"

// A map is at most 2,048 px wide; a mover may start as far beyond either edge.
#define PLACE_PX_MIN       (-2048)
#define PLACE_PX_MAX       4096
#define EDGE_PX_MAX        2048
#define PERIOD_TICKS_MAX   36000
#define DROP_PX_MAX        2048
#define BALL_SPEED_SUB_MAX 4096

enum shape { RECTANGLE, POINT, ELLIPSE, POLYLINE, POLYGON, TEXT, TILE_OBJECT };

static enum shape shape_of(const json_t *object)
{
    static const char *const KEYS[] = {[ELLIPSE] = "ellipse", [POLYLINE] = "polyline", [POLYGON] = "polygon",
                                       [TEXT] = "text",       [TILE_OBJECT] = "gid",   [POINT] = "point"};
    for (enum shape shape = POINT; shape <= TILE_OBJECT; shape++) {
        if (json_object_get(object, KEYS[shape])) {
            return shape;
        }
    }
    return RECTANGLE;
}

static bool read_place(struct tiled_reader *reader, const json_t *object, int32_t *x, int32_t *y)
{
    return tiled_int(reader, object, "x", PLACE_PX_MIN, PLACE_PX_MAX, x) &&
           tiled_int(reader, object, "y", PLACE_PX_MIN, PLACE_PX_MAX, y);
}

static bool read_box(struct tiled_reader *reader, const json_t *object, struct df_box *box)
{
    return read_place(reader, object, &box->x, &box->y) &&
           tiled_int(reader, object, "width", 1, EDGE_PX_MAX, &box->w) &&
           tiled_int(reader, object, "height", 1, EDGE_PX_MAX, &box->h);
}

static bool has_room(struct tiled_reader *reader, const char *what, int32_t count, int32_t capacity)
{
    return count < capacity ||
           tiled_fail(reader, TILED_LIMIT, "a map holds at most %d %s; remove some", capacity, what);
}

static bool read_spawn(struct tiled_reader *reader, const json_t *object)
{
    struct map *map = reader->map;
    struct map_spawn spawn = {0};
    if (!has_room(reader, "spawns", map->spawn_count, MAP_SPAWN_CAPACITY) ||
        !read_place(reader, object, &spawn.x, &spawn.y) ||
        !tiled_property_int(reader, object, "team", 0, 2, &spawn.team)) {
        return false;
    }
    map->spawns[map->spawn_count++] = spawn;
    return true;
}

static bool read_ball(struct tiled_reader *reader, const json_t *object)
{
    struct map *map = reader->map;
    struct map_ball ball = {0};
    struct df_box box;
    if (!has_room(reader, "balls", map->ball_count, MAP_BALL_CAPACITY) || !read_box(reader, object, &box) ||
        !tiled_property_int(reader, object, "vx_sub", -BALL_SPEED_SUB_MAX, BALL_SPEED_SUB_MAX, &ball.vx) ||
        !tiled_property_int(reader, object, "vy_sub", -BALL_SPEED_SUB_MAX, BALL_SPEED_SUB_MAX, &ball.vy)) {
        return false;
    }
    if (box.w != box.h || box.w % 2 != 0 || box.w < 4 || box.w > 64) {
        return tiled_fail(reader, TILED_VALUE, "is %d x %d px; draw a circle with an even width of 4 to 64", box.w,
                          box.h);
    }
    ball.radius_px = box.w / 2;
    ball.cx = box.x + ball.radius_px;
    ball.cy = box.y + ball.radius_px;
    map->balls[map->ball_count++] = ball;
    return true;
}

static bool stops_crusher(const struct map *map, int32_t column, int32_t row)
{
    uint8_t tile = map->tiles[row * map->columns + column];
    return tile == DF_TILE_SOLID || tile == DF_TILE_BLOCK;
}

// The top of the highest solid tile beneath the box, or the lower edge of the map.
static int32_t floor_px(const struct map *map, struct df_box box)
{
    int32_t first = df_floor_div(box.x, MAP_EDGE_PX), last = df_floor_div(box.x + box.w - 1, MAP_EDGE_PX);
    int32_t row = df_floor_div(box.y + box.h + MAP_EDGE_PX - 1, MAP_EDGE_PX);
    for (row = row < 0 ? 0 : row; row < map->rows; row++) {
        for (int32_t column = first < 0 ? 0 : first; column <= last && column < map->columns; column++) {
            if (stops_crusher(map, column, row)) {
                return row * MAP_EDGE_PX;
            }
        }
    }
    return map->rows * MAP_EDGE_PX;
}

static bool read_crusher(struct tiled_reader *reader, const json_t *object)
{
    struct map *map = reader->map;
    struct map_solid solid = {.kind = MAP_SOLID_CRUSHER};
    if (!has_room(reader, "movers and crushers", map->solid_count, MAP_SOLID_CAPACITY) ||
        !read_box(reader, object, &solid.box) ||
        !tiled_property_int(reader, object, "drop_px", 1, DROP_PX_MAX, &solid.drop_px)) {
        return false;
    }
    if (solid.drop_px == 0) {
        solid.drop_px = floor_px(map, solid.box) - solid.box.y - solid.box.h;
    }
    if (solid.drop_px < 1 || solid.drop_px > DROP_PX_MAX) {
        return tiled_fail(reader, TILED_VALUE, "nothing to fall on within %d px below; move it, or give drop_px",
                          DROP_PX_MAX);
    }
    map->solids[map->solid_count++] = solid;
    return true;
}

static const json_t *find_object(const json_t *layers, json_int_t id)
{
    size_t i, k;
    const json_t *layer, *object;
    json_array_foreach(layers, i, layer)
    {
        json_array_foreach(json_object_get(layer, "objects"), k, object)
        {
            const json_t *value = json_object_get(object, "id");
            if (json_is_integer(value) && json_integer_value(value) == id) {
                return object;
            }
        }
    }
    return NULL;
}

static bool add_points(struct tiled_reader *reader, const json_t *polyline, struct tiled_path *path)
{
    struct map *map = reader->map;
    size_t index;
    const json_t *json;
    json_array_foreach(polyline, index, json)
    {
        struct map_point point;
        if (!has_room(reader, "path points", map->point_count, MAP_PATH_POINT_CAPACITY) ||
            !read_place(reader, json, &point.x, &point.y)) {
            return false;
        }
        const struct map_point *first = &map->points[path->first];
        if (index > 0) {
            point.x -= first->x;
            point.y -= first->y;
        }
        map->points[map->point_count++] = point;
    }
    path->count = map->point_count - path->first;
    map->points[path->first] = (struct map_point){0, 0};
    return true;
}

static bool has_length(const struct map *map, const struct tiled_path *path)
{
    for (int32_t i = 1; i < path->count; i++) {
        if (map->points[path->first + i].x != 0 || map->points[path->first + i].y != 0) {
            return true;
        }
    }
    return false;
}

static bool read_path(struct tiled_reader *reader, json_int_t id, struct tiled_path *path)
{
    const json_t *object = find_object(reader->layers, id);
    const json_t *polyline = json_object_get(object, "polyline");
    if (!json_is_array(polyline) || json_array_size(polyline) < 2) {
        return tiled_fail(reader, TILED_VALUE,
                          "path is object %lld, which is no polyline of 2 or more points; choose one", (long long)id);
    }
    *path = (struct tiled_path){.object = id, .first = reader->map->point_count};
    return add_points(reader, polyline, path) &&
           (has_length(reader->map, path) ||
            tiled_fail(reader, TILED_VALUE, "path is object %lld, whose points are all the same; draw a longer one",
                       (long long)id));
}

// Movers that name the same polyline share its points.
static bool find_path(struct tiled_reader *reader, const json_t *object, struct map_solid *solid)
{
    const json_t *property = tiled_property(object, "path");
    if (!json_is_integer(property)) {
        return tiled_fail(reader, TILED_VALUE,
                          "has no path; add a property 'path' of type object that names a polyline");
    }
    json_int_t id = json_integer_value(property);
    int32_t index = 0;
    while (index < reader->path_count && reader->paths[index].object != id) {
        index++;
    }
    if (index == reader->path_count && !read_path(reader, id, &reader->paths[reader->path_count++])) {
        return false;
    }
    solid->path_first = reader->paths[index].first;
    solid->path_count = reader->paths[index].count;
    return true;
}

static bool read_oneway(struct tiled_reader *reader, const json_t *object, uint32_t *oneway)
{
    const json_t *property = tiled_property(object, "oneway");
    *oneway = json_is_true(property);
    return !property || json_is_boolean(property) || tiled_fail(reader, TILED_VALUE, "oneway is no bool; make it one");
}

static bool read_mover(struct tiled_reader *reader, const json_t *object)
{
    static const char *const MODES[] = {[MAP_PATH_LOOP] = "loop", [MAP_PATH_PINGPONG] = "pingpong", NULL};
    struct map_solid solid = {.kind = MAP_SOLID_MOVER, .path_mode = MAP_PATH_PINGPONG};
    int32_t group = 0;
    if (!has_room(reader, "movers and crushers", reader->map->solid_count, MAP_SOLID_CAPACITY) ||
        !read_box(reader, object, &solid.box) || !find_path(reader, object, &solid) ||
        !tiled_property_word(reader, object, "mode", MODES, &solid.path_mode) ||
        !tiled_property_int(reader, object, "period_ticks", 2, PERIOD_TICKS_MAX, &solid.period_ticks) ||
        !tiled_property_int(reader, object, "group", 0, MAP_SOLID_CAPACITY, &group) ||
        !read_oneway(reader, object, &solid.oneway)) {
        return false;
    }
    if (solid.period_ticks == 0) {
        return tiled_fail(reader, TILED_VALUE, "has no period_ticks; add it, 2 to %d (60 are a second)",
                          PERIOD_TICKS_MAX);
    }
    if (!tiled_property_int(reader, object, "phase_ticks", 0, solid.period_ticks - 1, &solid.phase_ticks)) {
        return false;
    }
    solid.group = (uint32_t)group;
    reader->map->solids[reader->map->solid_count++] = solid;
    return true;
}

static const struct kind {
    const char *type;
    enum shape shape;
    const char *drawn;                                               // as Tiled's tool calls it
    bool (*read)(struct tiled_reader *reader, const json_t *object); // null: read with the movers that follow it
    const char *properties[8];
} KINDS[] = {
    {"spawn", POINT, "a point", read_spawn, {"team"}},
    {"mover", RECTANGLE, "a rectangle", read_mover, {"path", "period_ticks", "mode", "phase_ticks", "group", "oneway"}},
    {"crusher", RECTANGLE, "a rectangle", read_crusher, {"drop_px"}},
    {"ball", ELLIPSE, "a circle", read_ball, {"vx_sub", "vy_sub"}},
    {"path", POLYLINE, "a polyline", NULL, {NULL}},
};

static const struct kind *find_kind(const char *type)
{
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        if (!strcmp(type, KINDS[i].type)) {
            return &KINDS[i];
        }
    }
    return NULL;
}

static bool read_object(struct tiled_reader *reader, const json_t *object, bool spawns)
{
    const char *type = tiled_type(object);
    const struct kind *kind = find_kind(!type[0] && shape_of(object) == POLYLINE ? "path" : type);
    tiled_at(reader, "object %lld (%.20s)", (long long)json_integer_value(json_object_get(object, "id")),
             type[0] ? type : "no type");
    if (json_object_get(object, "template")) {
        return tiled_fail(reader, TILED_FEATURE, "templates are not read; choose Detach in its menu");
    }
    if (!kind) {
        return tiled_fail(reader, TILED_VALUE,
                          "the type is unknown; give spawn, mover, crusher, ball or path, or remove it");
    }
    if ((kind->read == read_spawn) != spawns) {
        return true;
    }
    if (shape_of(object) != kind->shape || json_number_value(json_object_get(object, "rotation")) != 0) {
        return tiled_fail(reader, TILED_VALUE, "must be %s that is not rotated; draw it anew", kind->drawn);
    }
    if (!tiled_properties_known(reader, object, kind->properties)) {
        return false;
    }
    if (!kind->read) {
        return true;
    }
    if (!kind->read(reader, object)) {
        return false;
    }
    const char *fault = map_fault(reader->map);
    return !fault || tiled_fail(reader, TILED_UNSOUND, "%s", fault);
}

static bool read_layer_objects(struct tiled_reader *reader, const json_t *layer, bool spawns, size_t *count)
{
    const json_t *objects;
    tiled_at(reader, "layer '%.40s'", tiled_text(layer, "name"));
    if (!tiled_array(reader, layer, "objects", &objects)) {
        return false;
    }
    *count += json_array_size(objects);
    if (*count > TILED_OBJECT_CAPACITY) {
        return tiled_fail(reader, TILED_LIMIT, "the map has more than %d objects; remove some", TILED_OBJECT_CAPACITY);
    }
    size_t index;
    const json_t *object;
    json_array_foreach(objects, index, object)
    {
        if (!read_object(reader, object, spawns)) {
            return false;
        }
    }
    return true;
}

static bool read_objects(struct tiled_reader *reader, bool spawns)
{
    size_t index, count = 0;
    const json_t *layer;
    json_array_foreach(reader->layers, index, layer)
    {
        if (!read_layer_objects(reader, layer, spawns, &count)) {
            return false;
        }
    }
    return true;
}

// A map without a spawn is unsound whatever else it holds; with the spawns first, the object after which
// map_fault speaks up is the one to blame.
bool tiled_objects(struct tiled_reader *reader)
{
    if (!read_objects(reader, true)) {
        return false;
    }
    if (reader->map->spawn_count == 0) {
        tiled_at(reader, "%s", "");
        return tiled_fail(reader, TILED_UNSOUND, "nobody can appear; insert points of type spawn where feet may stand");
    }
    return read_objects(reader, false);
}
