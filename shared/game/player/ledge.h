// SPDX-License-Identifier: MIT
//
// Hanging on a ledge: who falls along a wall and holds toward it takes hold of its upper edge, hangs there, also where
// the wall moves, and hops up with jump. Away or down lets go. Called by player.c and jump.c.
#ifndef GAME_LEDGE
#define GAME_LEDGE

#include "player_move.h"

/// Takes hold of a ledge at hand, keeps hold, or lets go. Who hangs does not move by himself.
void ledge_try(struct player_move *move);

/// True while he hangs.
static inline bool ledge_hangs(const struct player_move *move)
{
    return (move->player->flags & PLAYER_HANGING) != 0;
}

/// Lets go.
void ledge_leave(struct player_move *move);

#endif
