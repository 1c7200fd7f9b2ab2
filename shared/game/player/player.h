// SPDX-License-Identifier: MIT
//
// What every player has: a life, which begins at a spawn and ends when they are laid down; the arrows that they carry;
// and a record, which outlives both; and what they do in a tick. A player is one slot of the world and the actor of the
// same index. rules.h holds how they die.
#ifndef GAME_PLAYER
#define GAME_PLAYER

#include "game/state.h"
#include "game/step.h"
#include "game/tuning.h"

/// Returns a player's record as it is now.
struct player_record player_record(const struct player *player);

/// Returns true if a player can have this record: team and score are within their limits.
bool player_record_is_valid(const struct player_record *record);

/// Returns true if they play: they are alive, or wait for their spawn.
bool player_plays(const struct player *player);

/// Makes a player alive with the arrows of a spawn and a shield, the middle of their feet at x, y px.
void player_spawn(struct step *step, uint32_t slot, int32_t x, int32_t y, tick shield_until);

/// Lays a player's body down: they wait for their spawn until `respawn_tick`.
void player_lay_down(struct step *step, uint32_t slot, tick respawn_tick);

/// Removes a player's body between two ticks: they wait for their spawn (PLAYER_DEAD) or watch (PLAYER_SPECTATOR).
void player_withdraw(struct world *world, uint32_t slot, enum player_state state);

/// Sets the score and all counters of a player to zero, as at the beginning of a match.
void player_reset_statistics(struct world *world, uint32_t slot);

/// Remembers that `by` hit or shoved `slot` in this tick, for the credit if something kills them soon.
void player_shove(struct world *world, uint32_t slot, uint32_t by);

/// Gives a player `count` arrows of a kind, or of the one that all arrows are in this match (`tuning->arrow_kind`).
/// Arrows beyond `tuning->arrows_max` are lost, but special ones replace normal ones. There are never more special
/// arrows than arrows.
void player_add_arrows(struct player *player, const struct tuning *tuning, enum arrow_kind kind, uint32_t count);

/// Returns how many of their arrows are of another kind than ARROW_NORMAL.
uint32_t player_special_arrows(const struct player *player);
/// Returns true if player_add_arrows() with one arrow of this kind would change anything.
bool player_has_room(const struct player *player, const struct tuning *tuning, enum arrow_kind kind);

/// Phase: stores the input of this tick in every player. `inputs` has PLAYER_CAPACITY entries.
void player_note_inputs(struct world *world, const struct player_input *inputs);

/// Phase: living players act in order: they aim and shoot, dash, hold on to ledges, run, fall, jump, and move. Humans,
/// bots and replays are all the same here.
void player_step(struct step *step);

// --- movement.c
//
// How a player moves in one tick: runs, falls, jumps, dashes, hangs on ledges. The world moves its players with it
// (player_step()), and computer players plan with it in a space of their own (ai/motion_simulation.c), so a plan is
// what will happen.

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
