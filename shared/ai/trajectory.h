// SPDX-License-Identifier: MIT
//
// What would happen if: a body alone among tiles and moving solids, stepped ahead by the rules of movement (run, jump,
// wall jump, ledge, dash, drop), a little simpler than physics but far cheaper, and blind to other players. The brain's
// map is drawn with it, and a bot asks it before it jumps. A plan is a short script of what to hold.
#ifndef AI_TRAJECTORY
#define AI_TRAJECTORY

#include "game/state.h"

/// Solids and dangers near a flight; more are left out, the nearest in index order first.
#define TRAJECTORY_SOLID_CAPACITY  12
#define TRAJECTORY_DANGER_CAPACITY 16
#define TRAJECTORY_DOOR_CAPACITY   4
/// Longest flight that is looked at.
#define TRAJECTORY_TICKS_MAX 90

/// A moving solid: where it is now, and where to it goes as far as can be seen.
struct trajectory_solid {
    struct df_box box; ///< now, px
    struct df_box at;  ///< at the tick of the flight that is followed, px
    int32_t vx, vy;    ///< sub per tick
    bool oneway;
    uint32_t index; ///< in world.solids
};

/// Where a door is when it is closed; a flight notes that it has come through.
struct trajectory_door {
    struct df_box box; ///< px
    uint32_t index;    ///< in map.solids
};

/// A box that kills while it is there: it moves straight on.
struct trajectory_danger {
    struct df_box box;              ///< now, px
    int32_t vx, vy;                 ///< sub per tick
    uint32_t from_tick, until_tick; ///< ticks from now in which it kills
};

/// What a flight is after: something to touch, or a head to land on. It moves straight on.
struct trajectory_prize {
    struct df_box box; ///< now, px; w 0: nothing
    int32_t vx, vy;    ///< sub per tick
    bool head;         ///< only a fall onto it counts
};

/// What a flight meets.
struct trajectory_space {
    const struct map *map;
    struct df_tiles tiles;
    uint32_t solid_count, danger_count, door_count;
    struct trajectory_solid solids[TRAJECTORY_SOLID_CAPACITY];
    struct trajectory_danger dangers[TRAJECTORY_DANGER_CAPACITY];
    struct trajectory_door doors[TRAJECTORY_DOOR_CAPACITY];
    struct trajectory_prize prize;
};

/// A body under way. Positions are not wrapped.
struct trajectory {
    int32_t x_sub, y_sub; ///< its top left corner
    int32_t vx, vy;       ///< sub per tick
    int32_t facing;       ///< -1 or +1
    uint32_t ticks;       ///< since it began
    uint32_t hold_ticks;  ///< for which a held jump still lifts
    uint32_t dash_ticks, dashes;
    int32_t dash_x, dash_y;
    int32_t forced; ///< direction of a wall jump
    uint32_t forced_ticks;
    uint32_t on;         ///< solid + 1 it stands on, 0 none
    uint32_t harm_tick;  ///< when a danger first met it; 0 never
    uint32_t prize_tick; ///< when it had its prize; 0 never
    uint32_t door;       ///< solid + 1 of the last door it came through, 0 none
    bool grounded, hangs, drops, dead;
    bool hung; ///< it hangs since before it began; else it hops up next
};

/// How a plan leaves the ground.
enum leap { LEAP_NONE, LEAP_JUMP, LEAP_DROP };

/// What to hold: `first` for `first_ticks`, then `then`; directions are -1, 0, +1.
struct plan {
    int8_t first, then;
    uint8_t first_ticks;
    uint8_t leap;          ///< enum leap, in the first tick
    uint8_t dash_tick;     ///< when it dashes; 0: never. 1: in the first tick
    int8_t dash_x, dash_y; ///< where to
    bool climbs;           ///< jumps off every wall it falls along, and comes back to it
};

/// The plans that a map is drawn with.
enum { PLAN_LEFT, PLAN_RIGHT, PLAN_STAY, PLANS = 26 };
extern const struct plan TRAJECTORY_PLANS[PLANS];

/// Where a body of the world would start.
struct trajectory trajectory_from(const struct world *world, uint32_t slot);

/// Its box, px.
struct df_box trajectory_box(const struct trajectory *flight);

/// True if tiles or solids as they are now overlap the box.
bool trajectory_is_blocked(const struct trajectory_space *space, struct df_box box);

/// Follows a plan until the body lands after a flight, has its prize, or dies; one that stays on the ground until
/// `walk_ticks` are over.
struct trajectory trajectory_follow(const struct trajectory_space *space, struct trajectory flight,
                                    const struct plan *plan, uint32_t walk_ticks);

/// The buttons of a plan's first tick.
uint32_t trajectory_plan_buttons(const struct plan *plan);

#endif
