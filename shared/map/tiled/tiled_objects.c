// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "tiled_reader.h"

// A map is at most 2,048 px wide; a mover may start as far beyond either edge.
#define PLACE_PX_MIN       (-2048)
#define PLACE_PX_MAX       4096
#define BALL_SPEED_SUB_MAX 4096

enum shape { RECTANGLE, POINT, ELLIPSE, POLYLINE, POLYGON, TEXT, TILE_OBJECT };

static enum shape shape_of(const json_t *object)
{
    static const char *const KEYS[] = {[ELLIPSE] = "ellipse", [POLYLINE] = "polyline", [POLYGON] = "polygon",
                                       [TEXT] = "text",       [TILE_OBJECT] = "gid",   [POINT] = "point"};
    for (enum shape shape = POINT; shape <= TILE_OBJECT; shape++)
        if (json_object_get(object, KEYS[shape]))
            return shape;
    return RECTANGLE;
}

bool tiled_place(struct tiled_reader *reader, const json_t *object, int32_t *x, int32_t *y)
{
    return tiled_int(reader, object, "x", PLACE_PX_MIN, PLACE_PX_MAX, x) &&
           tiled_int(reader, object, "y", PLACE_PX_MIN, PLACE_PX_MAX, y);
}

bool tiled_box(struct tiled_reader *reader, const json_t *object, struct df_box *box)
{
    return tiled_place(reader, object, &box->x, &box->y) &&
           tiled_int(reader, object, "width", 1, MAP_SOLID_EDGE_PX_MAX, &box->w) &&
           tiled_int(reader, object, "height", 1, MAP_SOLID_EDGE_PX_MAX, &box->h);
}

bool tiled_room(struct tiled_reader *reader, const char *what, int32_t count, int32_t capacity)
{
    return count < capacity ||
           tiled_fail(reader, TILED_LIMIT, "a map holds at most %d %s; remove some", capacity, what);
}

bool tiled_channel(struct tiled_reader *reader, const json_t *object, uint32_t *channel)
{
    int32_t value = 0;
    if (!tiled_property_int(reader, object, "channel", 1, MAP_CHANNEL_CAPACITY, &value))
        return false;
    *channel = (uint32_t)value;
    return value != 0 || tiled_fail(reader, TILED_VALUE,
                                    "has no channel; add a property 'channel', 1 to %d, the same for switches and what "
                                    "they drive",
                                    MAP_CHANNEL_CAPACITY);
}

static bool read_spawn(struct tiled_reader *reader, const json_t *object)
{
    struct map *map = reader->map;
    struct map_spawn spawn = {0};
    if (!tiled_room(reader, "spawns", map->spawn_count, MAP_SPAWN_CAPACITY) ||
        !tiled_place(reader, object, &spawn.x, &spawn.y) ||
        !tiled_property_int(reader, object, "team", 0, 2, &spawn.team))
        return false;
    map->spawns[map->spawn_count++] = spawn;
    return true;
}

static bool read_ball(struct tiled_reader *reader, const json_t *object)
{
    struct map *map = reader->map;
    struct map_ball ball = {0};
    struct df_box box;
    if (!tiled_room(reader, "balls", map->ball_count, MAP_BALL_CAPACITY) || !tiled_box(reader, object, &box) ||
        !tiled_property_int(reader, object, "vx_sub", -BALL_SPEED_SUB_MAX, BALL_SPEED_SUB_MAX, &ball.vx) ||
        !tiled_property_int(reader, object, "vy_sub", -BALL_SPEED_SUB_MAX, BALL_SPEED_SUB_MAX, &ball.vy))
        return false;
    if (box.w != box.h || box.w % 2 != 0 || box.w < 4 || box.w > 64)
        return tiled_fail(reader, TILED_VALUE, "is %d x %d px; draw a circle with an even width of 4 to 64", box.w,
                          box.h);
    ball.radius_px = box.w / 2;
    ball.cx = box.x + ball.radius_px;
    ball.cy = box.y + ball.radius_px;
    map->balls[map->ball_count++] = ball;
    return true;
}

static bool read_switch(struct tiled_reader *reader, const json_t *object)
{
    static const char *const KINDS[] = {[MAP_SWITCH_PLATE] = "plate", [MAP_SWITCH_LEVER] = "lever", NULL};
    struct map *map = reader->map;
    struct map_switch value = {.kind = MAP_SWITCH_PLATE};
    if (!tiled_room(reader, "switches", map->switch_count, MAP_SWITCH_CAPACITY) ||
        !tiled_box(reader, object, &value.box) || !tiled_property_word(reader, object, "kind", KINDS, &value.kind) ||
        !tiled_channel(reader, object, &value.channel) ||
        !tiled_property_int(reader, object, "hold_ticks", 0, MAP_TICKS_MAX, &value.hold_ticks))
        return false;
    map->switches[map->switch_count++] = value;
    return true;
}

// A list of words with commas between them, each one a gift; "any" stands for all.
static bool read_gifts(struct tiled_reader *reader, const json_t *object, uint32_t *gifts)
{
    static const char *const NAMES[MAP_GIFTS] = {[MAP_GIFT_ARROWS] = "arrows",
                                                 [MAP_GIFT_BOMB] = "bomb",
                                                 [MAP_GIFT_DRILL] = "drill",
                                                 [MAP_GIFT_SHIELD] = "shield",
                                                 [MAP_GIFT_WINGS] = "wings"};
    const json_t *property = tiled_property(object, "gives");
    const char *list = json_string_value(property);
    if (!property || (list && !strcmp(list, "any"))) {
        *gifts = (1u << MAP_GIFTS) - 1;
        return true;
    }
    *gifts = 0;
    for (const char *word = list; word;) {
        word += strspn(word, " ");
        size_t length = strcspn(word, ", ");
        uint32_t gift = 0;
        while (gift < MAP_GIFTS && (strlen(NAMES[gift]) != length || strncmp(NAMES[gift], word, length) != 0))
            gift++;
        const char *rest = word + length + strspn(word + length, " ");
        if (gift == MAP_GIFTS || (*rest != 0 && *rest != ',')) {
            *gifts = 0;
            break;
        }
        *gifts |= 1u << gift;
        word = *rest == ',' ? rest + 1 : NULL;
    }
    return *gifts != 0 || tiled_fail(reader, TILED_VALUE,
                                     "gives is '%.40s'; give any, or some of arrows, bomb, drill, shield and wings "
                                     "with commas between them",
                                     list ? list : "no text");
}

static bool read_chest(struct tiled_reader *reader, const json_t *object)
{
    struct map *map = reader->map;
    struct map_chest chest = {0};
    if (!tiled_room(reader, "chests", map->chest_count, MAP_CHEST_CAPACITY) ||
        !tiled_place(reader, object, &chest.x, &chest.y) || !read_gifts(reader, object, &chest.gifts) ||
        !tiled_property_int(reader, object, "respawn_ticks", 0, MAP_TICKS_MAX, &chest.respawn_ticks))
        return false;
    map->chests[map->chest_count++] = chest;
    return true;
}

static bool read_goal(struct tiled_reader *reader, const json_t *object)
{
    struct map *map = reader->map;
    struct df_box box;
    int32_t team = 0;
    if (!tiled_room(reader, "goals", map->goal_count, MAP_GOAL_CAPACITY) || !tiled_box(reader, object, &box) ||
        !tiled_property_int(reader, object, "team", 1, 2, &team))
        return false;
    if (team == 0)
        return tiled_fail(reader, TILED_VALUE, "has no team; add a property 'team', 1 or 2: whose wall it is");
    if (box.x % MAP_EDGE_PX != 0 || box.y % MAP_EDGE_PX != 0 || box.w % MAP_EDGE_PX != 0 || box.h % MAP_EDGE_PX != 0)
        return tiled_fail(reader, TILED_VALUE, "its edges are not on the grid of %d px; snap it to the grid",
                          MAP_EDGE_PX);
    map->goals[map->goal_count++] = (struct map_goal){.team = (uint32_t)team,
                                                      .column = box.x / MAP_EDGE_PX,
                                                      .row = box.y / MAP_EDGE_PX,
                                                      .columns = box.w / MAP_EDGE_PX,
                                                      .rows = box.h / MAP_EDGE_PX};
    return true;
}

// Switches come before what they drive, and a map without a spawn is unsound whatever else it holds: in this order the
// object after which map_validate speaks up is the one to blame.
enum pass { PASS_SPAWNS, PASS_SWITCHES, PASS_REST, PASSES };

static const struct kind {
    const char *type;
    enum shape shape;
    const char *drawn;                                               // as Tiled's tool calls it
    bool (*read)(struct tiled_reader *reader, const json_t *object); // null: read with the movers that follow it
    enum pass pass;
    const char *properties[12];
} KINDS[] = {
    {"spawn", POINT, "a point", read_spawn, PASS_SPAWNS, {"team"}},
    {"mover",
     RECTANGLE,
     "a rectangle",
     tiled_mover,
     PASS_REST,
     {"path", "period_ticks", "mode", "phase_ticks", "group", "oneway", "belt_sub", "rideable"}},
    {"crusher", RECTANGLE, "a rectangle", tiled_crusher, PASS_REST, {"drop_px"}},
    {"door",
     RECTANGLE,
     "a rectangle",
     tiled_door,
     PASS_REST,
     {"channel", "slide_x_px", "slide_y_px", "period_ticks", "group", "oneway", "belt_sub", "rideable"}},
    {"lift",
     RECTANGLE,
     "a rectangle",
     tiled_lift,
     PASS_REST,
     {"channel", "path", "period_ticks", "mode", "phase_ticks", "group", "oneway", "belt_sub", "rideable"}},
    {"conveyor", RECTANGLE, "a rectangle", tiled_conveyor, PASS_REST, {"belt_sub", "oneway"}},
    {"switch", RECTANGLE, "a rectangle", read_switch, PASS_SWITCHES, {"kind", "channel", "hold_ticks"}},
    {"ball", ELLIPSE, "a circle", read_ball, PASS_REST, {"vx_sub", "vy_sub"}},
    {"chest", POINT, "a point", read_chest, PASS_REST, {"gives", "respawn_ticks"}},
    {"goal", RECTANGLE, "a rectangle", read_goal, PASS_REST, {"team"}},
    {"path", POLYLINE, "a polyline", NULL, PASS_REST, {NULL}},
};

static const struct kind *find_kind(const char *type)
{
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (!strcmp(type, KINDS[i].type))
            return &KINDS[i];
    return NULL;
}

static bool read_object(struct tiled_reader *reader, const json_t *object, enum pass pass)
{
    const char *type = tiled_type(object);
    const struct kind *kind = find_kind(!type[0] && shape_of(object) == POLYLINE ? "path" : type);
    tiled_at(reader, "object %lld (%.20s)", (long long)json_integer_value(json_object_get(object, "id")),
             type[0] ? type : "no type");
    if (json_object_get(object, "template"))
        return tiled_fail(reader, TILED_FEATURE, "templates are not read; choose Detach in its menu");
    if (!kind)
        return tiled_fail(
            reader, TILED_VALUE,
            "the type is unknown; give spawn, mover, crusher, door, lift, conveyor, switch, ball, chest, goal "
            "or path, or remove it");
    if (kind->pass != pass)
        return true;
    if (shape_of(object) != kind->shape || json_number_value(json_object_get(object, "rotation")) != 0)
        return tiled_fail(reader, TILED_VALUE, "must be %s that is not rotated; draw it anew", kind->drawn);
    if (!tiled_properties_known(reader, object, kind->properties))
        return false;
    if (!kind->read)
        return true;
    if (!kind->read(reader, object))
        return false;
    const char *fault = map_validate(reader->map);
    return !fault || tiled_fail(reader, TILED_UNSOUND, "%s", fault);
}

static bool read_layer_objects(struct tiled_reader *reader, const json_t *layer, enum pass pass, size_t *count)
{
    const json_t *objects;
    tiled_at(reader, "layer '%.40s'", tiled_text(layer, "name"));
    if (!tiled_array(reader, layer, "objects", &objects))
        return false;
    *count += json_array_size(objects);
    if (*count > TILED_OBJECT_CAPACITY)
        return tiled_fail(reader, TILED_LIMIT, "the map has more than %d objects; remove some", TILED_OBJECT_CAPACITY);
    size_t index;
    const json_t *object;
    json_array_foreach(objects, index, object)
    {
        if (!read_object(reader, object, pass))
            return false;
    }
    return true;
}

static bool read_objects(struct tiled_reader *reader, enum pass pass)
{
    size_t index, count = 0;
    const json_t *layer;
    json_array_foreach(reader->layers, index, layer)
    {
        if (!read_layer_objects(reader, layer, pass, &count))
            return false;
    }
    return true;
}

bool tiled_objects(struct tiled_reader *reader)
{
    if (!read_objects(reader, PASS_SPAWNS))
        return false;
    if (reader->map->spawn_count == 0) {
        tiled_at(reader, "%s", "");
        return tiled_fail(reader, TILED_UNSOUND, "nobody can appear; insert points of type spawn where feet may stand");
    }
    return read_objects(reader, PASS_SWITCHES) && read_objects(reader, PASS_REST);
}
