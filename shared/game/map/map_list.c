// SPDX-License-Identifier: MIT
//
// The lists of a map, one row each: where a list is, how many elements it has, how they travel and what is checked of
// each; and what is done with a whole map by them: map_validate(), every limit and rule that map.h states, and its
// hash.
#include <string.h>

#include "base/hash.h"
#include "map.h"

static bool between(int64_t value, int64_t least, int64_t most)
{
    return value >= least && value <= most;
}

static struct df_tiles tiles_of(const struct map *map)
{
    return (struct df_tiles){.kinds = map->tiles,
                             .columns = map->columns,
                             .rows = map->rows,
                             .edge_px = MAP_EDGE_PX,
                             .outside = (enum df_outside)map->outside};
}

static bool on_tiles(const struct map *map, struct df_box box)
{
    return box.x >= 0 && box.y >= 0 && (int64_t)box.x + box.w <= map->columns * MAP_EDGE_PX &&
           (int64_t)box.y + box.h <= map->rows * MAP_EDGE_PX;
}

struct df_box map_spawn_box(const struct map_spawn *spawn)
{
    return (struct df_box){spawn->x - MAP_BODY_W_PX / 2, spawn->y - MAP_BODY_H_PX, MAP_BODY_W_PX, MAP_BODY_H_PX};
}

static bool check_spawn(const struct map *map, int32_t index, struct error *error)
{
    const struct map_spawn *spawn = &map->spawns[index];
    struct df_tiles tiles = tiles_of(map);
    struct df_box box = map_spawn_box(spawn);
    if (!between(spawn->x, 4, map->columns * MAP_EDGE_PX - 4) || !between(spawn->y, 11, map->rows * MAP_EDGE_PX))
        return error_set(error, "a spawn is outside the map");
    if (!between(spawn->team, 0, 2))
        return error_set(error, "a spawn's team is 0, 1 or 2");
    if (df_tiles_block(&tiles, box) || df_tiles_touch(&tiles, box, DF_TILE_HAZARD))
        return error_set(error, "a spawn is inside a wall or a hazard");
    return true;
}

// --- solids

static bool inside(const struct map *map, int64_t x, int64_t y, int64_t w, int64_t h)
{
    return x >= -MAP_BORDER_PX && y >= -MAP_BORDER_PX && x + w <= (int64_t)map->columns * MAP_EDGE_PX + MAP_BORDER_PX &&
           y + h <= (int64_t)map->rows * MAP_EDGE_PX + MAP_BORDER_PX;
}

static bool has_path(const struct map_solid *solid)
{
    return solid->path_count != 0 || solid->path_first != 0 || solid->period_ticks != 0 || solid->phase_ticks != 0 ||
           solid->path_mode != 0;
}

static bool check_crusher(const struct map *map, const struct map_solid *solid, struct error *error)
{
    struct df_box box = solid->box;
    if (has_path(solid))
        return error_set(error, "a crusher has no path");
    if (solid->group != 0 || solid->oneway != 0 || solid->belt_sub != 0 || solid->slippery != 0)
        return error_set(error, "a crusher is neither one-way nor a belt nor slippery nor in a group");
    if (!between(solid->drop_px, 1, 2048))
        return error_set(error, "a crusher falls 1 to 2048 px");
    if (!inside(map, box.x, box.y, box.w, (int64_t)box.h + solid->drop_px))
        return error_set(error, "a crusher falls out of the map");
    box.h += solid->drop_px;
    if (map->outside == DF_OUTSIDE_WRAP && !on_tiles(map, box))
        return error_set(error, "a crusher in a map that wraps stays within its tiles");
    return true;
}

static bool check_launcher(const struct map_solid *solid, struct error *error)
{
    if (solid->path_count != 0 || solid->path_first != 0 || solid->path_mode != 0)
        return error_set(error, "a launcher has no path");
    if (solid->group != 0 || solid->oneway != 0 || solid->belt_sub != 0 || solid->slippery != 0)
        return error_set(error, "a launcher is neither one-way nor a belt nor slippery nor in a group");
    if (!between(solid->box.w, MAP_EDGE_PX, MAP_SOLID_EDGE_PX_MAX) ||
        !between(solid->box.h, MAP_EDGE_PX, MAP_SOLID_EDGE_PX_MAX))
        return error_set(error, "a launcher is at least %d px wide and high", MAP_EDGE_PX);
    return (between(solid->period_ticks, MAP_LAUNCH_TICKS_MIN, MAP_TICKS_MAX) &&
            between(solid->phase_ticks, 0, solid->period_ticks - 1)) ||
           error_set(error, "a launcher shoots every %d to %d ticks, and the phase is less than the period",
                     MAP_LAUNCH_TICKS_MIN, MAP_TICKS_MAX);
}

// The rules for everything that follows a path.
static bool check_path(const struct map *map, const struct map_solid *solid, struct error *error)
{
    struct df_box box = solid->box;
    if (!between(solid->path_count, 2, MAP_PATH_POINT_CAPACITY) ||
        !between(solid->path_first, 0, map->point_count - solid->path_count))
        return error_set(error, "a path has fewer than 2 points, or points that do not exist");
    if (!between(solid->period_ticks, 2, MAP_TICKS_MAX) || !between(solid->phase_ticks, 0, solid->period_ticks - 1))
        return error_set(error, "a period is 2 to %d ticks, and the phase is less than the period", MAP_TICKS_MAX);
    const struct map_point *points = &map->points[solid->path_first];
    if (points[0].x != 0 || points[0].y != 0)
        return error_set(error, "a path begins at its solid's box");
    for (int32_t i = 0; i < solid->path_count; i++)
        if (!inside(map, (int64_t)box.x + points[i].x, (int64_t)box.y + points[i].y, box.w, box.h))
            return error_set(error, "the path leaves the map");
    int64_t ways = solid->path_mode == MAP_PATH_LOOP ? 1 : 2;
    if (map_path_length_sub(map, solid) * ways > (int64_t)MAP_MOVER_SPEED_SUB_MAX * solid->period_ticks)
        return error_set(error, "it is faster than %d px a tick; give it a longer period",
                         MAP_MOVER_SPEED_SUB_MAX / DF_SUB);
    return true;
}

// Doors and lifts.
static bool check_driven(const struct map *map, const struct map_solid *solid, struct error *error)
{
    if (solid->path_mode >= MAP_PATH_MODES)
        return error_set(error, "a lift's path is neither loop nor ping-pong nor call");
    if (solid->kind == MAP_SOLID_DOOR && (solid->path_mode != MAP_PATH_CALL || solid->path_count != 2))
        return error_set(error, "a door slides from one point to another");
    if (solid->path_mode == MAP_PATH_CALL && (solid->period_ticks % 2 != 0 || solid->phase_ticks != 0))
        return error_set(error, "what a switch calls has an even period and no phase");
    if (!between(solid->channel, 1, MAP_CHANNEL_CAPACITY))
        return error_set(error, "a channel is 1 to %d", MAP_CHANNEL_CAPACITY);
    int32_t i = 0;
    while (i < map->switch_count && map->switches[i].channel != solid->channel)
        i++;
    if (i == map->switch_count)
        return error_set(error, "no switch has its channel; add a switch, or give it the channel of one");
    return check_path(map, solid, error);
}

static bool check_kind(const struct map *map, const struct map_solid *solid, struct error *error)
{
    bool driven = solid->kind == MAP_SOLID_DOOR || solid->kind == MAP_SOLID_LIFT;
    if (!driven && solid->channel != 0)
        return error_set(error, "only doors and lifts have a channel");
    if (solid->kind != MAP_SOLID_CRUSHER && solid->drop_px != 0)
        return error_set(error, "only a crusher drops");
    switch ((enum map_solid_kind)solid->kind) {
    case MAP_SOLID_MOVER:
        if (solid->path_mode > MAP_PATH_PINGPONG)
            return error_set(error, "a mover's path is neither loop nor ping-pong");
        return check_path(map, solid, error);
    case MAP_SOLID_CRUSHER:
        return check_crusher(map, solid, error);
    case MAP_SOLID_DOOR:
    case MAP_SOLID_LIFT:
        return check_driven(map, solid, error);
    case MAP_SOLID_CONVEYOR:
        if (has_path(solid) || solid->group != 0)
            return error_set(error, "a conveyor has neither path nor group; give a mover a belt");
        return solid->belt_sub != 0 || error_set(error, "a conveyor stands still; give it a belt");
    case MAP_SOLID_LAUNCHER_LEFT:
    case MAP_SOLID_LAUNCHER_RIGHT:
    case MAP_SOLID_LAUNCHER_DOWN:
        return check_launcher(solid, error);
    case MAP_SOLID_KINDS:
        break;
    }
    return error_set(error, "a solid is of an unknown kind");
}

// Whether a solid fits the solids of its group before it.
static bool check_group(const struct map *map, int32_t last, struct error *error)
{
    const struct map_solid *solid = &map->solids[last];
    if (solid->group > MAP_SOLID_CAPACITY)
        return error_set(error, "a group has a number from 1 to %d", MAP_SOLID_CAPACITY);
    int32_t members = 0;
    for (int32_t i = 0; i <= last && solid->group != 0; i++) {
        const struct map_solid *other = &map->solids[i];
        if (other->group != solid->group)
            continue;
        if (other->kind != solid->kind || other->channel != solid->channel || other->path_mode != solid->path_mode ||
            other->path_count != solid->path_count || other->period_ticks != solid->period_ticks ||
            other->phase_ticks != solid->phase_ticks ||
            memcmp(&map->points[other->path_first], &map->points[solid->path_first],
                   (size_t)solid->path_count * sizeof map->points[0]) != 0)
            return error_set(error, "solids of one group must have the same kind, channel, path, period and phase");
        if (++members > DF_GROUP_CAPACITY)
            return error_set(error, "a group has at most %d solids", DF_GROUP_CAPACITY);
    }
    return true;
}

static bool check_solid(const struct map *map, int32_t index, struct error *error)
{
    const struct map_solid *solid = &map->solids[index];
    if (solid->kind >= MAP_SOLID_KINDS || solid->oneway > 1 || solid->slippery > 1)
        return error_set(error, "a solid is of an unknown kind");
    if (!between(solid->box.w, 1, MAP_SOLID_EDGE_PX_MAX) || !between(solid->box.h, 1, MAP_SOLID_EDGE_PX_MAX) ||
        !inside(map, solid->box.x, solid->box.y, solid->box.w, solid->box.h))
        return error_set(error, "a solid is outside the map, or larger than %d px", MAP_SOLID_EDGE_PX_MAX);
    if (map->outside == DF_OUTSIDE_WRAP &&
        (solid->box.w >= map->columns * MAP_EDGE_PX || solid->box.h >= map->rows * MAP_EDGE_PX))
        return error_set(error, "a solid in a map that wraps is smaller than the map");
    if (!between(solid->belt_sub, -MAP_BELT_SPEED_SUB_MAX, MAP_BELT_SPEED_SUB_MAX))
        return error_set(error, "a belt runs at most %d sub per tick", MAP_BELT_SPEED_SUB_MAX);
    if (solid->belt_sub != 0 && solid->slippery != 0)
        return error_set(error, "a belt is not slippery");
    return check_kind(map, solid, error) && check_group(map, index, error);
}

// --- everything else

static bool check_ball(const struct map *map, int32_t index, struct error *error)
{
    const struct map_ball *ball = &map->balls[index];
    int32_t r = ball->radius_px;
    if (!between(r, 2, 32))
        return error_set(error, "a ball's radius is 2 to 32 px");
    if (!between(ball->cx, r, map->columns * MAP_EDGE_PX - r) || !between(ball->cy, r, map->rows * MAP_EDGE_PX - r))
        return error_set(error, "a ball starts outside the map");
    if (!between(ball->vx, -MAP_BALL_SPEED_SUB_MAX, MAP_BALL_SPEED_SUB_MAX) ||
        !between(ball->vy, -MAP_BALL_SPEED_SUB_MAX, MAP_BALL_SPEED_SUB_MAX))
        return error_set(error, "a ball starts with at most %d sub per tick on each axis", MAP_BALL_SPEED_SUB_MAX);
    return true;
}

static bool check_switch(const struct map *map, int32_t index, struct error *error)
{
    const struct map_switch *s = &map->switches[index];
    if (s->kind >= MAP_SWITCH_KINDS)
        return error_set(error, "a switch is of an unknown kind");
    if (!between(s->box.w, MAP_SWITCH_EDGE_PX_MIN, MAP_SOLID_EDGE_PX_MAX) ||
        !between(s->box.h, MAP_SWITCH_EDGE_PX_MIN, MAP_SOLID_EDGE_PX_MAX) || !on_tiles(map, s->box))
        return error_set(error, "a switch is at least %d px wide and high, and within the tiles",
                         MAP_SWITCH_EDGE_PX_MIN);
    if (!between(s->channel, 1, MAP_CHANNEL_CAPACITY))
        return error_set(error, "a channel is 1 to %d", MAP_CHANNEL_CAPACITY);
    if (!between(s->hold_ticks, 0, MAP_TICKS_MAX))
        return error_set(error, "a switch holds for 0 to %d ticks", MAP_TICKS_MAX);
    if (s->kind >= MAP_SWITCH_TARGET && s->hold_ticks != 0)
        return error_set(error, "a target or a flag stays on for good, and holds for 0 ticks");
    return true;
}

struct df_box map_chest_box(const struct map_chest *chest)
{
    return (struct df_box){chest->x - MAP_CHEST_W_PX / 2, chest->y - MAP_CHEST_H_PX, MAP_CHEST_W_PX, MAP_CHEST_H_PX};
}

static bool check_chest(const struct map *map, int32_t index, struct error *error)
{
    const struct map_chest *chest = &map->chests[index];
    struct df_tiles tiles = tiles_of(map);
    if (!between(chest->x, 0, map->columns * MAP_EDGE_PX) || !between(chest->y, 0, map->rows * MAP_EDGE_PX) ||
        !on_tiles(map, map_chest_box(chest)))
        return error_set(error, "a chest is outside the map");
    if (df_tiles_block(&tiles, map_chest_box(chest)))
        return error_set(error, "a chest is inside a wall");
    if (!between(chest->gifts, 1, MAP_GIFTS_ANY))
        return error_set(error, "a chest gives nothing, or something unknown");
    if (!between(chest->respawn_ticks, 0, MAP_TICKS_MAX))
        return error_set(error, "a chest comes back after at most %d ticks", MAP_TICKS_MAX);
    return true;
}

static bool check_goal(const struct map *map, int32_t index, struct error *error)
{
    const struct map_goal *goal = &map->goals[index];
    if (!between(goal->team, 1, 2))
        return error_set(error, "a goal's team is 1 or 2");
    if (!between(goal->column, 0, map->columns - 1) || !between(goal->row, 0, map->rows - 1) ||
        !between(goal->columns, 1, map->columns - goal->column) || !between(goal->rows, 1, map->rows - goal->row))
        return error_set(error, "a goal is outside the map");
    bool has_block = false;
    for (int32_t row = goal->row; row < goal->row + goal->rows; row++)
        for (int32_t column = goal->column; column < goal->column + goal->columns; column++)
            has_block |= map->tiles[row * map->columns + column] == DF_TILE_BLOCK;
    if (!has_block)
        return error_set(error, "a goal has no block to break");
    struct df_box box = {goal->column, goal->row, goal->columns, goal->rows};
    for (const struct map_goal *other = map->goals; other < goal; other++)
        if (df_box_overlaps(box, (struct df_box){other->column, other->row, other->columns, other->rows}))
            return error_set(error, "goals overlap");
    return true;
}

// --- the table

// `letters` has a letter for each field of an element; else the array has a negative size.
#define LIST(array, count, letters)                                                                                    \
    .count_offset = offsetof(struct map, count), .offset = offsetof(struct map, array), .fields = (letters),           \
    .words = sizeof(letters) - 1 +                                                                                     \
             0 * sizeof(char[4 * (sizeof(letters) - 1) == sizeof(((struct map *)0)->array[0]) ? 1 : -1]),              \
    .most = sizeof(((struct map *)0)->array) / sizeof(((struct map *)0)->array[0])

const struct map_list_row MAP_LIST_TABLE[MAP_LISTS] = {
    [MAP_SPAWNS] = {"spawns", LIST(spawns, spawn_count, "sss"), .least = 1, .check = check_spawn},
    [MAP_SOLIDS] = {"solids", LIST(solids, solid_count, "uuussssusssssusu"), .check = check_solid},
    [MAP_POINTS] = {"points in all paths together", LIST(points, point_count, "ss")},
    [MAP_BALLS] = {"balls", LIST(balls, ball_count, "sssss"), .check = check_ball},
    [MAP_SWITCHES] = {"switches", LIST(switches, switch_count, "ussssus"), .check = check_switch},
    [MAP_CHESTS] = {"chests", LIST(chests, chest_count, "ssus"), .check = check_chest},
    [MAP_GOALS] = {"goals", LIST(goals, goal_count, "ussss"), .check = check_goal},
};

int32_t *map_list_count(struct map *map, enum map_list list)
{
    return (int32_t *)(void *)((char *)map + MAP_LIST_TABLE[list].count_offset);
}

uint32_t *map_list_words(struct map *map, enum map_list list)
{
    return (uint32_t *)(void *)((char *)map + MAP_LIST_TABLE[list].offset);
}

static bool check_head(const struct map *map, struct error *error)
{
    if (map->name[0] == 0 || map->name[MAP_NAME_CAPACITY - 1] != 0)
        return error_set(error, "the map's name must have 1 to %d characters", MAP_NAME_CAPACITY - 1);
    size_t length = strlen(map->name);
    for (size_t i = 0; i < sizeof map->name; i++) {
        char c = map->name[i];
        if (i < length ? !((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-') : c != 0)
            return error_set(error, "the map's name may hold only a-z, 0-9, _ and -");
    }
    if (map->theme >= MAP_THEMES)
        return error_set(error, "the map's theme is unknown");
    if (map->outside > DF_OUTSIDE_WRAP)
        return error_set(error, "the map's outside must be solid, empty or wrap");
    if (!between(map->columns, 4, MAP_SIDE_CAPACITY) || !between(map->rows, 4, MAP_SIDE_CAPACITY))
        return error_set(error, "a map has 4 to %d columns and rows", MAP_SIDE_CAPACITY);
    if (!between(map->block_return_ticks, 0, MAP_TICKS_MAX))
        return error_set(error, "blocks come back after at most %d ticks", MAP_TICKS_MAX);
    return true;
}

bool map_validate(const struct map *map, struct error *error)
{
    struct map *same = (struct map *)map; // which the walk over its lists does not change
    if (!check_head(map, error))
        return false;
    for (enum map_list list = 0; list < MAP_LISTS; list++) {
        const struct map_list_row *row = &MAP_LIST_TABLE[list];
        if (!between(*map_list_count(same, list), row->least, row->most))
            return error_set(error, "a map has %d to %d %s", row->least, row->most, row->things);
    }
    size_t used = (size_t)(map->columns * map->rows), rest = MAP_TILE_CAPACITY - used;
    const uint8_t *beyond = map->tiles + used;
    for (size_t i = 0; i < used; i++)
        if (map->tiles[i] >= DF_TILE_KINDS)
            return error_set(error, "a tile is of an unknown kind");
    // Bytes that all equal the one before them equal the first: memcmp() compares many at a time.
    if (rest > 0 && (beyond[0] != 0 || memcmp(beyond, beyond + 1, rest - 1) != 0))
        return error_set(error, "tiles beyond the map's columns and rows must be zero");
    for (enum map_list list = 0; list < MAP_LISTS; list++)
        for (int32_t i = 0; MAP_LIST_TABLE[list].check != NULL && i < *map_list_count(same, list); i++)
            if (!MAP_LIST_TABLE[list].check(map, i, error))
                return false;
    return true;
}

static void hash_bytes(struct hash *hash, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t word = bytes[i];
        hash_words(hash, &word, 1);
    }
}

uint64_t map_hash(const struct map *map)
{
    _Static_assert(offsetof(struct map, tiles) == offsetof(struct map, columns) + 4 * (3 + MAP_LISTS), "all is hashed");
    struct hash hash = hash_begin();
    hash_bytes(&hash, (const uint8_t *)map->name, sizeof map->name);
    hash_words(&hash, &map->theme, 2);
    hash_words(&hash, (const uint32_t *)&map->columns, 3 + MAP_LISTS); // and the counts
    hash_bytes(&hash, map->tiles, (size_t)(map->columns * map->rows));
    struct map *same = (struct map *)map; // which the walk over its lists does not change
    for (enum map_list list = 0; list < MAP_LISTS; list++)
        hash_words(&hash, map_list_words(same, list), (size_t)*map_list_count(same, list) * MAP_LIST_TABLE[list].words);
    return hash_end(&hash);
}
