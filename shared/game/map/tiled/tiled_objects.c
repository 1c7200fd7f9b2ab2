// SPDX-License-Identifier: MIT
#include "tiled_json.h"

#include <string.h>

#include "game/gift.h"

// A map is at most 2,048 px wide; a mover may start as far beyond either edge.
#define PLACE_PX_MIN       (-2048)
#define PLACE_PX_MAX       4096
#define BALL_SPEED_SUB_MAX 4096
#define DROP_PX_MAX        2048
#define SLIDE_PX_MAX       2048
#define BELT_SUB_MAX       MAP_BELT_SPEED_SUB_MAX
#define DOOR_TICKS_USUAL   60 // half a second to open

// What one object says: the values of all properties that objects have. Each type has some of them; the others are 0.
struct object {
    struct df_box box; // of a point, w and h are 0
    int32_t team, channel, group, path;
    int32_t period_ticks, phase_ticks, hold_ticks, respawn_ticks;
    int32_t vx_sub, vy_sub, belt_sub, drop_px, slide_x_px, slide_y_px;
    uint32_t kind, mode, gives, oneway, slippery;
};

// A polyline with its points in the map.
struct path {
    int32_t object, first, count;
};

struct objects {
    struct tiled_reader *reader;
    struct map *map;
    const json_t *layers;
    struct path paths[MAP_SOLID_CAPACITY];
    int32_t path_count;
};

static bool read_place(struct tiled_reader *reader, const json_t *object, int32_t *x, int32_t *y)
{
    return tiled_int(reader, object, "x", PLACE_PX_MIN, PLACE_PX_MAX, x) &&
           tiled_int(reader, object, "y", PLACE_PX_MIN, PLACE_PX_MAX, y);
}

static bool has_room(struct tiled_reader *reader, enum map_list list)
{
    const char *things = list == MAP_SOLIDS   ? "movers, crushers, doors, lifts, conveyors and launchers"
                         : list == MAP_POINTS ? "path points"
                                              : MAP_LIST_TABLE[list].things;
    int32_t most = MAP_LIST_TABLE[list].most;
    return *map_list_count(reader->map, list) < most ||
           tiled_fail(reader, TILED_LIMIT, "a map holds at most %d %s; remove some", most, things);
}

static bool add_spawn(struct objects *objects, const struct object *object)
{
    struct map *map = objects->map;
    map->spawns[map->spawn_count++] = (struct map_spawn){object->box.x, object->box.y, object->team};
    return true;
}

static bool add_ball(struct objects *objects, const struct object *object)
{
    struct map *map = objects->map;
    struct df_box box = object->box;
    int32_t radius_px = box.w / 2;
    if (box.w != box.h || box.w % 2 != 0 || box.w < 4 || box.w > 64)
        return tiled_fail(objects->reader, TILED_VALUE, "is %d x %d px; draw a circle with an even width of 4 to 64",
                          box.w, box.h);
    map->balls[map->ball_count++] =
        (struct map_ball){box.x + radius_px, box.y + radius_px, radius_px, object->vx_sub, object->vy_sub};
    return true;
}

static bool add_switch(struct objects *objects, const struct object *object)
{
    struct map *map = objects->map;
    map->switches[map->switch_count++] =
        (struct map_switch){object->kind, object->box, (uint32_t)object->channel, object->hold_ticks};
    return true;
}

static bool add_chest(struct objects *objects, const struct object *object)
{
    struct map *map = objects->map;
    map->chests[map->chest_count++] =
        (struct map_chest){object->box.x, object->box.y, object->gives, object->respawn_ticks};
    return true;
}

static bool add_goal(struct objects *objects, const struct object *object)
{
    struct map *map = objects->map;
    struct df_box box = object->box;
    if (box.x % MAP_EDGE_PX != 0 || box.y % MAP_EDGE_PX != 0 || box.w % MAP_EDGE_PX != 0 || box.h % MAP_EDGE_PX != 0)
        return tiled_fail(objects->reader, TILED_VALUE, "its edges are not on the grid of %d px; snap it to the grid",
                          MAP_EDGE_PX);
    map->goals[map->goal_count++] = (struct map_goal){(uint32_t)object->team, box.x / MAP_EDGE_PX, box.y / MAP_EDGE_PX,
                                                      box.w / MAP_EDGE_PX, box.h / MAP_EDGE_PX};
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

static bool add_point(struct objects *objects, struct map_point point)
{
    struct map *map = objects->map;
    if (!has_room(objects->reader, MAP_POINTS))
        return false;
    map->points[map->point_count++] = point;
    return true;
}

// Solids that name the same polyline share its points, which are stored relative to the first.
static bool find_path(struct objects *objects, int32_t object, struct map_solid *solid)
{
    struct tiled_reader *reader = objects->reader;
    int32_t index = 0;
    while (index < objects->path_count && objects->paths[index].object != object)
        index++;
    struct path *path = &objects->paths[index];
    if (index == objects->path_count) {
        const json_t *json, *polyline = json_object_get(find_object(objects->layers, object), "polyline");
        struct map_point point, first = {0, 0};
        bool has_length = false;
        size_t k;
        objects->path_count++;
        *path = (struct path){object, objects->map->point_count, 0};
        if (!json_is_array(polyline) || json_array_size(polyline) < 2)
            return tiled_fail(reader, TILED_VALUE,
                              "path is object %d, which is not a polyline of 2 or more points; choose one", object);
        json_array_foreach(polyline, k, json)
        {
            if (!read_place(reader, json, &point.x, &point.y))
                return false;
            first = k == 0 ? point : first;
            point = (struct map_point){point.x - first.x, point.y - first.y};
            has_length |= point.x != 0 || point.y != 0;
            if (!add_point(objects, point))
                return false;
        }
        path->count = objects->map->point_count - path->first;
        if (!has_length)
            return tiled_fail(reader, TILED_VALUE,
                              "path is object %d, whose points are all the same; draw a longer one", object);
    }
    solid->path_first = path->first;
    solid->path_count = path->count;
    return true;
}

// What all solids have in common; only some have a path.
static struct map_solid solid_of(const struct object *object, enum map_solid_kind kind)
{
    return (struct map_solid){.kind = kind,
                              .oneway = object->oneway,
                              .group = (uint32_t)object->group,
                              .box = object->box,
                              .path_mode = object->mode,
                              .period_ticks = object->period_ticks,
                              .phase_ticks = object->phase_ticks,
                              .drop_px = object->drop_px,
                              .channel = (uint32_t)object->channel,
                              .belt_sub = object->belt_sub,
                              .slippery = object->slippery};
}

static bool add_solid(struct objects *objects, struct map_solid solid)
{
    objects->map->solids[objects->map->solid_count++] = solid;
    return true;
}

static bool add_on_path(struct objects *objects, const struct object *object, enum map_solid_kind kind)
{
    struct map_solid solid = solid_of(object, kind);
    if (object->phase_ticks < 0 || object->phase_ticks >= object->period_ticks)
        return tiled_fail(objects->reader, TILED_VALUE, "phase_ticks is %d; give 0 to %d", object->phase_ticks,
                          object->period_ticks - 1);
    return find_path(objects, object->path, &solid) && add_solid(objects, solid);
}

static bool add_mover(struct objects *objects, const struct object *object)
{
    return add_on_path(objects, object, MAP_SOLID_MOVER);
}

static bool add_lift(struct objects *objects, const struct object *object)
{
    return add_on_path(objects, object, MAP_SOLID_LIFT);
}

// A door's path is its slide: two points that no other solid shares.
static bool add_door(struct objects *objects, const struct object *object)
{
    struct map_solid solid = solid_of(object, MAP_SOLID_DOOR);
    solid.path_mode = MAP_PATH_CALL;
    solid.path_first = objects->map->point_count;
    solid.path_count = 2;
    if (object->slide_x_px == 0 && object->slide_y_px == 0)
        return tiled_fail(objects->reader, TILED_VALUE,
                          "does not open; add slide_x_px or slide_y_px, how far it slides");
    return add_point(objects, (struct map_point){0, 0}) &&
           add_point(objects, (struct map_point){object->slide_x_px, object->slide_y_px}) && add_solid(objects, solid);
}

static bool add_conveyor(struct objects *objects, const struct object *object)
{
    return add_solid(objects, solid_of(object, MAP_SOLID_CONVEYOR));
}

static bool add_launcher(struct objects *objects, const struct object *object)
{
    return add_solid(objects, solid_of(object, (enum map_solid_kind)(MAP_SOLID_LAUNCHER_LEFT + object->kind)));
}

// The top of the highest solid tile beneath the box, or the lower edge of the map.
static int32_t floor_px(const struct map *map, struct df_box box)
{
    int32_t first = df_floor_div(box.x, MAP_EDGE_PX), last = df_floor_div(box.x + box.w - 1, MAP_EDGE_PX);
    int32_t row = df_floor_div(box.y + box.h + MAP_EDGE_PX - 1, MAP_EDGE_PX);
    for (row = row < 0 ? 0 : row; row < map->rows; row++)
        for (int32_t column = first < 0 ? 0 : first; column <= last && column < map->columns; column++) {
            uint8_t tile = map->tiles[row * map->columns + column];
            if (tile == DF_TILE_SOLID || tile == DF_TILE_BLOCK)
                return row * MAP_EDGE_PX;
        }
    return map->rows * MAP_EDGE_PX;
}

static bool add_crusher(struct objects *objects, const struct object *object)
{
    struct map_solid solid = solid_of(object, MAP_SOLID_CRUSHER);
    if (solid.drop_px == 0)
        solid.drop_px = floor_px(objects->map, solid.box) - solid.box.y - solid.box.h;
    if (solid.drop_px < 1 || solid.drop_px > DROP_PX_MAX)
        return tiled_fail(objects->reader, TILED_VALUE,
                          "nothing to fall on within %d px below; move it, or give drop_px", DROP_PX_MAX);
    return add_solid(objects, solid);
}

#define FIELD        static const struct tiled_field
#define CHANNEL_NEED "1 to 32, the same for a switch and what it drives"
#define PERIOD_NEED  "2 to 36000 ticks, 60 are a second"
#define LAUNCH_NEED  "15 to 36000 ticks between two arrows, 60 are a second"
#define BELT_NEED    "its speed in 1/256 px a tick, above 0 to the right"

// A property fills the member of its name, if it does not say another one.
#define AT(member)                offsetof(struct object, member)
#define NUMBER(member, low, high) #member, TILED_NUMBER, AT(member), .least = (low), .most = (high)
#define WORD(member, list, high)  #member, TILED_WORD, AT(member), .words = (list), .most = (high)
#define TYPED(name, type, member) name, type, AT(member)

static const char *const SWITCH_KINDS[MAP_SWITCH_KINDS] = {[MAP_SWITCH_PLATE] = "plate",
                                                           [MAP_SWITCH_LEVER] = "lever",
                                                           [MAP_SWITCH_TARGET] = "target",
                                                           [MAP_SWITCH_FLAG] = "flag"};
static const char *const LAUNCHES[] = {"left", "right", "down"};
static const char *const PATH_MODES[] = {
    [MAP_PATH_LOOP] = "loop", [MAP_PATH_PINGPONG] = "pingpong", [MAP_PATH_CALL] = "call"};

FIELD SPAWN_TEAM = {NUMBER(team, 0, 2)};
FIELD GOAL_TEAM = {NUMBER(team, 1, 2), .need = "1 or 2, the team that defends it"};
FIELD VX = {NUMBER(vx_sub, -BALL_SPEED_SUB_MAX, BALL_SPEED_SUB_MAX)};
FIELD VY = {NUMBER(vy_sub, -BALL_SPEED_SUB_MAX, BALL_SPEED_SUB_MAX)};
FIELD KIND = {WORD(kind, SWITCH_KINDS, MAP_SWITCH_FLAG), .usual = MAP_SWITCH_PLATE};
FIELD CHANNEL = {NUMBER(channel, 1, MAP_CHANNEL_CAPACITY), .need = CHANNEL_NEED};
FIELD HOLD = {NUMBER(hold_ticks, 0, MAP_TICKS_MAX)};
FIELD GIVES = {TYPED("gives", TILED_WORDS, gives), .words = &GIFT_TABLE[0].name, .row_bytes = sizeof *GIFT_TABLE,
               .most = MAP_GIFTS - 1, .usual = MAP_GIFTS_ANY};
FIELD RESPAWN = {NUMBER(respawn_ticks, 0, MAP_TICKS_MAX)};
FIELD DROP = {NUMBER(drop_px, 1, DROP_PX_MAX)};
FIELD SLIDE_X = {NUMBER(slide_x_px, -SLIDE_PX_MAX, SLIDE_PX_MAX)};
FIELD SLIDE_Y = {NUMBER(slide_y_px, -SLIDE_PX_MAX, SLIDE_PX_MAX)};
FIELD PATH = {TYPED("path", TILED_OBJECT, path), .need = "type object, the polyline to follow"};
FIELD MOVER_MODE = {WORD(mode, PATH_MODES, MAP_PATH_PINGPONG), .usual = MAP_PATH_PINGPONG};
FIELD LIFT_MODE = {WORD(mode, PATH_MODES, MAP_PATH_CALL), .usual = MAP_PATH_CALL};
FIELD PERIOD = {NUMBER(period_ticks, 2, MAP_TICKS_MAX), .need = PERIOD_NEED};
FIELD DOOR_PERIOD = {NUMBER(period_ticks, 2, MAP_TICKS_MAX), .usual = DOOR_TICKS_USUAL};
FIELD LAUNCH = {TYPED("shoots", TILED_WORD, kind), .words = LAUNCHES, .most = 2, .need = "left, right or down"};
FIELD LAUNCH_PERIOD = {NUMBER(period_ticks, MAP_LAUNCH_TICKS_MIN, MAP_TICKS_MAX), .need = LAUNCH_NEED};
FIELD LAUNCH_PHASE = {NUMBER(phase_ticks, 0, MAP_TICKS_MAX)};
FIELD PHASE = {NUMBER(phase_ticks, INT32_MIN, INT32_MAX)}; // add_on_path
FIELD GROUP = {NUMBER(group, 0, MAP_SOLID_CAPACITY)};
FIELD ONEWAY = {TYPED("oneway", TILED_FLAG, oneway), .most = 1};
FIELD RIDEABLE = {TYPED("rideable", TILED_FLAG, slippery), .least = 1, .most = 0};
FIELD BELT = {NUMBER(belt_sub, -BELT_SUB_MAX, BELT_SUB_MAX)};
FIELD CONVEYOR_BELT = {NUMBER(belt_sub, -BELT_SUB_MAX, BELT_SUB_MAX), .need = BELT_NEED};

enum shape { RECTANGLE, POINT, ELLIPSE, POLYLINE, POLYGON, TEXT, TILE_OBJECT, SHAPES };

static const struct {
    const char *key;   // that an object of this shape has
    const char *drawn; // as Tiled's tool calls it
} SHAPE[SHAPES] = {
    [RECTANGLE] = {NULL, "a rectangle"},     [POINT] = {"point", "a point"},       [ELLIPSE] = {"ellipse", "a circle"},
    [POLYLINE] = {"polyline", "a polyline"}, [POLYGON] = {"polygon", "a polygon"}, [TEXT] = {"text", "a text"},
    [TILE_OBJECT] = {"gid", "a tile"},
};

static enum shape shape_of(const json_t *object)
{
    for (enum shape shape = POINT; shape < SHAPES; shape++)
        if (json_object_get(object, SHAPE[shape].key))
            return shape;
    return RECTANGLE;
}

// Switches come before what they drive, and a map without a spawn is never valid. In this order, the object after which
// map_validate fails is the one to blame.
enum pass { PASS_SPAWNS, PASS_SWITCHES, PASS_REST };

#define SURFACE &GROUP, &ONEWAY, &BELT, &RIDEABLE

static const struct type {
    const char *name;
    enum shape shape;
    enum pass pass;
    enum map_list list;
    bool (*add)(struct objects *objects, const struct object *object); // null: read with the solids that follow it
    const struct tiled_field *fields[12];                              // ends with null
} TYPES[] = {
    {"spawn", POINT, PASS_SPAWNS, MAP_SPAWNS, add_spawn, {&SPAWN_TEAM}},
    {"mover", RECTANGLE, PASS_REST, MAP_SOLIDS, add_mover, {&PATH, &MOVER_MODE, &PERIOD, &PHASE, SURFACE}},
    {"crusher", RECTANGLE, PASS_REST, MAP_SOLIDS, add_crusher, {&DROP}},
    {"door", RECTANGLE, PASS_REST, MAP_SOLIDS, add_door, {&CHANNEL, &SLIDE_X, &SLIDE_Y, &DOOR_PERIOD, SURFACE}},
    {"lift", RECTANGLE, PASS_REST, MAP_SOLIDS, add_lift, {&CHANNEL, &PATH, &LIFT_MODE, &PERIOD, &PHASE, SURFACE}},
    {"conveyor", RECTANGLE, PASS_REST, MAP_SOLIDS, add_conveyor, {&CONVEYOR_BELT, &ONEWAY}},
    {"launcher", RECTANGLE, PASS_REST, MAP_SOLIDS, add_launcher, {&LAUNCH, &LAUNCH_PERIOD, &LAUNCH_PHASE}},
    {"switch", RECTANGLE, PASS_SWITCHES, MAP_SWITCHES, add_switch, {&KIND, &CHANNEL, &HOLD}},
    {"ball", ELLIPSE, PASS_REST, MAP_BALLS, add_ball, {&VX, &VY}},
    {"chest", POINT, PASS_REST, MAP_CHESTS, add_chest, {&GIVES, &RESPAWN}},
    {"goal", RECTANGLE, PASS_REST, MAP_GOALS, add_goal, {&GOAL_TEAM}},
    {"path", POLYLINE, PASS_REST, MAP_POINTS, NULL, {NULL}},
};

static bool add_object(struct objects *objects, const json_t *json, const struct type *type)
{
    struct tiled_reader *reader = objects->reader;
    struct object object = {0};
    struct df_box *box = &object.box;
    struct error error;
    if (!has_room(reader, type->list) || !read_place(reader, json, &box->x, &box->y) ||
        (type->shape != POINT && (!tiled_int(reader, json, "width", 1, MAP_SOLID_EDGE_PX_MAX, &box->w) ||
                                  !tiled_int(reader, json, "height", 1, MAP_SOLID_EDGE_PX_MAX, &box->h))) ||
        !tiled_fields_read(reader, json, type->fields, &object) || !type->add(objects, &object))
        return false;
    return map_validate(objects->map, &error) || tiled_fail(reader, TILED_UNSOUND, "%s", error.text);
}

static bool read_object(struct objects *objects, const json_t *json, enum pass pass)
{
    struct tiled_reader *reader = objects->reader;
    const char *given = tiled_type(json), *name = !given[0] && shape_of(json) == POLYLINE ? "path" : given;
    const struct type *type = TYPES, *end = TYPES + sizeof TYPES / sizeof *TYPES;
    while (type < end && strcmp(name, type->name) != 0)
        type++;
    tiled_at(reader, "object %lld (%.20s)", (long long)json_integer_value(json_object_get(json, "id")),
             given[0] ? given : "no type");
    if (json_object_get(json, "template"))
        return tiled_fail(reader, TILED_FEATURE, "templates are not read; choose Detach in its menu");
    if (type == end)
        return tiled_fail(
            reader, TILED_VALUE,
            "the type is unknown; give spawn, mover, crusher, door, lift, conveyor, launcher, switch, ball, "
            "chest, goal or path, or remove it");
    if (type->pass != pass)
        return true;
    if (shape_of(json) != type->shape || json_number_value(json_object_get(json, "rotation")) != 0)
        return tiled_fail(reader, TILED_VALUE, "must be %s that is not rotated; draw it again",
                          SHAPE[type->shape].drawn);
    return type->add ? add_object(objects, json, type) : tiled_fields_read(reader, json, type->fields, NULL);
}

static bool read_objects(struct objects *objects, enum pass pass)
{
    struct tiled_reader *reader = objects->reader;
    const json_t *layer, *layer_objects, *object;
    size_t i, k, count = 0;
    json_array_foreach(objects->layers, i, layer)
    {
        tiled_at(reader, "layer '%.40s'", tiled_text(layer, "name"));
        if (!tiled_array(reader, layer, "objects", &layer_objects))
            return false;
        count += json_array_size(layer_objects);
        if (count > TILED_OBJECT_CAPACITY)
            return tiled_fail(reader, TILED_LIMIT, "the map has more than %d objects; remove some",
                              TILED_OBJECT_CAPACITY);
        json_array_foreach(layer_objects, k, object)
        {
            if (!read_object(objects, object, pass))
                return false;
        }
    }
    return true;
}

bool tiled_objects_read(struct tiled_reader *reader, const json_t *layers)
{
    struct objects objects = {.reader = reader, .map = reader->map, .layers = layers};
    if (!read_objects(&objects, PASS_SPAWNS))
        return false;
    if (reader->map->spawn_count == 0) {
        tiled_at(reader, "%s", "");
        return tiled_fail(reader, TILED_UNSOUND,
                          "no player can appear; insert points of type spawn where their feet may stand");
    }
    return read_objects(&objects, PASS_SWITCHES) && read_objects(&objects, PASS_REST);
}
