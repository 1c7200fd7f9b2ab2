// SPDX-License-Identifier: MIT
//
// One living player in one tick, as the parts of their movement share it (jump, dash, ledge and the functions here),
// and how they run, fall and move. player_step.c makes the context and calls the parts in order. Each part reads the
// situation and changes the player's speeds and timers; only player_move_collide() moves the body.
#ifndef GAME_PLAYER_MOVE
#define GAME_PLAYER_MOVE

#include "game/step.h"

/// The movement of one player in one tick.
struct player_move {
    struct step *step;
    const struct tuning *tuning; ///< of the step
    struct player *player;
    struct df_actor *actor;
    uint32_t slot;
    tick now;
    int32_t move_x, move_y; ///< direction held now, -1, 0, +1; a wall jump forces move_x
    uint32_t pressed;       ///< buttons that went down in this tick: enum button
    bool grounded;          ///< stood at the end of the last tick and has not left the ground since
};

/// Returns true while a dash lasts.
static inline bool player_move_is_dashing(const struct player_move *move)
{
    return move->now < move->player->dash_until;
}

/// Makes an event at the middle of the player's body.
void player_move_event(const struct player_move *move, enum event_kind kind, uint32_t detail);

/// Returns true if something solid is on that side (-1 or +1), at most `gap_px` away; 0 is flush.
bool player_move_is_at_wall(const struct player_move *move, int32_t side, int32_t gap_px);

/// Speeds the player up, slows them down or turns them along x.
void player_move_run(struct player_move *move);

/// Applies gravity, the caps of the fall speed and the slide on a wall along y.
void player_move_fall(struct player_move *move);

/// Moves the player along x, then along y, and forgives corners on the way. Finds out whether they stand then, with
/// what follows: coyote time, the refilled dash, the lift that they keep.
void player_move_collide(struct player_move *move);

#endif
