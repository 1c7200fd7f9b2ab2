// SPDX-License-Identifier: MIT
//
// Hanging on a ledge: a player who falls along a wall and holds toward it grabs its upper edge, hangs there even while
// the wall moves, and hops up with jump. Away or down lets go. Called by player_step.c and jump.c.
#ifndef GAME_LEDGE
#define GAME_LEDGE

#include "player_move.h"

/// Grabs a ledge in reach, keeps hold of it, or lets go. A hanging player has no speed of their own.
void ledge_try(struct player_move *move);

/// Returns true while the player hangs.
static inline bool ledge_hangs(const struct player_move *move)
{
    return (move->player->flags & PLAYER_HANGING) != 0;
}

/// Lets go.
void ledge_leave(struct player_move *move);

#endif
