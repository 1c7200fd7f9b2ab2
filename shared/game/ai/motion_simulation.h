// SPDX-License-Identifier: MIT
//
// Plans where a motion leads. A motion is a short script of buttons; it moves a copy of one player by the movement of
// the game (game/player/movement.c), with the match's numbers, in a physics space of its own that holds what is near:
// tiles, and solids on their way. Other players are not in it. The navigation graph is built with it, and a bot tries
// motions before it acts.
#ifndef AI_MOTION_SIMULATION
#define AI_MOTION_SIMULATION

#include "game/player/player.h"

/// The most solids, dangers and doors in a simulation. The first ones in index order are kept.
#define MOTION_SOLID_CAPACITY  12
#define MOTION_DANGER_CAPACITY 16
#define MOTION_DOOR_CAPACITY   4
/// The longest simulation.
#define MOTION_TICKS_MAX 90
/// Where a solid will be is known for every so many ticks; between two of them it moves in a straight line.
#define MOTION_SAMPLE_TICKS 8
#define MOTION_SAMPLES      (MOTION_TICKS_MAX / MOTION_SAMPLE_TICKS + 2)

/// A solid near the body, and where it goes.
struct motion_solid {
    struct df_solid now;
    int32_t x_sub[MOTION_SAMPLES], y_sub[MOTION_SAMPLES]; ///< way from now to each sample; the first is 0
    bool moves;                                           ///< not all of them are 0
    bool slippery;                                        ///< carries nobody
    int32_t belt_sub;                                     ///< speed of its surface, sub per tick
    uint32_t index;                                       ///< in world.solids
};

/// Where a door is when it is closed.
struct motion_door {
    struct df_box box; ///< px
    uint32_t index;    ///< in map.solids
};

/// A box that moves in a straight line and kills during some ticks.
struct motion_danger {
    struct df_box box;              ///< now, px
    int32_t vx, vy;                 ///< sub per tick
    uint32_t from_tick, until_tick; ///< ticks from now; until is exclusive
};

/// What a body tries to touch, or a head to land on. It moves in a straight line.
struct motion_target {
    struct df_box box; ///< now, px; w 0: none
    int32_t vx, vy;    ///< sub per tick
    bool head;         ///< only a fall onto it counts
};

/// Bytes of the physics index of one body and MOTION_SOLID_CAPACITY solids.
#define MOTION_INDEX_BYTES (8 * 1024)

/// What a body can meet in a simulation. The caller fills the first part, motion_simulation_open() the second.
struct motion_space {
    const struct map *map;
    const struct tuning *tuning;
    struct df_tiles tiles;
    uint32_t solid_count, danger_count, door_count;
    struct motion_solid solids[MOTION_SOLID_CAPACITY];
    struct motion_danger dangers[MOTION_DANGER_CAPACITY];
    struct motion_door doors[MOTION_DOOR_CAPACITY];
    struct motion_target target;

    int32_t hazards_top_px, hazards_end_px;    ///< rows of tiles among which all hazards are
    bool has_belts;                            ///< among the solids
    struct motion_body *body;                  ///< that is simulated
    struct df_actor actor;                     ///< of that body
    struct df_box ways[MOTION_SOLID_CAPACITY]; ///< of the solids that move, all of it
    struct df_solid at[MOTION_SOLID_CAPACITY]; ///< the solids at the simulated tick
    uint32_t at_ticks[MOTION_SOLID_CAPACITY];  ///< that tick; behind while a solid is far from the body
    struct df_space physics;                   ///< of these
    uint64_t index[MOTION_INDEX_BYTES / sizeof(uint64_t)];
};

/// A simulated player.
struct motion_body {
    struct player player;
    struct df_actor actor;
    tick now;             ///< the last tick that it has done
    uint32_t ticks;       ///< since the start of the motion
    uint32_t climb_ticks; ///< for which a climbing body stays away from the wall
    uint32_t on;          ///< at the end: index + 1 of the solid that it stands on, 0 none
    uint32_t harm_tick;   ///< when the first danger met it; 0 never
    uint32_t target_tick; ///< when it reached the target; 0 never
    uint32_t door;        ///< index + 1 of the last door that it went through, 0 none
    bool dead;            ///< was squished, or met a hazard
    bool hung_at_start;   ///< hangs since before the motion; else it hops up from the ledge next
};

/// How a motion leaves the ground.
enum takeoff { TAKEOFF_NONE, TAKEOFF_JUMP, TAKEOFF_DROP };

/// A script: hold `first` for `first_ticks`, then `then`; directions are -1, 0, +1.
struct motion {
    int8_t first, then;
    uint8_t first_ticks;
    uint8_t takeoff;       ///< enum takeoff, in the first tick
    uint8_t dash_tick;     ///< when it dashes, 1 is the first tick; 0 never
    int8_t dash_x, dash_y; ///< direction of the dash
    bool climbs;           ///< jumps off a wall whenever it falls along one, and returns to it
};

/// The motions of the navigation graph's edges.
enum { MOTION_LEFT, MOTION_RIGHT, MOTION_STAY, MOTIONS = 26 };
extern const struct motion MOTION_TABLE[MOTIONS];

/// Begins a space without anything in it but tiles; all that is pointed to outlives it.
void motion_simulation_clear(struct motion_space *space, const struct map *map, const struct tuning *tuning,
                             const struct df_tiles *tiles);

/// Makes a space ready. Call it again when tiles or solids have changed; dangers, doors and the target may.
void motion_simulation_open(struct motion_space *space);

/// Returns the body of a player, ready for a simulation.
struct motion_body motion_simulation_start(const struct world *world, uint32_t slot);

/// Returns the box of a body, px. On a map that wraps, it lies in the map.
static inline struct df_box motion_simulation_box(const struct motion_body *body)
{
    return df_actor_box(&body->actor);
}

/// Returns true if a body stands, or hangs on a ledge.
static inline bool motion_simulation_rests(const struct motion_body *body)
{
    return (body->player.flags & (PLAYER_GROUNDED | PLAYER_HANGING)) != 0;
}

/// Returns true if a box overlaps tiles or solids as they are now. One-ways do not block.
bool motion_simulation_is_blocked(const struct motion_space *space, struct df_box box);

/// Moves a body by a motion until it lands, reaches the target, dies, or MOTION_TICKS_MAX is over. A body that stays on
/// the ground stops after `walk_ticks`. Returns the body at the end.
struct motion_body motion_simulation_run(struct motion_space *space, struct motion_body body,
                                         const struct motion *motion, uint32_t walk_ticks);

/// Returns the buttons of a motion's first tick.
uint32_t motion_simulation_buttons(const struct motion *motion);

#endif
