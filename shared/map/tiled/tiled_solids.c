// SPDX-License-Identifier: MIT
#include <string.h>

#include "tiled_reader.h"

#define DROP_PX_MAX             2048
#define DOOR_SLIDE_PX_MAX       2048
#define DOOR_PERIOD_TICKS_USUAL 60 // half a second to open
#define SOLIDS                  "movers, crushers, doors, lifts and conveyors"

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
        for (int32_t column = first < 0 ? 0 : first; column <= last && column < map->columns; column++)
            if (stops_crusher(map, column, row))
                return row * MAP_EDGE_PX;
    }
    return map->rows * MAP_EDGE_PX;
}

bool tiled_crusher(struct tiled_reader *reader, const json_t *object)
{
    struct map *map = reader->map;
    struct map_solid solid = {.kind = MAP_SOLID_CRUSHER};
    if (!tiled_room(reader, SOLIDS, map->solid_count, MAP_SOLID_CAPACITY) || !tiled_box(reader, object, &solid.box) ||
        !tiled_property_int(reader, object, "drop_px", 1, DROP_PX_MAX, &solid.drop_px))
        return false;
    if (solid.drop_px == 0)
        solid.drop_px = floor_px(map, solid.box) - solid.box.y - solid.box.h;
    if (solid.drop_px < 1 || solid.drop_px > DROP_PX_MAX)
        return tiled_fail(reader, TILED_VALUE, "nothing to fall on within %d px below; move it, or give drop_px",
                          DROP_PX_MAX);
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
            if (json_is_integer(value) && json_integer_value(value) == id)
                return object;
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
        if (!tiled_room(reader, "path points", map->point_count, MAP_PATH_POINT_CAPACITY) ||
            !tiled_place(reader, json, &point.x, &point.y))
            return false;
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
    for (int32_t i = 1; i < path->count; i++)
        if (map->points[path->first + i].x != 0 || map->points[path->first + i].y != 0)
            return true;
    return false;
}

static bool read_path(struct tiled_reader *reader, json_int_t id, struct tiled_path *path)
{
    const json_t *object = find_object(reader->layers, id);
    const json_t *polyline = json_object_get(object, "polyline");
    if (!json_is_array(polyline) || json_array_size(polyline) < 2)
        return tiled_fail(reader, TILED_VALUE,
                          "path is object %lld, which is no polyline of 2 or more points; choose one", (long long)id);
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
    if (!json_is_integer(property))
        return tiled_fail(reader, TILED_VALUE,
                          "has no path; add a property 'path' of type object that names a polyline");
    json_int_t id = json_integer_value(property);
    int32_t index = 0;
    while (index < reader->path_count && reader->paths[index].object != id)
        index++;
    if (index == reader->path_count && !read_path(reader, id, &reader->paths[reader->path_count++]))
        return false;
    solid->path_first = reader->paths[index].first;
    solid->path_count = reader->paths[index].count;
    return true;
}

static bool read_bool(struct tiled_reader *reader, const json_t *object, const char *name, bool *value)
{
    const json_t *property = tiled_property(object, name);
    *value = property ? json_is_true(property) : *value;
    return !property || json_is_boolean(property) ||
           tiled_fail(reader, TILED_VALUE, "%s is no bool; make it one", name);
}

// What every solid but the crusher may have.
static bool read_surface(struct tiled_reader *reader, const json_t *object, struct map_solid *solid)
{
    int32_t group = 0;
    bool oneway = false, rideable = true;
    if (!tiled_room(reader, SOLIDS, reader->map->solid_count, MAP_SOLID_CAPACITY) ||
        !tiled_box(reader, object, &solid->box) ||
        !tiled_property_int(reader, object, "group", 0, MAP_SOLID_CAPACITY, &group) ||
        !tiled_property_int(reader, object, "belt_sub", -MAP_BELT_SPEED_SUB_MAX, MAP_BELT_SPEED_SUB_MAX,
                            &solid->belt_sub) ||
        !read_bool(reader, object, "oneway", &oneway) || !read_bool(reader, object, "rideable", &rideable))
        return false;
    solid->group = (uint32_t)group;
    solid->oneway = oneway;
    solid->slippery = !rideable;
    return true;
}

static bool read_period(struct tiled_reader *reader, const json_t *object, struct map_solid *solid)
{
    if (!tiled_property_int(reader, object, "period_ticks", 2, MAP_TICKS_MAX, &solid->period_ticks))
        return false;
    if (solid->period_ticks == 0)
        return tiled_fail(reader, TILED_VALUE, "has no period_ticks; add it, 2 to %d (60 are a second)", MAP_TICKS_MAX);
    return tiled_property_int(reader, object, "phase_ticks", 0, solid->period_ticks - 1, &solid->phase_ticks);
}

static bool add_solid(struct tiled_reader *reader, const struct map_solid *solid)
{
    reader->map->solids[reader->map->solid_count++] = *solid;
    return true;
}

bool tiled_mover(struct tiled_reader *reader, const json_t *object)
{
    static const char *const MODES[] = {[MAP_PATH_LOOP] = "loop", [MAP_PATH_PINGPONG] = "pingpong", NULL};
    struct map_solid solid = {.kind = MAP_SOLID_MOVER, .path_mode = MAP_PATH_PINGPONG};
    return read_surface(reader, object, &solid) && find_path(reader, object, &solid) &&
           tiled_property_word(reader, object, "mode", MODES, &solid.path_mode) &&
           read_period(reader, object, &solid) && add_solid(reader, &solid);
}

bool tiled_lift(struct tiled_reader *reader, const json_t *object)
{
    static const char *const MODES[] = {
        [MAP_PATH_LOOP] = "loop", [MAP_PATH_PINGPONG] = "pingpong", [MAP_PATH_CALL] = "call", NULL};
    struct map_solid solid = {.kind = MAP_SOLID_LIFT, .path_mode = MAP_PATH_CALL};
    return read_surface(reader, object, &solid) && tiled_channel(reader, object, &solid.channel) &&
           find_path(reader, object, &solid) && tiled_property_word(reader, object, "mode", MODES, &solid.path_mode) &&
           read_period(reader, object, &solid) && add_solid(reader, &solid);
}

// A door's path is its slide: two points of its own.
static bool read_slide(struct tiled_reader *reader, const json_t *object, struct map_solid *solid)
{
    struct map *map = reader->map;
    struct map_point slide = {0, 0};
    if (!tiled_property_int(reader, object, "slide_x_px", -DOOR_SLIDE_PX_MAX, DOOR_SLIDE_PX_MAX, &slide.x) ||
        !tiled_property_int(reader, object, "slide_y_px", -DOOR_SLIDE_PX_MAX, DOOR_SLIDE_PX_MAX, &slide.y) ||
        !tiled_room(reader, "path points", map->point_count + 1, MAP_PATH_POINT_CAPACITY))
        return false;
    if (slide.x == 0 && slide.y == 0)
        return tiled_fail(reader, TILED_VALUE, "does not open; add slide_x_px or slide_y_px, where it slides to");
    solid->path_first = map->point_count;
    solid->path_count = 2;
    map->points[map->point_count++] = (struct map_point){0, 0};
    map->points[map->point_count++] = slide;
    return true;
}

bool tiled_door(struct tiled_reader *reader, const json_t *object)
{
    struct map_solid solid = {
        .kind = MAP_SOLID_DOOR, .path_mode = MAP_PATH_CALL, .period_ticks = DOOR_PERIOD_TICKS_USUAL};
    return read_surface(reader, object, &solid) && tiled_channel(reader, object, &solid.channel) &&
           read_slide(reader, object, &solid) && read_period(reader, object, &solid) && add_solid(reader, &solid);
}

bool tiled_conveyor(struct tiled_reader *reader, const json_t *object)
{
    struct map_solid solid = {.kind = MAP_SOLID_CONVEYOR};
    if (!read_surface(reader, object, &solid))
        return false;
    if (solid.belt_sub == 0)
        return tiled_fail(reader, TILED_VALUE,
                          "has no belt_sub; add it, its speed in 1/256 px a tick, to the right above 0");
    return add_solid(reader, &solid);
}
