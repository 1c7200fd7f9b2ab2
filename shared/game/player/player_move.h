// SPDX-License-Identifier: MIT
//
// One living player in one tick, as the parts of his movement share it: run, jump, dash, bow, walk.
// player.c makes it and calls them in order; each reads the situation and changes the player's speeds and timers,
// and only walk.c moves him.
#ifndef GAME_PLAYER_MOVE
#define GAME_PLAYER_MOVE

#include "game/step.h"

/// See above.
struct player_move {
    struct step *step;
    struct player *player;
    struct df_actor *actor;
    uint32_t slot;
    tick now;
    int32_t move_x, move_y; ///< direction held now, -1, 0, +1; a wall jump forces move_x
    uint32_t pressed;       ///< buttons that went down in this tick
    bool grounded;          ///< stood at the end of the last tick and has not left the ground since
};

/// True while a dash lasts.
static inline bool player_move_is_dashing(const struct player_move *move)
{
    return move->now < move->player->dash_until;
}

/// Makes an event at the middle of his body.
void player_move_event(const struct player_move *move, enum event_kind kind, uint32_t detail);

/// True if something solid is on that side (-1 or +1) with a gap of at most `gap_px`; 0 is flush.
bool player_move_is_at_wall(const struct player_move *move, int32_t side, int32_t gap_px);

#endif
