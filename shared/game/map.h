// SPDX-License-Identifier: MIT
//
// The canonical map: tiles, spawns, moving solids with their paths, traps and balls. Constant during a
// match; filled by a reader (Tiled) or decoded from its blob (wire/map_blob.h). Everything is bounded.
#ifndef GAME_MAP_H
#define GAME_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "physics/physics.h"

/// Limits of a map. A reader refuses more, with the limit in its sentence.
#define MAP_EDGE_PX             8   ///< edge of a tile, px
#define MAP_SIDE_CAPACITY       256 ///< columns, and rows
#define MAP_TILE_CAPACITY       (MAP_SIDE_CAPACITY * MAP_SIDE_CAPACITY)
#define MAP_SPAWN_CAPACITY      64
#define MAP_SOLID_CAPACITY      128
#define MAP_PATH_POINT_CAPACITY 512
#define MAP_BALL_CAPACITY       16
#define MAP_NAME_CAPACITY       32   ///< bytes of a name with its final zero
#define MAP_BORDER_PX           256  ///< by which moving solids may leave the grid
#define MAP_MOVER_SPEED_SUB_MAX 2048 ///< speed of a mover along its path, sub per tick
#define MAP_BALL_SPEED_SUB_MAX  1536 ///< speed of a ball at the start, each axis, sub per tick

/// Where players appear: the middle of their feet.
struct map_spawn {
    int32_t x, y; ///< px
    int32_t team; ///< 0 any, else 1 or 2
};

/// What a solid of the map does.
enum map_solid_kind {
    MAP_SOLID_MOVER,   ///< follows its path for ever
    MAP_SOLID_CRUSHER, ///< a deadfall: falls when someone is beneath, rests, rises
};

/// How a path goes on at its end.
enum map_path_mode {
    MAP_PATH_LOOP,     ///< the last point leads back to the first
    MAP_PATH_PINGPONG, ///< back the way it came
};

/// One moving solid. Its place at tick t is a pure function of the map and t (a crusher's: of the world).
struct map_solid {
    uint32_t kind;        ///< enum map_solid_kind
    uint32_t oneway;      ///< 1: a moving one-way platform
    uint32_t group;       ///< movers of the same group (1 to 128) and equal path travel as one rigid body; 0: alone
    struct df_box box;    ///< at the path's first point, which is 0, 0; a crusher's: at rest above, px
    uint32_t path_mode;   ///< enum map_path_mode
    int32_t path_first;   ///< index of its first point in `points`; points are offsets from box.x, box.y
    int32_t path_count;   ///< points, 2 or more for a mover, 0 for a crusher
    int32_t period_ticks; ///< ticks for one full loop, or for there and back, 2 to 36,000
    int32_t phase_ticks;  ///< added to the tick, 0 to period_ticks - 1
    int32_t drop_px;      ///< how far a crusher falls, 1 to 2,048; 0 for a mover
};

/// A point of a path, relative to the solid's box, px.
struct map_point {
    int32_t x, y;
};

/// Where a ball starts and comes back to.
struct map_ball {
    int32_t cx, cy;    ///< centre, px
    int32_t radius_px; ///< 2 to 32
    int32_t vx, vy;    ///< at the start, sub per tick
};

/// The look of a map; the client knows a palette and a backdrop for each.
enum map_theme {
    MAP_THEME_FOUNDRY,
    MAP_THEME_CLOCKWORK,
    MAP_THEME_SKYLINE,
    MAP_THEME_BREAKOUT,
    MAP_THEME_SNOW,
    MAP_THEME_DESERT,
    MAP_THEMES
};

/// A whole map. About 80 KB; allocate it once, or keep it static in a main.
struct map {
    char name[MAP_NAME_CAPACITY]; ///< [a-z0-9_-], zero-padded
    uint32_t theme;               ///< enum map_theme
    uint32_t outside;             ///< enum df_outside
    int32_t columns, rows;        ///< tiles, 4 to MAP_SIDE_CAPACITY
    int32_t spawn_count, solid_count, point_count, ball_count;
    uint8_t tiles[MAP_TILE_CAPACITY]; ///< enum df_tile, row by row, columns * rows of them, the rest zero
    struct map_spawn spawns[MAP_SPAWN_CAPACITY];
    struct map_solid solids[MAP_SOLID_CAPACITY];
    struct map_point points[MAP_PATH_POINT_CAPACITY];
    struct map_ball balls[MAP_BALL_CAPACITY];
};

/// The box of a player who stands on a spawn.
struct df_box map_spawn_box(const struct map_spawn *spawn);

/// Null if the map keeps every limit and rule above and has a free spawn, else the sentence that says what is wrong.
/// Readers and decoders call it last, so that a map in memory is always sound.
const char *map_fault(const struct map *map);

/// 64-bit hash of the map's content, the same on every machine; names the map in packets and replays.
uint64_t map_hash(const struct map *map);

/// Offset of a mover from its box at a tick, in sub; piecewise linear at constant speed along the path, exact and
/// periodic.
void map_path_offset(const struct map *map, const struct map_solid *solid, uint32_t tick, int32_t *dx_sub,
                     int32_t *dy_sub);

#endif
