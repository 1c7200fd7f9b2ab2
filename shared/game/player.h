// SPDX-License-Identifier: MIT
//
// A player: movement, weapons, life. One player is one slot of the world and the actor of the same index.
// Called by the phases of world_step; knows nothing of who sits behind it.
#ifndef GAME_PLAYER_H
#define GAME_PLAYER_H

#include <stdbool.h>

#include "event.h"
#include "input.h"

struct world;
struct step;

/// Players a world can hold.
#define PLAYER_CAPACITY 256
/// Bytes of a name, UTF-8, zero-padded, without final zero.
#define PLAYER_NAME_BYTES 16

/// What a slot is.
enum player_state {
    PLAYER_ABSENT,    ///< nobody; all other fields are zero
    PLAYER_ALIVE,     ///< his actor is alive
    PLAYER_DEAD,      ///< waits for respawn_tick
    PLAYER_SPECTATOR, ///< watches
};

/// Bits of `player.flags`.
enum player_flags {
    PLAYER_BOT = 1u << 0,        ///< a bot of the server
    PLAYER_GROUNDED = 1u << 1,   ///< stood at the end of the tick
    PLAYER_WALL_LEFT = 1u << 2,  ///< slides on a wall at his left
    PLAYER_WALL_RIGHT = 1u << 3, ///< at his right
    PLAYER_HANGING = 1u << 4,    ///< hangs on a ledge at the side that he faces
};

/// One player: 32-bit fields without padding. All times are ticks of the world; "until" means exclusive.
struct player {
    uint32_t state;                       ///< enum player_state
    uint32_t generation;                  ///< event_count after his join: no two players of a match have the same
    uint32_t flags;                       ///< enum player_flags
    uint32_t colour;                      ///< 0 to 15, index of the palette
    uint32_t team;                        ///< 1 or 2 in a mode with teams; 0 in others, and of a spectator
    uint32_t team_wish;                   ///< enum team_wish of world.h; who said TEAM_AUTO may be moved for balance
    uint32_t name[PLAYER_NAME_BYTES / 4]; ///< UTF-8, little-endian words, zero-padded
    uint32_t buttons;                     ///< held in the last step: enum button
    uint32_t buttons_before;              ///< held in the step before
    int32_t vx, vy;                       ///< speed, sub per tick
    int32_t facing;                       ///< -1 or +1
    int32_t aim_x, aim_y;                 ///< -1, 0, +1: one of eight directions
    tick coyote_until;                    ///< may still jump
    tick jump_buffered_until;             ///< a press of jump counts
    tick jump_held_until;                 ///< variable jump: vy stays at most jump_vy
    int32_t jump_vy;                      ///< of the present jump, sub per tick
    tick forced_until;                    ///< a wall jump forces the direction
    int32_t forced_direction;             ///< -1, 0, +1
    tick dash_until;                      ///< dashes
    int32_t dash_x, dash_y;               ///< direction of the dash
    tick dash_ready_tick;                 ///< may dash again
    uint32_t dashes;                      ///< dashes left in the air, 0 or 1
    int32_t fall_cap;                     ///< present cap of the fall speed, sub per tick
    tick shield_until;                    ///< cannot be killed
    tick respawn_tick;                    ///< when dead
    tick shoot_ready_tick;                ///< may shoot again
    uint32_t arrows;                      ///< carried in all, 0 to 6
    uint32_t bombs, drills;               ///< of these, bomb and drill arrows
    uint32_t shield;                      ///< 1: a chest's shield takes the next hit
    tick wings_until;                     ///< a chest's wings carry him
    uint32_t flaps;                       ///< jumps left to his wings before he lands, 0 to 3
    uint32_t shover;                      ///< slot + 1 of who last hit or shoved him, 0 nobody
    tick shoved_tick;                     ///< when
    int32_t score;                        ///< points
    uint32_t kills, deaths, squishes, catches, shots, hits; ///< statistics of the match
};

/// What a player has in a match beyond his body, and has again when he comes back: his fields of the same names.
struct player_record {
    uint32_t team;
    int32_t score;
    uint32_t kills, deaths, squishes, catches, shots, hits;
};
#define PLAYER_RECORD_WORDS (sizeof(struct player_record) / sizeof(uint32_t))

/// The record of a player as he stands.
struct player_record player_record(const struct player *player);
/// Whether a record is one that a player can have.
bool player_record_is_sound(const struct player_record *record);

/// Phase: takes everybody's input of this tick. `inputs` has PLAYER_CAPACITY entries.
void players_take_inputs(struct world *world, const struct player_input *inputs);

/// Phase: physics asks once for each actor and move of a solid what a squish does. Who slipped out and was caught again
/// in the same move is flagged embedded: here he dies of it.
void players_squeezed(struct step *step);

/// Phase: every living player acts and moves.
void players_step(struct step *step);

struct command;
/// Makes an empty slot the player of a COMMAND_JOIN, who waits for his spawn.
void player_join(struct world *world, const struct command *join);

/// Empties a slot; nobody remembers him.
void player_leave(struct world *world, uint32_t slot);

/// Makes him alive with a full quiver and a shield, the middle of his feet at x, y px.
void player_spawn(struct step *step, uint32_t slot, int32_t x, int32_t y);

/// Takes his body away between two ticks: he waits for his spawn (PLAYER_DEAD), or watches (PLAYER_SPECTATOR).
void player_withdraw(struct world *world, uint32_t slot, enum player_state state);

/// All scores and counts at zero: a match begins.
void player_forget(struct world *world, uint32_t slot);

/// A round begins: he waits for his spawn, wherever he was.
void player_requeue(struct step *step, uint32_t slot);

/// Kills a living player and counts it. Killer: a slot, or EVENT_NOBODY: then whoever last shoved him, if that was not
/// long ago; else it is his own fault.
void player_kill(struct step *step, uint32_t slot, enum death_cause cause, uint32_t killer);

/// Remembers that `by` hit or shoved `slot` now, for the credit of what happens to him next.
void player_shove(struct world *world, uint32_t slot, uint32_t by);

#endif
