// SPDX-License-Identifier: MIT
//
// map_validate: every limit and rule that map.h states, one check for each table of the map.
#include <string.h>

#include "map.h"

static bool between(int64_t value, int64_t least, int64_t most)
{
    return value >= least && value <= most;
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

static bool check_counts(const struct map *map, struct error *error)
{
    const struct {
        const char *things;
        int32_t count, least, most;
    } rows[] = {
        {"spawns", map->spawn_count, 1, MAP_SPAWN_CAPACITY},
        {"solids", map->solid_count, 0, MAP_SOLID_CAPACITY},
        {"points in all paths together", map->point_count, 0, MAP_PATH_POINT_CAPACITY},
        {"balls", map->ball_count, 0, MAP_BALL_CAPACITY},
        {"switches", map->switch_count, 0, MAP_SWITCH_CAPACITY},
        {"chests", map->chest_count, 0, MAP_CHEST_CAPACITY},
        {"goals", map->goal_count, 0, MAP_GOAL_CAPACITY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!between(rows[i].count, rows[i].least, rows[i].most))
            return error_set(error, "a map has %d to %d %s", rows[i].least, rows[i].most, rows[i].things);
    return true;
}

static bool check_tiles(const struct map *map, struct error *error)
{
    size_t used = (size_t)(map->columns * map->rows), rest = MAP_TILE_CAPACITY - used;
    const uint8_t *beyond = map->tiles + used;
    for (size_t i = 0; i < used; i++)
        if (map->tiles[i] >= DF_TILE_KINDS)
            return error_set(error, "a tile is of an unknown kind");
    // Bytes that all equal the one before them equal the first: memcmp() compares many at a time.
    if (rest > 0 && (beyond[0] != 0 || memcmp(beyond, beyond + 1, rest - 1) != 0))
        return error_set(error, "tiles beyond the map's columns and rows must be zero");
    return true;
}

static bool inside(const struct map *map, int64_t x, int64_t y, int64_t w, int64_t h)
{
    return x >= -MAP_BORDER_PX && y >= -MAP_BORDER_PX && x + w <= (int64_t)map->columns * MAP_EDGE_PX + MAP_BORDER_PX &&
           y + h <= (int64_t)map->rows * MAP_EDGE_PX + MAP_BORDER_PX;
}

static bool same_path(const struct map *map, const struct map_solid *a, const struct map_solid *b)
{
    return a->kind == b->kind && a->channel == b->channel && a->path_mode == b->path_mode &&
           a->path_count == b->path_count && a->period_ticks == b->period_ticks && a->phase_ticks == b->phase_ticks &&
           memcmp(&map->points[a->path_first], &map->points[b->path_first],
                  (size_t)a->path_count * sizeof map->points[0]) == 0;
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
    if (map->outside == DF_OUTSIDE_WRAP && (box.x < 0 || box.y < 0 || box.x + box.w > map->columns * MAP_EDGE_PX ||
                                            box.y + box.h + solid->drop_px > map->rows * MAP_EDGE_PX))
        return error_set(error, "a crusher in a map that wraps stays within its tiles");
    return true;
}

static bool check_conveyor(const struct map_solid *solid, struct error *error)
{
    if (has_path(solid) || solid->group != 0)
        return error_set(error, "a conveyor has neither path nor group; give a mover a belt");
    return solid->belt_sub != 0 || error_set(error, "a conveyor stands still; give it a belt");
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

static bool check_mover(const struct map *map, const struct map_solid *solid, struct error *error)
{
    if (solid->path_mode > MAP_PATH_PINGPONG)
        return error_set(error, "a mover's path is neither loop nor ping-pong");
    return check_path(map, solid, error);
}

static bool has_switch(const struct map *map, uint32_t channel)
{
    for (int32_t i = 0; i < map->switch_count; i++)
        if (map->switches[i].channel == channel)
            return true;
    return false;
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
    if (!has_switch(map, solid->channel))
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
        return check_mover(map, solid, error);
    case MAP_SOLID_CRUSHER:
        return check_crusher(map, solid, error);
    case MAP_SOLID_DOOR:
    case MAP_SOLID_LIFT:
        return check_driven(map, solid, error);
    case MAP_SOLID_CONVEYOR:
        return check_conveyor(solid, error);
    case MAP_SOLID_LAUNCHER_LEFT:
    case MAP_SOLID_LAUNCHER_RIGHT:
    case MAP_SOLID_LAUNCHER_DOWN:
        return check_launcher(solid, error);
    case MAP_SOLID_KINDS:
        break;
    }
    return error_set(error, "a solid is of an unknown kind");
}

static bool check_shape(const struct map *map, const struct map_solid *solid, struct error *error)
{
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
    return true;
}

static bool check_group(const struct map *map, int32_t last, struct error *error)
{
    const struct map_solid *solid = &map->solids[last];
    if (solid->group > MAP_SOLID_CAPACITY)
        return error_set(error, "a group has a number from 1 to %d", MAP_SOLID_CAPACITY);
    int32_t members = 0;
    for (int32_t i = 0; i <= last && solid->group != 0; i++) {
        if (map->solids[i].group != solid->group)
            continue;
        if (!same_path(map, &map->solids[i], solid))
            return error_set(error, "solids of one group must have the same kind, channel, path, period and phase");
        if (++members > DF_GROUP_CAPACITY)
            return error_set(error, "a group has at most %d solids", DF_GROUP_CAPACITY);
    }
    return true;
}

static bool check_solids(const struct map *map, struct error *error)
{
    for (int32_t i = 0; i < map->solid_count; i++)
        if (!check_shape(map, &map->solids[i], error) || !check_kind(map, &map->solids[i], error) ||
            !check_group(map, i, error))
            return false;
    return true;
}

static bool on_tiles(const struct map *map, struct df_box box)
{
    return box.x >= 0 && box.y >= 0 && (int64_t)box.x + box.w <= map->columns * MAP_EDGE_PX &&
           (int64_t)box.y + box.h <= map->rows * MAP_EDGE_PX;
}

static bool check_switches(const struct map *map, struct error *error)
{
    for (int32_t i = 0; i < map->switch_count; i++) {
        const struct map_switch *s = &map->switches[i];
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
    }
    return true;
}

static struct df_tiles tiles_of(const struct map *map)
{
    return (struct df_tiles){.kinds = map->tiles,
                             .columns = map->columns,
                             .rows = map->rows,
                             .edge_px = MAP_EDGE_PX,
                             .outside = (enum df_outside)map->outside};
}

static bool check_chests(const struct map *map, struct error *error)
{
    struct df_tiles tiles = tiles_of(map);
    for (int32_t i = 0; i < map->chest_count; i++) {
        const struct map_chest *chest = &map->chests[i];
        if (!between(chest->x, 0, map->columns * MAP_EDGE_PX) || !between(chest->y, 0, map->rows * MAP_EDGE_PX) ||
            !on_tiles(map, map_chest_box(chest)))
            return error_set(error, "a chest is outside the map");
        if (df_tiles_block(&tiles, map_chest_box(chest)))
            return error_set(error, "a chest is inside a wall");
        if (!between(chest->gifts, 1, MAP_GIFTS_ANY))
            return error_set(error, "a chest gives nothing, or something unknown");
        if (!between(chest->respawn_ticks, 0, MAP_TICKS_MAX))
            return error_set(error, "a chest comes back after at most %d ticks", MAP_TICKS_MAX);
    }
    return true;
}

static bool has_block(const struct map *map, const struct map_goal *goal)
{
    for (int32_t row = goal->row; row < goal->row + goal->rows; row++)
        for (int32_t column = goal->column; column < goal->column + goal->columns; column++)
            if (map->tiles[row * map->columns + column] == DF_TILE_BLOCK)
                return true;
    return false;
}

static bool goals_overlap(const struct map_goal *a, const struct map_goal *b)
{
    return df_box_overlaps((struct df_box){a->column, a->row, a->columns, a->rows},
                           (struct df_box){b->column, b->row, b->columns, b->rows});
}

static bool check_goals(const struct map *map, struct error *error)
{
    for (int32_t i = 0; i < map->goal_count; i++) {
        const struct map_goal *goal = &map->goals[i];
        if (!between(goal->team, 1, 2))
            return error_set(error, "a goal's team is 1 or 2");
        if (!between(goal->column, 0, map->columns - 1) || !between(goal->row, 0, map->rows - 1) ||
            !between(goal->columns, 1, map->columns - goal->column) || !between(goal->rows, 1, map->rows - goal->row))
            return error_set(error, "a goal is outside the map");
        if (!has_block(map, goal))
            return error_set(error, "a goal has no block to break");
        for (int32_t k = 0; k < i; k++)
            if (goals_overlap(goal, &map->goals[k]))
                return error_set(error, "goals overlap");
    }
    return true;
}

static bool check_balls(const struct map *map, struct error *error)
{
    for (int32_t i = 0; i < map->ball_count; i++) {
        const struct map_ball *ball = &map->balls[i];
        int32_t r = ball->radius_px;
        if (!between(r, 2, 32))
            return error_set(error, "a ball's radius is 2 to 32 px");
        if (!between(ball->cx, r, map->columns * MAP_EDGE_PX - r) || !between(ball->cy, r, map->rows * MAP_EDGE_PX - r))
            return error_set(error, "a ball starts outside the map");
        if (!between(ball->vx, -MAP_BALL_SPEED_SUB_MAX, MAP_BALL_SPEED_SUB_MAX) ||
            !between(ball->vy, -MAP_BALL_SPEED_SUB_MAX, MAP_BALL_SPEED_SUB_MAX))
            return error_set(error, "a ball starts with at most %d sub per tick on each axis", MAP_BALL_SPEED_SUB_MAX);
    }
    return true;
}

static bool spawn_is_free(const struct map *map, const struct map_spawn *spawn)
{
    struct df_tiles tiles = tiles_of(map);
    struct df_box box = map_spawn_box(spawn);
    return !df_tiles_block(&tiles, box) && !df_tiles_touch(&tiles, box, DF_TILE_HAZARD);
}

static bool check_spawns(const struct map *map, struct error *error)
{
    for (int32_t i = 0; i < map->spawn_count; i++) {
        const struct map_spawn *spawn = &map->spawns[i];
        if (!between(spawn->x, 4, map->columns * MAP_EDGE_PX - 4) || !between(spawn->y, 11, map->rows * MAP_EDGE_PX))
            return error_set(error, "a spawn is outside the map");
        if (!between(spawn->team, 0, 2))
            return error_set(error, "a spawn's team is 0, 1 or 2");
        if (!spawn_is_free(map, spawn))
            return error_set(error, "a spawn is inside a wall or a hazard");
    }
    return true;
}

bool map_validate(const struct map *map, struct error *error)
{
    return check_head(map, error) && check_counts(map, error) && check_tiles(map, error) &&
           check_switches(map, error) && check_solids(map, error) && check_balls(map, error) &&
           check_spawns(map, error) && check_chests(map, error) && check_goals(map, error);
}
