// SPDX-License-Identifier: MIT
//
// The canonical map: tiles, spawns, solids with their paths, the switches that drive them, balls, chests and goals. It
// does not change during a match. The Tiled reader fills it, or map_blob.h decodes it. Everything is bounded.
#ifndef MAP_MAP
#define MAP_MAP

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../physics/physics.h"
#include "base/error.h"

/// Limits of a map. A reader refuses more and names the limit.
#define MAP_EDGE_PX             8   ///< edge of a tile, px
#define MAP_SIDE_CAPACITY       256 ///< columns, and rows
#define MAP_TILE_CAPACITY       (MAP_SIDE_CAPACITY * MAP_SIDE_CAPACITY)
#define MAP_SPAWN_CAPACITY      64
#define MAP_SOLID_CAPACITY      128
#define MAP_PATH_POINT_CAPACITY 512
#define MAP_BALL_CAPACITY       16
#define MAP_SWITCH_CAPACITY     32
#define MAP_CHANNEL_CAPACITY    32 ///< channels are 1 to this
#define MAP_CHEST_CAPACITY      32
#define MAP_GOAL_CAPACITY       8
#define MAP_NAME_CAPACITY       32    ///< bytes of a name with its final zero
#define MAP_BORDER_PX           256   ///< how far moving solids may leave the grid
#define MAP_SOLID_EDGE_PX_MAX   2048  ///< width and height of a solid
#define MAP_TICKS_MAX           36000 ///< longest period, hold or return: ten minutes
#define MAP_MOVER_SPEED_SUB_MAX 2048  ///< speed along a path, sub per tick
#define MAP_BELT_SPEED_SUB_MAX  768   ///< speed of a solid's surface, sub per tick
#define MAP_BALL_SPEED_SUB_MAX  1536  ///< speed of a ball at the start, each axis, sub per tick
#define MAP_SWITCH_EDGE_PX_MIN  8     ///< width and height of a switch, so that no arrow flies through it unseen
#define MAP_LAUNCH_TICKS_MIN    15    ///< shortest period of a launcher: as a player can shoot

/// Sizes of the things that a map puts into its world; a spawn and a chest need that much room.
#define MAP_BODY_W_PX  8
#define MAP_BODY_H_PX  11
#define MAP_CHEST_W_PX 10
#define MAP_CHEST_H_PX 8

/// Where players appear: the middle of their feet.
struct map_spawn {
    int32_t x, y; ///< px
    int32_t team; ///< 0 any, else 1 or 2
};

/// What a solid of the map does.
enum map_solid_kind {
    MAP_SOLID_MOVER,         ///< always follows its path
    MAP_SOLID_CRUSHER,       ///< a deadfall: falls when a player is beneath, rests, rises
    MAP_SOLID_DOOR,          ///< slides to the end of its path while its channel is on, and back while it is off
    MAP_SOLID_LIFT,          ///< follows its path while its channel is on
    MAP_SOLID_CONVEYOR,      ///< stays where it is; its surface moves
    MAP_SOLID_LAUNCHER_LEFT, ///< stays where it is, and shoots an arrow to that side once a period
    MAP_SOLID_LAUNCHER_RIGHT,
    MAP_SOLID_LAUNCHER_DOWN,
    MAP_SOLID_KINDS
};

/// What happens at the end of a path.
enum map_path_mode {
    MAP_PATH_LOOP,     ///< the last point leads back to the first
    MAP_PATH_PINGPONG, ///< back the way it came
    MAP_PATH_CALL, ///< only doors and lifts: to the last point while the channel is on, to the first while it is off
    MAP_PATH_MODES
};

/// A solid that is not a tile. The position of a mover is a pure function of the map and the tick; that of a crusher,
/// door or lift is part of the world.
struct map_solid {
    uint32_t kind;   ///< enum map_solid_kind
    uint32_t oneway; ///< 1: a one-way platform
    uint32_t group;  ///< solids of the same group (1 to 128), kind, path and channel travel as one rigid body; 0: alone
    struct df_box box;    ///< at the path's first point, which is 0, 0; a crusher's: at rest above, px
    uint32_t path_mode;   ///< enum map_path_mode; 0 without a path
    int32_t path_first;   ///< index of its first point in `points`; points are offsets from box.x, box.y
    int32_t path_count;   ///< points: 2 or more; 0 for a crusher and a conveyor, which have no path
    int32_t period_ticks; ///< for one full loop, or for both ways, 2 to MAP_TICKS_MAX; even with MAP_PATH_CALL; of a
                          ///< launcher between two shots, MAP_LAUNCH_TICKS_MIN to MAP_TICKS_MAX
    int32_t phase_ticks;  ///< added to its clock, 0 to period_ticks - 1; 0 with MAP_PATH_CALL
    int32_t drop_px;      ///< how far a crusher falls, 1 to 2,048; else 0
    uint32_t channel;     ///< drives a door or lift, 1 to MAP_CHANNEL_CAPACITY; else 0
    int32_t belt_sub;     ///< speed of its surface, which carries players, sub per tick, right is positive;
                          ///< 0: none; never 0 for a conveyor, always 0 for a crusher
    uint32_t slippery;    ///< 1: it pushes, but does not carry players (its path is not rideable)
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

/// What turns a switch on.
enum map_switch_kind {
    MAP_SWITCH_PLATE,  ///< on while a living player touches it
    MAP_SWITCH_LEVER,  ///< each arrow that hits it switches it over
    MAP_SWITCH_TARGET, ///< the first arrow or ball that hits it turns it on for good
    MAP_SWITCH_FLAG,   ///< the first living player who touches it turns it on for good
    MAP_SWITCH_KINDS
};

/// Returns whether a solid is a launcher of any direction.
static inline bool map_is_launcher(const struct map_solid *solid)
{
    return solid->kind >= MAP_SOLID_LAUNCHER_LEFT && solid->kind <= MAP_SOLID_LAUNCHER_DOWN;
}

/// A switch on the map. A channel is on while any switch of it is on.
struct map_switch {
    uint32_t kind;      ///< enum map_switch_kind
    struct df_box box;  ///< the area to touch or hit, px
    uint32_t channel;   ///< 1 to MAP_CHANNEL_CAPACITY
    int32_t hold_ticks; ///< how long a plate stays on after the last touch, and a lever after a hit, 0 to
                        ///< MAP_TICKS_MAX; a lever with 0 waits for the next hit; 0 of a target and a flag
};

/// What a chest can give (game/gift.h); bit n of map_chest.gifts stands for gift n.
enum map_gift {
    MAP_GIFT_ARROWS,
    MAP_GIFT_BOMB,
    MAP_GIFT_DRILL,
    MAP_GIFT_SHIELD,
    MAP_GIFT_WINGS,
    MAP_GIFT_MAGNET,
    MAP_GIFTS
};

/// The bits of all gifts.
#define MAP_GIFTS_ANY ((1u << MAP_GIFTS) - 1)

/// Where a chest appears: the middle of its foot.
struct map_chest {
    int32_t x, y;          ///< px
    uint32_t gifts;        ///< bits of the gifts that it can give, at least one
    int32_t respawn_ticks; ///< from its opening until it comes back, 1 to MAP_TICKS_MAX; 0: as TUNING says
};

/// A rectangle of tiles; the blocks in it are the wall of a team.
struct map_goal {
    uint32_t team;       ///< 1 or 2, the team that defends it
    int32_t column, row; ///< of its top left tile
    int32_t columns, rows;
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

/// A whole map: its tiles, and its lists (map_list.c). About 84 KB; allocate it once, or keep it static in a main.
struct map {
    char name[MAP_NAME_CAPACITY]; ///< [a-z0-9_-], zero-padded
    uint32_t theme;               ///< enum map_theme
    uint32_t outside;             ///< enum df_outside
    int32_t columns, rows;        ///< tiles, 4 to MAP_SIDE_CAPACITY
    int32_t block_return_ticks;   ///< until a broken block comes back, up to MAP_TICKS_MAX; 0: as the mode says
    int32_t spawn_count, solid_count, point_count, ball_count, switch_count, chest_count, goal_count;
    uint8_t tiles[MAP_TILE_CAPACITY]; ///< enum df_tile, row by row, columns * rows of them, the rest zero
    struct map_spawn spawns[MAP_SPAWN_CAPACITY];
    struct map_solid solids[MAP_SOLID_CAPACITY];
    struct map_point points[MAP_PATH_POINT_CAPACITY];
    struct map_ball balls[MAP_BALL_CAPACITY];
    struct map_switch switches[MAP_SWITCH_CAPACITY];
    struct map_chest chests[MAP_CHEST_CAPACITY];
    struct map_goal goals[MAP_GOAL_CAPACITY];
};

/// The lists of a map, in the order of its bytes and of its hash.
enum map_list { MAP_SPAWNS, MAP_SOLIDS, MAP_POINTS, MAP_BALLS, MAP_SWITCHES, MAP_CHESTS, MAP_GOALS, MAP_LISTS };

/// One list: everything that a map does with its elements.
struct map_list_row {
    const char *things;          ///< as a sentence names them
    size_t count_offset, offset; ///< of the count and of the first element in struct map, bytes
    const char *fields;          ///< of an element, in the order of its struct: u unsigned, s signed
    size_t words;                ///< 32-bit fields of an element
    int32_t least, most;         ///< elements of a valid map
    /// Returns false with an error if an element is wrong. NULL: what points to it checks it.
    bool (*check)(const struct map *map, int32_t index, struct error *error);
};
extern const struct map_list_row MAP_LIST_TABLE[MAP_LISTS];

/// Returns the number of elements of a list.
int32_t *map_list_count(struct map *map, enum map_list list);

/// Returns the fields of all elements of a list.
uint32_t *map_list_words(struct map *map, enum map_list list);

/// Returns the box of a player who stands on a spawn.
struct df_box map_spawn_box(const struct map_spawn *spawn);

/// Returns the box of a chest that stands where the map puts it.
struct df_box map_chest_box(const struct map_chest *chest);

/// Returns true if the tile is within the goal's rectangle.
bool map_goal_has(const struct map_goal *goal, int32_t column, int32_t row);

/// Returns b - a on an axis of `side_px` px; in a map that wraps, the short way round.
int32_t map_distance(const struct map *map, int32_t a, int32_t b, int32_t side_px);

/// Returns true if the boxes overlap, also across the seam of a map that wraps.
bool map_overlaps(const struct map *map, struct df_box a, struct df_box b);

/// Checks that the map keeps every limit and rule above and has a free spawn. Returns false with an error that says
/// what is wrong. Readers and decoders call it last, so a map in memory is always valid.
bool map_validate(const struct map *map, struct error *error);

/// Returns the 64-bit hash of the map's content, the same on every machine; names the map in packets and replays.
uint64_t map_hash(const struct map *map);

/// Computes the offset of a solid from its box at a time of its clock (for a mover, the tick), in sub: constant speed
/// along the path, exact and periodic. Zero without a path.
void map_path_offset(const struct map *map, const struct map_solid *solid, uint32_t clock_ticks, int32_t *dx_sub,
                     int32_t *dy_sub);

/// Returns the length of a solid's path from its first point to its last, of a loop back to the first, in sub.
int64_t map_path_length_sub(const struct map *map, const struct map_solid *solid);

#endif
