// SPDX-License-Identifier: MIT
//
// Simulates where a motion leads. A motion is a short script of buttons; it moves one body by the rules of movement
// (run, jump, wall jump, ledge, dash, drop) among tiles and moving solids. The simulation is a little simpler than the
// physics, much cheaper, and ignores other players. The navigation graph is built with it, and a bot tries motions
// before it acts.
#ifndef AI_MOTION_SIMULATION
#define AI_MOTION_SIMULATION

#include "game/state.h"

/// The most solids, dangers and doors in a simulation. The first ones in index order are kept.
#define MOTION_SOLID_CAPACITY  12
#define MOTION_DANGER_CAPACITY 16
#define MOTION_DOOR_CAPACITY   4
/// The longest simulation.
#define MOTION_TICKS_MAX 90

/// A solid that moves in a straight line.
struct motion_solid {
    struct df_box box; ///< now, px
    struct df_box at;  ///< at the simulated tick, px
    int32_t vx, vy;    ///< sub per tick
    bool oneway;
    uint32_t index; ///< in world.solids
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

/// What a body can meet in a simulation.
struct motion_space {
    const struct map *map;
    struct df_tiles tiles;
    uint32_t solid_count, danger_count, door_count;
    struct motion_solid solids[MOTION_SOLID_CAPACITY];
    struct motion_danger dangers[MOTION_DANGER_CAPACITY];
    struct motion_door doors[MOTION_DOOR_CAPACITY];
    struct motion_target target;
};

/// A simulated body. Its position is not wrapped.
struct motion_body {
    int32_t x_sub, y_sub; ///< top left corner
    int32_t vx, vy;       ///< sub per tick
    int32_t facing;       ///< -1 or +1
    uint32_t ticks;       ///< since the start of the motion
    uint32_t hold_ticks;  ///< for which a held jump still lifts
    uint32_t dash_ticks;  ///< left of the present dash
    uint32_t dashes;      ///< left in the air, 0 or 1
    int32_t dash_x, dash_y;
    int32_t forced;        ///< direction that a wall jump forces, -1, 0, +1
    uint32_t forced_ticks; ///< for which it does
    uint32_t on;           ///< index + 1 of the solid that it stands on, 0 none
    uint32_t harm_tick;    ///< when the first danger met it; 0 never
    uint32_t target_tick;  ///< when it reached the target; 0 never
    uint32_t door;         ///< index + 1 of the last door that it went through, 0 none
    bool grounded;         ///< stands
    bool hangs;            ///< hangs on a ledge
    bool drops;            ///< falls through one-ways
    bool dead;             ///< was squished, or met a hazard
    bool hung_at_start;    ///< hangs since before the motion; else it hops up from the ledge next
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

/// Returns the body of a player, ready for a simulation.
struct motion_body motion_simulation_start(const struct world *world, uint32_t slot);

/// Returns the box of a body, px.
struct df_box motion_simulation_box(const struct motion_body *body);

/// Returns true if a box overlaps tiles or solids as they are now. One-ways do not block.
bool motion_simulation_is_blocked(const struct motion_space *space, struct df_box box);

/// Moves a body by a motion until it lands, reaches the target, dies, or MOTION_TICKS_MAX is over. A body that stays on
/// the ground stops after `walk_ticks`. Returns the body at the end.
struct motion_body motion_simulation_run(const struct motion_space *space, struct motion_body body,
                                         const struct motion *motion, uint32_t walk_ticks);

/// Returns the buttons of a motion's first tick.
uint32_t motion_simulation_buttons(const struct motion *motion);

#endif
