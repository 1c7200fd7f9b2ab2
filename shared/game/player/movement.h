// SPDX-License-Identifier: MIT
//
// How a player moves in one tick: runs, falls, jumps, dashes, hangs on ledges. The world moves its players with it
// (player_step.c), and computer players plan with it in a space of their own (ai/motion_simulation.c), so a plan is
// what will happen.
#ifndef GAME_MOVEMENT_H
#define GAME_MOVEMENT_H

#include "game/state.h"
#include "game/tuning.h"

/// One player in one tick. The caller fills the first part, movement_begin() the second.
struct movement {
    struct df_space *space;      ///< what blocks and carries
    int32_t actor;               ///< of the player, in the space; in a world the slot
    struct df_actor *body;       ///< that actor
    struct player *player;       ///< speeds and timers, and the buttons of this tick and of the one before
    const struct tuning *tuning; ///< the numbers of the match
    struct world *world;         ///< gets the events, and the jumps are counted; NULL: it is only a plan
    tick now;                    ///< the tick

    int32_t move_x, move_y; ///< direction held, -1, 0, +1; a wall jump forces move_x
    uint32_t pressed;       ///< buttons that went down in this tick: enum button
    bool grounded;          ///< stood at the end of the last tick and has not left the ground since
};

/// Reads the buttons that count in this tick: those of the player, or none while a round is frozen.
void movement_begin(struct movement *move, uint32_t buttons);

/// Moves the player, and finds out whether they stand then. After movement_begin().
void movement_step(struct movement *move);

#endif
